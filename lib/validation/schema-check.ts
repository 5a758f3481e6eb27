import type { StandardIssue, StandardSchema } from '../model/surface/body-validator.js';
import type { Fault, RecordCheck, RecordValues, Verdict } from './record-check.js';
import { schemaShape } from './schema-shape.js';

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
