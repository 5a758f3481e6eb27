import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type ResourceModel } from '../model/resource-model.js';
import { REGISTRATION, RESOURCE_MODEL } from '../resource-api.constants.js';
import { type ApiStyle, type Registration } from '../resource-api.module-definition.js';
import { REST_ENDPOINTS } from '../rest/rest-endpoints.js';
import { RPC_BATCH } from '../rpc/rpc-operations.js';
import { claimRequest } from './resource-operation.js';
import { type MountPoint, mountPoint, pathBelow } from './mount-point.js';

/** Knows which requests are this module's. */
@Injectable()
export class MountPoints {
  private points: readonly MountPoint[] | undefined;
  private depths: ReadonlyMap<string, number> | undefined;

  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(REGISTRATION) private readonly registration: Registration,
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
  ) {}

  /** The style that serves a URL (with or without its query), or undefined for the host's other routes. */
  styleOf(url: string): ApiStyle | undefined {
    return this.pointOf(url)?.style;
  }

  /**
   * Whether the body of a request is ours to read: a host may well have controllers below our prefix, whose bodies stay its own.
   * A request below a mount is marked for {@link resourceOperation}. `raw` is Node's own request.
   *
   * @param pattern the path of the matched route, where the platform knows it before the body is read
   */
  claim(raw: object, url: string, pattern?: string): boolean {
    const point = this.pointOf(url);
    if (point === undefined) return false;
    claimRequest(raw, { model: this.model, prefix: point.prefix });
    return pattern === undefined ? this.namesResource(point, url) : this.depthOf(pattern) !== undefined;
  }

  private pointOf(url: string): MountPoint | undefined {
    return this.allPoints().find((point) => pathBelow(point, url) !== undefined && (point.prefix !== '' || this.namesResource(point, url)));
  }

  private allPoints(): readonly MountPoint[] {
    // The global prefix and versioning may be set until `app.init()`, so Nest is not asked before the first route or request.
    this.points ??= this.registration.mounts.map((mount) => mountPoint(this.moduleRef, mount, this.registration.module));
    return this.points;
  }

  private namesResource(point: MountPoint, url: string): boolean {
    const name = pathBelow(point, url)?.split('/', 2)[1]?.toLowerCase() ?? '';
    return point.style === 'rest' ? this.model.byType.has(name) : this.model.byDelegate.has(name) || name === RPC_BATCH.model;
  }

  /** How deep the mount lies whose endpoint has this path, with its parameters; undefined for a route of the host. */
  depthOf(pattern: string): number | undefined {
    this.depths ??= new Map(
      this.allPoints().flatMap(({ paths, style }) =>
        paths.flatMap((path) => ENDPOINT_PATTERNS[style].map((endpoint) => [`${path}/${endpoint}`, path.length] as const)),
      ),
    );
    return this.depths.get(pattern);
  }
}

/** The paths of the controllers' routes. */
const ENDPOINT_PATTERNS: Readonly<Record<ApiStyle, readonly string[]>> = {
  rest: Object.values(REST_ENDPOINTS).map(({ path }) => path),
  rpc: [`:model/:operation`, `${RPC_BATCH.model}/${RPC_BATCH.name}`],
};
