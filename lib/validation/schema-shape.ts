import type { StandardSchema } from '../model/surface/body-validator.js';
import { isObject } from '../utils/is-object.js';
import { type RecordShape, UNKNOWN_SHAPE } from './record-shape.js';

/** What a Standard Schema with JSON Schema output (https://standardschema.dev/json-schema) takes; of any other nothing is known. */
export function schemaShape(schema: StandardSchema): RecordShape {
  const described = inputSchema(schema);
  const properties = described?.['properties'];
  if (!isObject(properties)) return UNKNOWN_SHAPE;
  const required: unknown = described?.['required'];
  return {
    fields: new Map(Object.entries(properties).map(([name, property]) => [name, keywordsOf(property)])),
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
  };
}

/** A library throws where its schema has no words in JSON Schema; documents then say what the model says. */
function inputSchema({ '~standard': standard }: StandardSchema): Readonly<Record<string, unknown>> | undefined {
  const converter: unknown = Reflect.get(standard, 'jsonSchema');
  const input: unknown = typeof converter === 'object' && converter !== null ? Reflect.get(converter, 'input') : undefined;
  if (typeof input !== 'function') return undefined;
  try {
    const schema: unknown = Reflect.apply(input, converter, [{ target: 'draft-2020-12' }]);
    return isObject(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

/** The type is the model's to say; a pattern of another dialect would be no pattern. */
const KEYWORDS = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'enum',
  'const',
  'minItems',
  'maxItems',
  'uniqueItems',
  'description',
] as const;

function keywordsOf(property: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(property)) return {};
  return Object.fromEntries(KEYWORDS.flatMap((keyword) => (property[keyword] === undefined ? [] : [[keyword, property[keyword]]])));
}
