import { type Exposure } from './exposure.js';
import { ownOption } from './own-option.js';

/** All exposed models, with the rights of each by itself. */
type Exposures = ReadonlyMap<string, Exposure>;

interface FieldOf {
  readonly name: string;
  readonly exposure: Exposure;
}

/**
 * Whether a field is a foreign key to nothing but fields that the API does not show: its values are theirs (an internal id behind an
 * `externalId`). The relation still works, by an identifier that is open. Naming the key in `resources` opens it all the same.
 */
export function holdsHiddenValues(field: FieldOf, exposures: Exposures): boolean {
  return holdsThem(field, exposures, []);
}

/** Keys may refer to keys, as where a profile's id is its user's; one that leads back to itself shows no more than it does. */
function holdsThem(field: FieldOf, exposures: Exposures, path: readonly string[]): boolean {
  const { name, exposure } = field;
  const place = `${exposure.model}.${name}`;
  if (path.includes(place) || ownOption(exposure.options.fields, name) !== undefined) return false;
  const references = referencesOf(field, exposures);
  return (
    references.length > 0 && references.every((reference) => isUnreadable(reference) || holdsThem(reference, exposures, [...path, place]))
  );
}

function isUnreadable({ name, exposure }: FieldOf): boolean {
  return exposure.rights.get(name)?.read !== true;
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
