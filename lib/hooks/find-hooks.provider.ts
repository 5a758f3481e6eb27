import type { ModulesContainer } from '@nestjs/core';
import { ConfigurationError } from '../errors/configuration-error.js';
import { methodsOf, type ProviderClass, providerClasses } from '../platform/provider-classes.js';
import type { GivenHook } from './hook.js';
import { HOOKS_METADATA, marksOf } from './resource-hooks.decorator.js';

/**
 * The hooks of all providers of an application, each once. They are known before any provider is made.
 *
 * @throws ConfigurationError for hooks that nobody would call
 */
export function findHooks(modules: ModulesContainer): readonly GivenHook[] {
  return providerClasses(modules).flatMap(hooksOf);
}

function hooksOf({ type, owner }: ProviderClass): readonly GivenHook[] {
  const model: unknown = Reflect.getMetadata(HOOKS_METADATA, type);
  return methodsOf(type).flatMap(([name, method]) => {
    const marks = marksOf(method);
    const place = `${type.name}.${name}`;
    if (marks.length > 0 && typeof model !== 'string')
      throw new ConfigurationError(`${place} is a hook of no model.`, `Put @ResourceHooks('…') on ${type.name}.`);
    return marks.map((mark) => Object.freeze({ ...mark, model: String(model), place, name, owner }));
  });
}

/** The instances of classes with hooks that a factory has made, or that were given as values: they are not found. @throws ConfigurationError */
export function requireFound(modules: ModulesContainer): void {
  const found = new Set(providerClasses(modules).map(({ type }) => type));
  for (const { providers } of modules.values()) {
    for (const provider of providers.values()) {
      const instance: unknown = provider.instance;
      const type: unknown = typeof instance === 'object' && instance !== null ? instance.constructor : undefined;
      if (typeof type !== 'function' || found.has(type) || Reflect.getMetadata(HOOKS_METADATA, type) === undefined) continue;
      throw new ConfigurationError(
        `The hooks of ${type.name} are not found: it is provided as a value or by a factory.`,
        `Name the class itself: providers: [${type.name}].`,
      );
    }
  }
}
