import type { Resource } from '../../model/surface/surface.js';
import { exampleId } from '../examples.js';
import type { JsonSchema } from '../json-schema.js';
import type { Parameter } from '../open-api.js';

/** The id in a path, in parts where its key has several fields. */
export function idParameter({ identifier }: Resource, schema: JsonSchema, divider: string): Parameter {
  const { fields } = identifier;
  return {
    name: 'id',
    in: 'path',
    required: true,
    ...(fields.length > 1 && { description: fields.map(({ member }) => member).join(divider) }),
    schema,
    examples: { id: { value: exampleId(identifier, divider) } },
  };
}
