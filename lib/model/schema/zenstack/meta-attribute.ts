import type { FieldPreset } from '../resource-schema.js';
import { literalOf } from './literal-of.js';
import type { ZenStackAttribute } from './zenstack-schema.js';

const PRESETS: ReadonlySet<unknown> = new Set<FieldPreset>(['hidden', 'readOnly', 'writeOnly', 'immutable']);

/**
 * Returns the exposure of a field from `@meta('api', …)`.
 *
 * @throws for an unknown value, because the field would be exposed unintentionally
 */
export function presetOf(attributes: readonly ZenStackAttribute[] = []): FieldPreset | undefined {
  const value = metaOf(attributes, '@meta');
  if (value === undefined || isPreset(value)) return value;
  throw new Error(`@meta('api', ${JSON.stringify(value)}) names no exposure: write 'hidden', 'readOnly', 'writeOnly' or 'immutable'.`);
}

/**
 * Whether `@@meta('api', 'hidden')` hides a model.
 *
 * @throws for any other value
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

/** Returns an argument by its name, or else by its position. `@meta(value: 'hidden', name: 'api')` is equivalent to positional arguments. */
function argumentOf({ args = [] }: ZenStackAttribute, name: string, place: number): unknown {
  return literalOf((args.find((arg) => arg.name === name) ?? args[place])?.value);
}

function isPreset(value: unknown): value is FieldPreset {
  return PRESETS.has(value);
}
