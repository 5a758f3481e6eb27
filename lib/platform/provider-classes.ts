import type { ModulesContainer } from '@nestjs/core';
import { memberOf } from '../errors/member-of.js';

/** The class of a provider of the application. */
export interface ProviderClass {
  readonly type: NamedClass;
  /** Returns the instance of the provider, once Nest has created it; undefined if the provider is request-scoped. */
  readonly owner: () => unknown;
}

interface NamedClass {
  readonly name: string;
  readonly prototype?: unknown;
}

/** Returns the classes of all providers of an application, each once. They are available before Nest creates the providers. */
export function providerClasses(modules: ModulesContainer): readonly ProviderClass[] {
  const found = new Map<object, ProviderClass>();
  for (const { providers } of modules.values()) {
    for (const provider of providers.values()) {
      const { metatype: type } = provider;
      if (typeof type !== 'function' || found.has(type)) continue;
      found.set(type, { type, owner: () => (provider.isDependencyTreeStatic() ? provider.instance : undefined) });
    }
  }
  return [...found.values()];
}

/** Returns the methods of a class, including inherited ones. */
export function methodsOf({ prototype }: NamedClass): readonly (readonly [name: string, method: CallableFunction])[] {
  const methods = new Map<string, CallableFunction>();
  for (
    let owner = prototype;
    typeof owner === 'object' && owner !== null && owner !== Object.prototype;
    owner = Object.getPrototypeOf(owner)
  ) {
    for (const [name, { value }] of Object.entries<{ readonly value?: unknown }>(Object.getOwnPropertyDescriptors(owner)))
      if (typeof value === 'function' && !methods.has(name)) methods.set(name, value);
  }
  return [...methods];
}

/** Calls a method of a provider. @throws TypeError if the provider has no such method */
export function callMethod(provider: unknown, name: string, given: object): unknown {
  const method = memberOf(provider, name);
  if (typeof method !== 'function') throw new TypeError(`A provider has lost its method '${name}'.`);
  return Reflect.apply(method, provider, [given]);
}
