import { Injectable, SetMetadata, type Type, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import type { Registration } from '../options/registration.js';
import { BatchGuard } from './batch.guard.js';
import { STYLE_METADATA } from './operation-context.js';
import type { Endpoint, Style } from './style.js';
import type { ApiStyle } from '../options/api-style.js';

/** A style with its prefix, and the classes that Nest's enhancers receive for its endpoints. */
export interface StyledMount {
  readonly style: Style;
  readonly prefix: string;
  readonly entries: readonly EntryClass[];
}

/** The class that `getClass()` returns to guards and interceptors for some endpoints of a mount. */
export interface EntryClass {
  readonly type: Type<Entry>;
  readonly endpoints: readonly Endpoint[];
}

/**
 * One method for each endpoint, by its name. `getHandler()` returns it. Nest runs guards and interceptors around it. Its fourth argument,
 * after request, response and next, is the operation that it calls.
 */
export type Entry = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** The method and the metadata key that bind pipes to path parameters. */
export const PIPED_METHOD = 'params';
export const PIPED_METADATA = 'nestjs-resource-api:params';

/**
 * Creates the classes for the endpoints of a mount. Each class is a provider, with the guards and pipes of the module. Each mount has
 * separate classes, because Nest reads enhancers from the class.
 */
export function mountStyle(style: Style, prefix: string, registration: Registration): StyledMount {
  const entries = GUARDED.flatMap((guarded) => {
    const endpoints = style.endpoints.filter((endpoint) => endpoint.guarded === guarded);
    return endpoints.length === 0 ? [] : [{ type: entryClass(style.name, endpoints, registration), endpoints }];
  });
  return { style, prefix, entries };
}

/** The order of registration. The path of batches comes before the path with a `:model` parameter. */
const GUARDED: readonly Endpoint['guarded'][] = ['operation', 'request'];

/**
 * Creates a class with the interceptors of the module, so that Nest injects their dependencies and tests can override them. The request
 * pipeline runs them.
 */
export function interceptorsClass({ interceptors }: Registration): Type {
  @Injectable()
  class ModuleInterceptors {}
  UseInterceptors(...interceptors)(ModuleInterceptors);
  return ModuleInterceptors;
}

function entryClass(style: ApiStyle, endpoints: readonly Endpoint[], { guards, pipes }: Registration): Type<Entry> {
  @Injectable()
  class ResourceApi {
    /** Methods by endpoint name, defined on the prototype below. */
    readonly [name: string]: Entry[string];
  }
  const type: Type<Entry> = ResourceApi;
  for (const { name } of endpoints) {
    // A method with a computed name, so that `getHandler().name` is the name of the endpoint.
    const method = { [name]: (...[, , , run]: Given) => run() }[name];
    Object.defineProperty(type.prototype, name, { value: method });
  }
  SetMetadata(STYLE_METADATA, style)(type);
  // Nest binds request-scoped global guards and interceptors to providers with this metadata.
  SetMetadata('__entryProvider__', true)(type);
  UseGuards(...(endpoints.some(({ guarded }) => guarded === 'operation') ? [BatchGuard] : guards))(type);
  UsePipes(...pipes)(type);
  Object.defineProperty(type.prototype, PIPED_METHOD, { value: (params: unknown) => params });
  Reflect.defineMetadata('design:paramtypes', [Object], ResourceApi.prototype, PIPED_METHOD);
  Reflect.defineMetadata(PIPED_METADATA, { [`${PARAM}:0`]: { index: 0, pipes: [] } }, type, PIPED_METHOD);
  return type;
}

/** The arguments of a method. */
type Given = readonly [request: unknown, response: unknown, next: unknown, run: () => unknown];

/** Nest's `RouteParamtypes.PARAM`, which pipes receive as the type `param`. */
const PARAM = 5;
