import type { StandardIssue, StandardSchema } from '../model/surface/body-validator.js';
import { isObject } from '../utils/is-object.js';
import { type Fault, type RecordCheck, type RecordShape, type RecordValues, UNKNOWN_SHAPE, type Verdict } from './record-check.js';

/**
 * Returns a check by a Standard Schema (zod, valibot, arktype, …). The output of the schema is written, with its transformations and defaults.
 *
 * A field of the client that is missing from the output is a fault. Most libraries drop fields that an object schema does not name, but this package
 * never drops input silently. A field is left out only if the output has it with the value `undefined`.
 *
 * @param hasTypes whether the shape has the types of members. Those of a record's fields are defined by the model
 */
export function schemaCheck(schema: StandardSchema, { hasTypes } = { hasTypes: false }): RecordCheck {
  const { validate } = schema['~standard'];
  return {
    check: (given) => {
      const result = validate(given);
      return result instanceof Promise ? result.then((settled) => verdictOf(settled, given)) : verdictOf(result, given);
    },
    shape: () => schemaShape(schema, hasTypes ? [...KEYWORDS, 'type'] : KEYWORDS),
  };
}

type Result = Awaited<ReturnType<StandardSchema['~standard']['validate']>>;

function verdictOf(result: Result, given: RecordValues): Verdict {
  if (result.issues) return { faults: result.issues.map(toFault) };
  const { value } = result;
  if (typeof value !== 'object' || value === null) throw new TypeError('A validator of a body must give an object.');
  const dropped = Object.keys(given).filter((name) => !Object.hasOwn(value, name));
  if (dropped.length > 0) return { faults: dropped.map((name) => ({ path: [name], message: 'This field is not accepted here.' })) };
  return { values: value as RecordValues };
}

function toFault({ message, path = [] }: StandardIssue): Fault {
  return { message, path: path.map((segment) => toKey(typeof segment === 'object' ? segment.key : segment)) };
}

function toKey(key: PropertyKey): string | number {
  return typeof key === 'symbol' ? String(key) : key;
}

/**
 * Returns the shape of the input of a schema that supports JSON Schema (https://standardschema.dev/json-schema); {@link UNKNOWN_SHAPE} for any other.
 */
function schemaShape(schema: StandardSchema, keywords: readonly string[]): RecordShape {
  const described = inputSchema(schema);
  const properties = described?.['properties'];
  if (!isObject(properties)) return UNKNOWN_SHAPE;
  const required: unknown = described?.['required'];
  return {
    fields: new Map(Object.entries(properties).map(([name, property]) => [name, keywordsOf(property, keywords)])),
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
  };
}

/**
 * Returns the JSON Schema of the input of a schema; undefined without one. A library throws if JSON Schema cannot express its schema. The OpenAPI
 * document then describes the model alone.
 */
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

/**
 * The keywords that the OpenAPI document takes from a schema. `type` is not among them, because the model defines that of a field. A `pattern` must be
 * in the dialect of JSON Schema.
 */
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

function keywordsOf(property: unknown, keywords: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isObject(property)) return {};
  return Object.fromEntries(keywords.flatMap((keyword) => (property[keyword] === undefined ? [] : [[keyword, property[keyword]]])));
}
