import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type ResourceModel } from '../model/resource-model.js';
import { REGISTRATION, RESOURCE_MODEL } from '../resource-api.constants.js';
import { type ApiStyle, type Registration } from '../resource-api.module-definition.js';
import { claimRequest } from './resource-operation.js';
import { type MountPoint, mountPoint, pathBelow } from './mount-point.js';

/** Knows which requests are this module's. */
@Injectable()
export class MountPoints {
  private points: readonly MountPoint[] | undefined;

  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(REGISTRATION) private readonly registration: Registration,
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
  ) {}

  /** The style that serves a URL (with or without its query), or undefined for the host's other routes. */
  styleOf(url: string): ApiStyle | undefined {
    // The global prefix and versioning may be set until `app.init()`, so Nest is not asked before the first route or request.
    this.points ??= this.registration.mounts.map((mount) => mountPoint(this.moduleRef, mount, this.registration.module));
    return this.points.find((point) => this.isServed(point, url))?.style;
  }

  /** Whether a request is this module's; if so, it is marked for {@link resourceOperation}. `raw` is Node's own request. */
  claim(raw: object, url: string): boolean {
    const style = this.styleOf(url);
    if (style !== undefined) claimRequest(raw, this.model);
    return style !== undefined;
  }

  /** A mount at the application's root shares it with the host's routes, and claims the paths of its own resources only. */
  private isServed(point: MountPoint, url: string): boolean {
    const path = pathBelow(point, url);
    if (path === undefined || point.prefix !== '') return path !== undefined;
    const name = path.split('/', 2)[1]?.toLowerCase() ?? '';
    return point.style === 'rest' ? this.model.byType.has(name) : this.model.byDelegate.has(name) || name === '$transaction';
  }
}
