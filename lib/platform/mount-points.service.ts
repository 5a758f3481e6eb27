import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import { LIMITS, MOUNTS, REGISTRATION, SERVED_STYLES } from '../options/tokens.js';
import type { Registration } from '../options/registration.js';
import type { ApiStyle } from '../options/api-style.js';
import { CallerGrants } from './caller-grants.service.js';
import { ClientSource } from './client-source.service.js';
import type { StyledMount } from './entry-classes.js';
import { GrantedSurfaces } from './granted-surfaces.js';
import type { MountPoint } from './mount-point.js';
import { mountPaths, pathBelow } from './mount-paths.js';

/** What each style serves, and its options, checked. */
export type ServedStyles = Readonly<Record<ApiStyle, { readonly model: ResourceModel; readonly settings: object | undefined }>>;

/** Knows which requests are this module's. */
@Injectable()
export class MountPoints {
  private points: readonly MountPoint[] | undefined;
  private readonly neighbours: MountPoints[];

  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    private readonly moduleRef: ModuleRef,
    adapterHost: HttpAdapterHost,
    @Inject(MOUNTS) private readonly mounts: readonly StyledMount[],
    @Inject(REGISTRATION) private readonly registration: Registration,
    @Inject(SERVED_STYLES) private readonly served: ServedStyles,
    @Inject(LIMITS) private readonly limits: Limits,
    private readonly clients: ClientSource,
    private readonly callers: CallerGrants,
  ) {
    const application: HttpAdapterHost & { [MOUNTED]?: MountPoints[] } = adapterHost;
    this.neighbours = application[MOUNTED] ?? [];
    this.neighbours.push(this);
    application[MOUNTED] = this.neighbours;
  }

  /** In the order of the mounts. The global prefix and versioning may be set until `app.init()`, so ask no sooner. */
  get all(): readonly MountPoint[] {
    this.points ??= this.mounts.map(({ style, prefix }) => {
      const { model: none, settings } = this.served[style.name];
      const { grants } = none;
      return {
        style,
        prefix,
        paths: mountPaths(this.moduleRef, prefix, this.registration.module),
        // Guards come before grants, and decide on whatever anybody is shown.
        context: {
          model: grants ? grants.of(grants.names) : none,
          limits: this.limits,
          settings,
        },
        ...(grants && { granted: new GrantedSurfaces(none, grants, this.callers) }),
        clients: this.clients,
      };
    });
    return this.points;
  }

  /** The mount of this module that a URL (with or without its query) belongs to; undefined for the host's other routes. */
  pointOf(url: string): MountPoint | undefined {
    const isCandidate = (point: MountPoint): boolean => point.prefix !== '' || this.namesResource(point, url);
    const found = deepest(this.everywhere.filter(isCandidate), url);
    return found && this.all.includes(found) ? found : undefined;
  }

  /** Whether a route of a mount that matches a URL is to answer it: it leaves what is below a deeper mount, of whichever module, to that. */
  serves(point: MountPoint, url: string): boolean {
    if (this.everywhere.length === 1) return true;
    const found = deepest(this.everywhere, url);
    return found === undefined || pathBelow(found, url)?.length === pathBelow(point, url)?.length;
  }

  private get everywhere(): readonly MountPoint[] {
    return this.neighbours.length === 1 ? this.all : this.neighbours.flatMap((mounts) => mounts.all);
  }

  /**
   * The mount that a URL belongs to and names a resource of: the body of such a request may be read before its route is known. A host may well have
   * controllers below our prefix, whose requests stay its own.
   */
  pointOfResource(url: string): MountPoint | undefined {
    const point = this.pointOf(url);
    return point && this.namesResource(point, url) ? point : undefined;
  }

  private namesResource(point: MountPoint, url: string): boolean {
    const [, name = ''] = pathBelow(point, url)?.split('/', 2) ?? [];
    return point.style.names(name.toLowerCase(), point.context.model);
  }
}

/** The mount that leaves least of a path below it. */
function deepest(points: readonly MountPoint[], url: string): MountPoint | undefined {
  let found: MountPoint | undefined;
  let least = Infinity;
  for (const point of points) {
    const { length = Infinity } = pathBelow(point, url) ?? {};
    if (length < least) [found, least] = [point, length];
  }
  return found;
}

/** On what each application has one of: a process may hold several applications, and an application both copies of this package. */
const MOUNTED: unique symbol = Symbol.for('nestjs-resource-api: mounts');
