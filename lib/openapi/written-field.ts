import type { Attribute } from '../model/surface/surface.js';
import type { RecordShape } from '../validation/record-shape.js';
import type { JsonSchema } from './json-schema.js';
import type { ValueSchemas } from './value-schemas.js';

/** A field as a body or an argument writes it: what its type takes, narrowed by what the host's validator says. */
export function writtenField(attribute: Attribute, values: ValueSchemas, { fields }: RecordShape): JsonSchema {
  const { documentation } = attribute;
  return {
    ...values.field(attribute, 'input'),
    ...(documentation !== undefined && { description: documentation }),
    ...fields.get(attribute.name),
  };
}

/** Whether a create must give the attribute itself: a foreign key may come as its relation. */
export function isRequired({ name, hasDefault, rights, foreignKeyOf }: Attribute, { required }: RecordShape): boolean {
  return rights.create && foreignKeyOf.length === 0 && (!hasDefault || required.has(name));
}
