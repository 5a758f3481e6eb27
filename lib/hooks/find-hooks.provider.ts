import type { ModulesContainer } from '@nestjs/core';
import { ConfigurationError } from '../errors/configuration-error.js';
import { methodsOf, type ProviderClass, providerClasses } from '../platform/provider-classes.js';
import type { HookMethod } from './hook.js';
import { HOOKS_METADATA, marksOf } from './resource-hooks.decorator.js';

/**
 * Collects the hooks of all provider classes of an application, each once. It reads class metadata, so it runs before Nest instantiates the
 * providers.
 *
 * @throws ConfigurationError for a hook on a class without `@ResourceHooks`, which would never be called
 */
export function findHooks(modules: ModulesContainer): readonly HookMethod[] {
  return providerClasses(modules).flatMap(hooksOf);
}

function hooksOf({ type, owner }: ProviderClass): readonly HookMethod[] {
  const model: unknown = Reflect.getMetadata(HOOKS_METADATA, type);
  return methodsOf(type).flatMap(([name, method]) => {
    const marks = marksOf(method);
    const place = `${type.name}.${name}`;
    if (marks.length > 0 && typeof model !== 'string')
      throw new ConfigurationError(`${place} is a hook of no model.`, `Put @ResourceHooks('…') on ${type.name}.`);
    return marks.map((mark) => Object.freeze({ ...mark, model: String(model), place, name, owner }));
  });
}

/**
 * Rejects instances of classes with hooks that are provided by a factory or as a value, because {@link findHooks} reads provider classes only.
 *
 * @throws ConfigurationError
 */
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
