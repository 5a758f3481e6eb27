import type { Attribute, ResourceVersion } from '../surface/surface.js';
import type { Exposure } from './exposure.js';

/** What tags of a resource's rows are made of: its version, or what is shown of it; nothing where it has no tags. */
export function shownVersion(
  { version, options: { concurrency } }: Pick<Exposure, 'version' | 'options'>,
  attributes: Iterable<Attribute>,
): { readonly version?: ResourceVersion } {
  const isRequired = concurrency === 'required';
  if (version !== undefined) return { version: Object.freeze({ field: version, isRequired }) };
  if (concurrency === undefined) return {};
  const shown = [...attributes].filter(({ computed, rights, foreignKeyOf }) => !computed && (rights.read || foreignKeyOf.length > 0));
  return { version: Object.freeze({ hashed: Object.freeze(shown.map(({ name, type }) => Object.freeze({ name, type }))), isRequired }) };
}

/** The fields that count the changes of rows, by model. */
export function versionsOf(exposures: ReadonlyMap<string, Pick<Exposure, 'version'>>): ReadonlyMap<string, string> {
  return new Map([...exposures].flatMap(([model, { version }]) => (version === undefined ? [] : [[model, version] as const])));
}
