import { type ModulesContainer, Reflector } from '@nestjs/core';
import { methodsOf, type ProviderClass, providerClasses } from '../platform/provider-classes.js';
import type { ActionMethod, ResourceActionOptions } from './action.js';
import { ACTION_METADATA, MODEL_METADATA } from './resource-actions.decorator.js';

/**
 * Collects the actions of all provider classes of an application, each once. It reads class metadata, so it runs before Nest instantiates the
 * providers.
 */
export function findActions(modules: ModulesContainer): readonly ActionMethod[] {
  return providerClasses(modules).flatMap((provider) => {
    const model: unknown = Reflect.getMetadata(MODEL_METADATA, provider.type);
    return typeof model === 'string' ? collectActions(provider, model) : [];
  });
}

function collectActions({ type, owner }: ProviderClass, model: string): readonly ActionMethod[] {
  return methodsOf(type).flatMap(([name, method]) => {
    const options = new Reflector().get<ResourceActionOptions | undefined>(ACTION_METADATA, method);
    if (!options) return [];
    const { on = 'record', right = 'update', ...others } = options;
    return [Object.freeze({ model, name, on, right, place: `${type.name}.${name}`, owner, ...others })];
  });
}
