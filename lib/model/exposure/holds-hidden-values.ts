import type { ExposedModel } from './exposed-model.js';
import { statedRights } from './field-rights.js';
import { ownOption } from './own-option.js';
import type { RightsSheet } from './rights-sheet.js';

/** The exposed models, and what is open of their fields. */
interface Models {
  readonly models: ReadonlyMap<string, ExposedModel>;
  readonly sheet: RightsSheet;
}

interface FieldOf {
  readonly model: ExposedModel;
  readonly name: string;
}

/**
 * Whether a field is a foreign key to nothing but fields that the API does not show: its values are theirs (an internal id behind an
 * `externalId`). The relation still works, by an identifier that is open.
 */
export function holdsHiddenValues(field: FieldOf, all: Models): boolean {
  return holdsThem(field, all, []);
}

/** Keys may refer to keys, as where a profile's id is its user's; one that leads back to itself shows no more than it does. */
function holdsThem({ model, name }: FieldOf, all: Models, path: readonly string[]): boolean {
  const place = `${model.model}.${name}`;
  const references = path.includes(place) ? [] : referencesOf({ model, name }, all);
  return references.length > 0 && references.every((reference) => isHidden(reference, all, [...path, place]));
}

/** A key that the host lets be read by its name hides nothing. */
function isHidden(field: FieldOf, all: Models, path: readonly string[]): boolean {
  const { model, name } = field;
  if (all.sheet.get(model.model)?.get(name)?.read !== true) return true;
  return statedRights(ownOption(model.options.fields, name)).read !== true && holdsThem(field, all, path);
}

/** What a field refers to in exposed models, by the foreign keys that it is part of. */
function referencesOf({ model, name }: FieldOf, { models }: Models): readonly FieldOf[] {
  return Object.values(model.schema.fields).flatMap((field) => {
    if (field.kind !== 'relation' || !field.foreignKey) return [];
    const { fields, references } = field.foreignKey;
    const reference = references[fields.indexOf(name)];
    const target = models.get(field.type);
    return reference !== undefined && target ? [{ name: reference, model: target }] : [];
  });
}
