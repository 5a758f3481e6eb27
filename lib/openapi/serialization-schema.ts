import { type Components, SHARED } from './components.js';
import { arrayOf, type JsonSchema, objectOf } from './json-schema.js';

/** The metadata of values that JSON has no type for (specification, section 2, "Serialization of data types"). */
export function serializationSchema(components: Components): JsonSchema {
  return components.schema('Serialization', SHARED, () => ({
    ...objectOf(
      {
        values: {
          description: 'By the path of a value, its type, e.g. `["Date"]`; the type alone where all of the data is one value.',
          anyOf: [{ type: 'object', additionalProperties: arrayOf({}) }, arrayOf({})],
        },
        v: { type: 'integer', description: 'How paths escape dots: superjson 2.2 and later say 1.' },
      },
      ['values'],
    ),
    description: 'Types that JSON lacks, as superjson writes them. Clients that read fields by their known types may ignore it.',
  }));
}
