import type { StandardIssue, StandardSchema } from '../model/surface/body-validator.js';
import { isObject } from '../utils/is-object.js';
import { type Fault, type RecordCheck, type RecordShape, type RecordValues, UNKNOWN_SHAPE, type Verdict } from './record-check.js';

/**
 * Checks records by a Standard Schema (zod, valibot, arktype, …). What the schema makes of the values is what will be written: its
 * transformations and defaults count.
 *
 * A given field that is absent from the schema's output is a fault: most libraries drop what an object schema does not name, and what a
 * client sends is never dropped silently. `undefined` in its place is the schema's own wish, and leaves the field out.
 */
export function schemaCheck(schema: StandardSchema): RecordCheck {
  const { validate } = schema['~standard'];
  return {
    check: (given) => {
      const result = validate(given);
      return result instanceof Promise ? result.then((settled) => verdictOf(settled, given)) : verdictOf(result, given);
    },
    shape: () => schemaShape(schema),
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

/** What a Standard Schema with JSON Schema output (https://standardschema.dev/json-schema) takes; of any other nothing is known. */
function schemaShape(schema: StandardSchema): RecordShape {
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
