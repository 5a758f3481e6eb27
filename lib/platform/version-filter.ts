import { type VersioningOptions, VersioningType } from '@nestjs/common';
import type { AbstractHttpAdapter, ModuleRef } from '@nestjs/core';

/** A handler of either platform. */
type Handler = (...args: never[]) => unknown;

/**
 * What keeps a route to the default version of an application that tells versions by a header or a media type. Those of a path are in the path.
 */
export function versionFilter(moduleRef: ModuleRef, adapter: AbstractHttpAdapter): <H extends Handler>(handler: H) => H {
  const options: VersioningOptions | undefined = moduleRef['container'].applicationConfig?.getVersioning();
  const version = options?.defaultVersion;
  if (options === undefined || version === undefined || options.type === VersioningType.URI) return (handler) => handler;
  // `never`: Nest types the result as a handler of any platform, and it is the same as what was given.
  return (handler) => adapter.applyVersionFilter(handler, version, options) as never;
}
