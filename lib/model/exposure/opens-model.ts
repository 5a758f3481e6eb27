import type { ResourceSchema, SchemaModel } from '../schema/resource-schema.js';
import { ownOption } from './own-option.js';
import type { ResolvedOptions } from './exposed-model.js';
import type { SettledResources } from './resources-option.js';

/**
 * Returns the options of an exposed model; undefined for a hidden one. An object exposes a model that a comment or `'*'` hides, unless it
 * contains only `fields` and `softDelete`, which restrict and do not expose.
 */
export function exposedOptions(model: string, definition: SchemaModel, resources: SettledResources): ResolvedOptions | undefined {
  const options = ownOption(resources, model);
  if (options === 'hidden') return undefined;
  if (!isClosed(definition, resources)) return options ?? {};
  return options !== undefined && opensModel(options) ? options : undefined;
}

/** Returns a warning for each model that stays hidden although it has options. */
export function warnOfUnopened({ models }: ResourceSchema, resources: SettledResources): readonly string[] {
  const unopened = Object.entries(models).filter(([model, definition]) => {
    const options = ownOption(resources, model);
    if (options === undefined || options === 'hidden' || options.softDelete !== undefined) return false;
    return exposedOptions(model, definition, resources) === undefined;
  });
  return unopened.map(([model]) => {
    const why = `resources.${model} has 'fields' alone, which opens no model: '${model}' stays hidden.`;
    return `${why} To open it, add actions: ['read', 'create', 'update', 'delete'], or some of them.`;
  });
}

function isClosed({ api }: SchemaModel, resources: SettledResources): boolean {
  return resources['*'] === 'hidden' || api?.hidden === true;
}

function opensModel(options: ResolvedOptions): boolean {
  const names = Object.entries(options).flatMap(([name, value]: readonly [string, unknown]) => (value === undefined ? [] : [name]));
  return names.length === 0 || names.some((name) => name !== 'fields' && name !== 'softDelete');
}
