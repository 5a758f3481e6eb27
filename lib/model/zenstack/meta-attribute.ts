import { type FieldPreset } from '../resource-schema.js';
import { literalOf } from './literal-of.js';
import { type ZenStackAttribute } from './zenstack-schema.js';

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
  const values = attributes.filter((attribute) => attribute.name === name).map(({ args = [] }) => args.map((arg) => literalOf(arg.value)));
  const found = values.find(([key]) => key === 'api');
  return found && (found[1] ?? null);
}

function isPreset(value: unknown): value is FieldPreset {
  return PRESETS.has(value);
}
