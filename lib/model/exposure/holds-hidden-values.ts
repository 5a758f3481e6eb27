import type { ExposedModel } from './exposed-model.js';
import { statedRights } from './field-rights.js';
import { ownOption } from './own-option.js';
import type { RightsSheet } from './rights-sheet.js';

/** The exposed models, with the rights of their fields. */
interface Models {
  readonly models: ReadonlyMap<string, ExposedModel>;
  readonly sheet: RightsSheet;
}

interface FieldOf {
  readonly model: ExposedModel;
  readonly name: string;
}

/**
 * Whether a field is a foreign key that references only hidden fields, e.g. an internal id behind an `externalId`. Because its values are
 * those of hidden fields, it may not be read. The relation can still be used, by the exposed id.
 */
export function holdsHiddenValues(field: FieldOf, all: Models): boolean {
  return holdsThem(field, all, []);
}

/** Follows references from key to key, as where a profile's id is the id of its user. A reference back to the same key is ignored. */
function holdsThem({ model, name }: FieldOf, all: Models, path: readonly string[]): boolean {
  const place = `${model.model}.${name}`;
  const references = path.includes(place) ? [] : referencesOf({ model, name }, all);
  return references.length > 0 && references.every((reference) => isHidden(reference, all, [...path, place]));
}

/** Whether a field is hidden, or is a key to hidden fields. A key that the option `resources` explicitly makes readable is not. */
function isHidden(field: FieldOf, all: Models, path: readonly string[]): boolean {
  const { model, name } = field;
  if (all.sheet.get(model.model)?.get(name)?.read !== true) return true;
  return statedRights(ownOption(model.options.fields, name)).read !== true && holdsThem(field, all, path);
}

/** Returns the fields of exposed models that a field references, by all foreign keys that contain it. */
function referencesOf({ model, name }: FieldOf, { models }: Models): readonly FieldOf[] {
  return Object.values(model.schema.fields).flatMap((field) => {
    if (field.kind !== 'relation' || !field.foreignKey) return [];
    const { fields, references } = field.foreignKey;
    const reference = references[fields.indexOf(name)];
    const target = models.get(field.type);
    return reference !== undefined && target ? [{ name: reference, model: target }] : [];
  });
}
