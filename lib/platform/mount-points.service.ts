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
import type { MountPoint } from './mount-point.js';
import { mountPaths, pathBelow, pathOfUrl } from './mount-paths.js';

/** The model of each style, and its checked options. */
export type ServedStyles = Readonly<Record<ApiStyle, { readonly model: ResourceModel; readonly settings: object | undefined }>>;

/** Determines which requests belong to this module. */
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

  /**
   * All mounts of this module, in the order of registration. Read it after `app.init()`, because the global prefix and versioning may
   * change until then.
   */
  get all(): readonly MountPoint[] {
    this.points ??= this.mounts.map(({ style, prefix }) => {
      const { model: ungranted, settings } = this.served[style.name];
      const { grants } = ungranted;
      return {
        style,
        prefix,
        paths: mountPaths(this.moduleRef, prefix, this.registration.module),
        // Guards run before grants are evaluated, and therefore receive the model of callers with all grants.
        context: {
          model: grants ? grants.of(grants.names) : ungranted,
          limits: this.limits,
          settings,
        },
        ungranted,
        callers: this.callers,
        clients: this.clients,
      };
    });
    return this.points;
  }

  /** Returns the mount of this module that a URL (with or without its query) belongs to; undefined for other routes of the application. */
  pointOf(url: string): MountPoint | undefined {
    return this.locate(url)?.point;
  }

  /** Whether a mount has to answer a URL that one of its routes matches. It does not if the URL is below a deeper mount of any module. */
  serves(point: MountPoint, url: string): boolean {
    if (this.everywhere.length === 1) return true;
    const path = pathOfUrl(url);
    const found = deepest(this.everywhere, path);
    return found === undefined || found.point === point || found.below.length === pathBelow(point, path)?.length;
  }

  private get everywhere(): readonly MountPoint[] {
    return this.neighbours.length === 1 ? this.all : this.neighbours.flatMap((mounts) => mounts.all);
  }

  /**
   * Returns the mount that a URL belongs to, if the URL names a resource of it. The body of such a request may be read before its route is
   * matched. Other URLs may belong to controllers of the application below the same prefix.
   */
  pointOfResource(url: string): MountPoint | undefined {
    const location = this.locate(url);
    return location && namesResource(location) ? location.point : undefined;
  }

  /** Returns the location of a URL below a mount of this module. Below a mount at the root, only URLs of resources belong to it. */
  private locate(url: string): Location | undefined {
    const found = deepest(this.everywhere, pathOfUrl(url), (location) => location.point.prefix !== '' || namesResource(location));
    return found && this.all.includes(found.point) ? found : undefined;
  }
}

/** A mount, and a path below it. */
interface Location {
  readonly point: MountPoint;
  readonly below: string;
}

function namesResource({ point, below }: Location): boolean {
  const [, name = ''] = below.split('/', 2);
  return point.style.names(name.toLowerCase(), point.context.model);
}

/** Returns the location of a path below the mount with the longest path, of those that `belongs` accepts. */
function deepest(points: readonly MountPoint[], path: string, belongs?: (location: Location) => boolean): Location | undefined {
  let found: Location | undefined;
  for (const point of points) {
    const below = pathBelow(point, path);
    if (below === undefined || (found && below.length >= found.below.length)) continue;
    const location = { point, below };
    if (belongs?.(location) ?? true) found = location;
  }
  return found;
}

/**
 * The property of `HttpAdapterHost`, of which each application has one. A process may have several applications, and an application both
 * copies of this package (CommonJS and ES module).
 */
const MOUNTED: unique symbol = Symbol.for('nestjs-resource-api: mounts');
