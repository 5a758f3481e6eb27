import { Injectable, SetMetadata, type Type, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import type { Registration } from '../options/registration.js';
import { BatchGuard } from './batch.guard.js';
import { STYLE_METADATA } from './operation-context.js';
import type { Endpoint, Style } from './style.js';
import type { ApiStyle } from '../options/api-style.js';

/** A style with the prefix that it is mounted under, and what Nest's enhancers see of its endpoints. */
export interface StyledMount {
  readonly style: Style;
  readonly prefix: string;
  readonly entries: readonly EntryClass[];
}

/** The class that `getClass()` gives to guards and interceptors for some endpoints of a mount. */
export interface EntryClass {
  readonly type: Type<Entry>;
  readonly endpoints: readonly Endpoint[];
}

/** One method an endpoint, by its name: it is what `getHandler()` gives, and runs what it is handed after request, response and next. */
export type Entry = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** What the pipes of a path's parameters hang on. */
export const PIPED_METHOD = 'params';
export const PIPED_METADATA = 'nestjs-resource-api:params';

/**
 * Gives the endpoints of a mount their classes, a provider each, with the guards and pipes of the module. They are classes of their own, since
 * Nest reads enhancers from the class, and several mounts live side by side.
 */
export function mountStyle(style: Style, prefix: string, registration: Registration): StyledMount {
  const entries = GUARDED.flatMap((guarded) => {
    const endpoints = style.endpoints.filter((endpoint) => endpoint.guarded === guarded);
    return endpoints.length === 0 ? [] : [{ type: entryClass(style.name, endpoints, registration), endpoints }];
  });
  return { style, prefix, entries };
}

/** The path of batches is registered before the path with a `:model` parameter. */
const GUARDED: readonly Endpoint['guarded'][] = ['operation', 'request'];

/** Nest makes the interceptors of this class, so that they are injected into and can be replaced in tests; the entrance runs them. */
export function interceptorsClass({ interceptors }: Registration): Type {
  @Injectable()
  class ModuleInterceptors {}
  UseInterceptors(...interceptors)(ModuleInterceptors);
  return ModuleInterceptors;
}

function entryClass(style: ApiStyle, endpoints: readonly Endpoint[], { guards, pipes }: Registration): Type<Entry> {
  @Injectable()
  class ResourceApi {
    /** Defined below, by the names of the endpoints. */
    readonly [name: string]: Entry[string];
  }
  const type: Type<Entry> = ResourceApi;
  for (const { name } of endpoints) {
    // A computed method has the name that `getHandler().name` tells.
    const method = { [name]: (...[, , , run]: Given) => run() }[name];
    Object.defineProperty(type.prototype, name, { value: method });
  }
  SetMetadata(STYLE_METADATA, style)(type);
  // What makes Nest look at it where global guards and interceptors of request scope are bound.
  SetMetadata('__entryProvider__', true)(type);
  UseGuards(...(endpoints.some(({ guarded }) => guarded === 'operation') ? [BatchGuard] : guards))(type);
  UsePipes(...pipes)(type);
  Object.defineProperty(type.prototype, PIPED_METHOD, { value: (params: unknown) => params });
  Reflect.defineMetadata('design:paramtypes', [Object], ResourceApi.prototype, PIPED_METHOD);
  Reflect.defineMetadata(PIPED_METADATA, { [`${PARAM}:0`]: { index: 0, pipes: [] } }, type, PIPED_METHOD);
  return type;
}

/** What a method is handed. */
type Given = readonly [request: unknown, response: unknown, next: unknown, run: () => unknown];

/** Nest's `RouteParamtypes.PARAM`: what pipes are told is a `param`. */
const PARAM = 5;
