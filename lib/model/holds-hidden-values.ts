import { type Exposure } from './exposure.js';
import { isOpen } from './field-rights.js';
import { ownOption } from './own-option.js';

/** All exposed models, with the rights of each by itself. */
type Exposures = ReadonlyMap<string, Exposure>;

interface FieldOf {
  readonly name: string;
  readonly exposure: Exposure;
}

/**
 * Whether a field is a foreign key to nothing but fields that the API hides: its values are theirs (an internal id behind an `externalId`).
 * The relation still works, by an identifier that is open. Naming the key in `resources` opens it all the same.
 */
export function holdsHiddenValues({ name, exposure }: FieldOf, exposures: Exposures): boolean {
  if (ownOption(exposure.options.fields, name) !== undefined) return false;
  const references = referencesOf({ name, exposure }, exposures);
  return references.length > 0 && references.every((reference) => isHidden(reference, exposures));
}

/** Keys may refer to keys, as where a profile's id is its user's; in a circle of them each is judged by itself. */
function isHidden({ name, exposure }: FieldOf, exposures: Exposures): boolean {
  const rights = exposure.rights.get(name);
  if (!rights || !isOpen(rights)) return true;
  const others = new Map([...exposures].filter(([model]) => model !== exposure.model));
  return holdsHiddenValues({ name, exposure }, others);
}

/** What a field refers to in exposed models, by the foreign keys that it is part of. */
function referencesOf({ name, exposure }: FieldOf, exposures: Exposures): readonly FieldOf[] {
  return Object.values(exposure.schema.fields).flatMap((field) => {
    if (field.kind !== 'relation' || !field.foreignKey) return [];
    const { fields, references } = field.foreignKey;
    const reference = references[fields.indexOf(name)];
    const target = exposures.get(field.type);
    return reference !== undefined && target ? [{ name: reference, exposure: target }] : [];
  });
}
