import type { Attribute, ResourceVersion } from '../surface/surface.js';
import type { Exposure } from './exposure.js';

/** What tags of a resource's rows are made of: its version, or what is shown of it; nothing where it has no tags. */
export function shownVersion(
  { version, options: { concurrency }, rights: all }: Pick<Exposure, 'version' | 'options' | 'rights'>,
  attributes: Iterable<Attribute>,
): { readonly version?: ResourceVersion } {
  const isRequired = concurrency === 'required';
  if (version !== undefined) return { version: Object.freeze({ field: version, isRequired }) };
  if (concurrency === undefined) return {};
  const isShown = ({ rights, foreignKeyOf }: Attribute): boolean =>
    rights.read || foreignKeyOf.some((name) => all.get(name)?.read === true);
  const shown = [...attributes].filter((attribute) => !attribute.computed && isShown(attribute));
  return { version: Object.freeze({ hashed: Object.freeze(shown.map(({ name, type }) => Object.freeze({ name, type }))), isRequired }) };
}

/** The fields that count the changes of rows, by model. */
export function versionsOf(exposures: ReadonlyMap<string, Pick<Exposure, 'version'>>): ReadonlyMap<string, string> {
  return new Map([...exposures].flatMap(([model, { version }]) => (version === undefined ? [] : [[model, version] as const])));
}
