import { RequestMethod } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js';
import type { MountPoint } from './mount-point.js';
import type { PathParams } from './style.js';

/**
 * Returns the paths of a prefix in the running application. They are composed by Nest's `RoutePathFactory`, as Nest does for the routes of
 * a controller.
 */
export function mountPaths(moduleRef: ModuleRef, prefix: string, module: object): readonly string[] {
  const { applicationConfig } = moduleRef['container'];
  if (applicationConfig === undefined) return [`/${prefix}`];
  const versioningOptions = applicationConfig.getVersioning();
  const controllerVersion = versioningOptions?.defaultVersion;
  const modulePath = modulePathOf(moduleRef, module);
  const metadata: Parameters<RoutePathFactory['create']>[0] = {
    ctrlPath: `/${prefix}`,
    methodPath: PROBE,
    globalPrefix: applicationConfig.getGlobalPrefix(),
    ...(modulePath !== undefined && { modulePath }),
    ...(versioningOptions && { versioningOptions }),
    ...(controllerVersion !== undefined && { controllerVersion }),
  };
  const paths = new RoutePathFactory(applicationConfig).create(metadata, RequestMethod.GET);
  return paths.map((path) => `/${path.slice(0, -PROBE.length)}`.replace(/\/{2,}/g, '/').replace(/\/$/, ''));
}

/** A sample route of the mount. Nest decides for each route whether the global prefix applies (`exclude`). */
export const PROBE = '/probe';

/** Returns the path of a URL, decoded as Fastify's router does before it matches: `%2F` remains. */
export function pathOfUrl(url: string): string {
  return decoded(extractPath(url));
}

/**
 * Returns the part of a path below a mount, e.g. `/post/1`, or undefined for a path outside of it. The path of the mount is compared without
 * letter case, as in Express' router.
 *
 * @param path as {@link pathOfUrl} returns it
 */
export function pathBelow({ paths }: Pick<MountPoint, 'paths'>, path: string): string | undefined {
  for (const base of paths) {
    const next = path[base.length];
    if (next !== undefined && next !== '/') continue;
    if (path.startsWith(base) || path.slice(0, base.length).toLowerCase() === base.toLowerCase()) return path.slice(base.length);
  }
  return undefined;
}

/**
 * Returns a function that returns the parameters of a route's path in a URL, or undefined if the URL has another path. Fixed segments must
 * have the same letter case. Parameters must not be empty, so that a trailing slash matches no route on any platform.
 *
 * @param route e.g. `/api/rest/:type/:id`
 */
export function pathMatcher(route: string): (url: string) => PathParams | undefined {
  const expected = route.split('/');
  return (url) => {
    const segments = extractPath(url).split('/');
    if (segments.length !== expected.length) return undefined;
    const params: Record<string, string> = {};
    for (const [index, name] of expected.entries()) {
      const segment = segments[index] ?? '';
      const isParameter = name.startsWith(':');
      if (isParameter ? segment === '' : decoded(segment) !== name) return undefined;
      if (isParameter) params[name.slice(1)] = decoded(segment, decodeURIComponent);
    }
    return params;
  };
}

/**
 * Returns the path of a request target. The target may be an absolute URL (RFC 9112, section 3.2.2), of which routers use only the path.
 */
function extractPath(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]+/i, '');
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

/** Whether a request target is valid (RFC 9112, section 3.2), and its path can be decoded. */
export function isRoutable(url: string): boolean {
  if (url.includes('#') || !(url.startsWith('/') || URL.canParse(url))) return false;
  const path = extractPath(url);
  return !path.includes('%') || decode(path, decodeURIComponent) !== undefined;
}

/** Decodes a path. A path that cannot be decoded is returned unchanged. */
function decoded(path: string, decoder = decodeURI): string {
  return path.includes('%') ? (decode(path, decoder) ?? path) : path;
}

function decode(text: string, decoder: (text: string) => string): string | undefined {
  try {
    return decoder(text);
  } catch {
    return undefined;
  }
}

export function modulePathOf(moduleRef: ModuleRef, module: object): string | undefined {
  const { applicationId } = moduleRef['container'].getModules();
  const path: unknown = Reflect.getMetadata(`__module_path__${applicationId}`, module);
  return typeof path === 'string' ? path : undefined;
}
