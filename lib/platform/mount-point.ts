import { RequestMethod } from '@nestjs/common';
import { type ModuleRef } from '@nestjs/core';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js';
import { type Mount } from '../resource-api.module-definition.js';

/** A mount with the paths that it has in the running application: Nest's global prefix, its version and RouterModule's path included. */
export interface MountPoint extends Mount {
  /** Paths with a leading and without a trailing slash; `''` is the root. Several where the default version is a list. */
  readonly paths: readonly string[];
}

/**
 * Where a mount really is. Nest composes the path of a route while it registers routes; the body has to be read before that route is
 * reached, so the same composition is asked of Nest's own factory.
 */
export function mountPoint(moduleRef: ModuleRef, mount: Mount, module: object): MountPoint {
  // Nest has no public way to read the global prefix; its own packages reach for the container in the same way.
  const { applicationConfig } = moduleRef['container'];
  if (applicationConfig === undefined) return { ...mount, paths: [`/${mount.prefix}`] };
  const versioningOptions = applicationConfig.getVersioning();
  const modulePath = modulePathOf(moduleRef, module);
  const metadata = {
    ctrlPath: `/${mount.prefix}`,
    methodPath: PROBE,
    globalPrefix: applicationConfig.getGlobalPrefix(),
    ...(modulePath !== undefined && { modulePath }),
    ...(versioningOptions && { versioningOptions, ...defaultVersion(versioningOptions) }),
  };
  const paths = new RoutePathFactory(applicationConfig).create(metadata, RequestMethod.GET);
  return { ...mount, paths: paths.map((path) => `/${path.slice(0, -PROBE.length)}`.replace(/\/{2,}/g, '/').replace(/\/$/, '')) };
}

/** Stands for a route of the mount: whether it lies below the global prefix is decided route by route (`exclude`). */
const PROBE = '/probe';

/**
 * The part of a request's path below a mount, e.g. `/post/1`, or undefined for another path. Letter case of the mount's own path does not
 * matter, as in Express' routing.
 */
export function pathBelow(point: MountPoint, url: string): string | undefined {
  const path = decoded(url.split('?', 1)[0] ?? '');
  const base = point.paths.find((prefix) => {
    const next = path[prefix.length];
    return (next === undefined || next === '/') && path.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
  });
  return base === undefined ? undefined : path.slice(base.length);
}

/** As Fastify's router does before it matches; `%2F` stays. An undecodable path is no route's. */
function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function modulePathOf(moduleRef: ModuleRef, module: object): string | undefined {
  const { applicationId } = moduleRef['container'].getModules();
  return Reflect.getMetadata(`__module_path__${applicationId}`, module) as string | undefined;
}

function defaultVersion(options: { readonly defaultVersion?: unknown }): { readonly controllerVersion: never } | undefined {
  return options.defaultVersion === undefined ? undefined : { controllerVersion: options.defaultVersion as never };
}
