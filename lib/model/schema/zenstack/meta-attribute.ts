import type { FieldPreset } from '../resource-schema.js';
import { literalOf } from './literal-of.js';
import type { ZenStackAttribute } from './zenstack-schema.js';

const PRESETS: ReadonlySet<unknown> = new Set<FieldPreset>(['hidden', 'readOnly', 'writeOnly', 'immutable']);

/**
 * The exposure that `@meta('api', …)` gives to a field.
 *
 * @throws when it is none that exists: a field would be open that was meant to be closed
 */
export function presetOf(attributes: readonly ZenStackAttribute[] = []): FieldPreset | undefined {
  const value = metaOf(attributes, '@meta');
  if (value === undefined || isPreset(value)) return value;
  throw new Error(`@meta('api', ${JSON.stringify(value)}) names no exposure: write 'hidden', 'readOnly', 'writeOnly' or 'immutable'.`);
}

/**
 * Whether `@@meta('api', 'hidden')` hides a model.
 *
 * @throws when it says anything else
 */
export function isHidden(attributes: readonly ZenStackAttribute[] = []): boolean {
  const value = metaOf(attributes, '@@meta');
  if (value === undefined || value === 'hidden') return value !== undefined;
  throw new Error(`@@meta('api', ${JSON.stringify(value)}) names no exposure of a model: write 'hidden'.`);
}

function metaOf(attributes: readonly ZenStackAttribute[], name: string): unknown {
  const metas = attributes.filter((attribute) => attribute.name === name);
  const found = metas.find((meta) => argumentOf(meta, 'name', 0) === 'api');
  return found && (argumentOf(found, 'value', 1) ?? null);
}

/** By its name, since `@meta(value: 'hidden', name: 'api')` says the same; by its place where it has none. */
function argumentOf({ args = [] }: ZenStackAttribute, name: string, place: number): unknown {
  return literalOf((args.find((arg) => arg.name === name) ?? args[place])?.value);
}

function isPreset(value: unknown): value is FieldPreset {
  return PRESETS.has(value);
}
