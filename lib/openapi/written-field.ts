import type { Attribute } from '../model/surface/surface.js';
import type { RecordShape } from '../validation/record-shape.js';
import type { JsonSchema } from './json-schema.js';
import type { ValueSchemas } from './value-schemas.js';

/** The schema of a field in a request: that of its type, narrowed by the host's validator. */
export function writtenField(attribute: Attribute, values: ValueSchemas, { fields }: RecordShape): JsonSchema {
  const { documentation } = attribute;
  return {
    ...values.field(attribute, 'input'),
    ...(documentation !== undefined && { description: documentation }),
    ...fields.get(attribute.name),
  };
}

/** Whether a create requires the attribute itself. A foreign key may be given as its relation. */
export function isRequired({ name, hasDefault, rights, foreignKeyOf }: Attribute, { required }: RecordShape): boolean {
  return rights.create && foreignKeyOf.length === 0 && (!hasDefault || required.has(name));
}
