import type { ModulesContainer } from '@nestjs/core';
import { memberOf } from '../errors/member-of.js';

/** The class of a provider. */
export interface ProviderClass {
  readonly type: NamedClass;
  /** The provider, once there is one; undefined where one is made for each request. */
  readonly owner: () => unknown;
}

interface NamedClass {
  readonly name: string;
  readonly prototype?: unknown;
}

/** The classes of all providers of an application, each once. They are known before any provider is made. */
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

/** The methods of a class, those that it inherits among them. */
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

/** Calls a method of a provider. @throws TypeError where it has none of the name */
export function callMethod(provider: unknown, name: string, given: object): unknown {
  const method = memberOf(provider, name);
  if (typeof method !== 'function') throw new TypeError(`A provider has lost its method '${name}'.`);
  return Reflect.apply(method, provider, [given]);
}
