import { isPrismaNull } from '../model/values/json-value.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { isFieldReference } from '../prisma/is-field-reference.js';

/**
 * Finds values that are invalid anywhere in a `where`: undefined, numbers that are not finite, and objects that are no values.
 *
 * @returns the problem of the first such member, e.g. `gave undefined at 'authorId'`; undefined if there is none
 */
export function problemOf(value: unknown, path: readonly string[] = []): string | undefined {
  if (path.length > MAX_DEPTH) return 'gave an object that is too deep.';
  const problem = problemHere(value, path.length === 0 ? '' : ` at '${path.join('.')}'`);
  if (problem !== undefined || !hasMembers(value)) return problem;
  for (const [key, member] of Object.entries(value)) {
    const inner = problemOf(member, [...path, key]);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const MAX_DEPTH = 100;

function hasMembers(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value);
}

function problemHere(value: unknown, place: string): string | undefined {
  if (isNothing(value)) return `gave ${describeValue(value)}${place}, which Prisma takes for no condition at all.`;
  if (typeof value === 'function' || typeof value === 'symbol') return `gave ${describeValue(value)}${place}.`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `gave ${value}${place}, which Prisma takes for null.`;
  if (typeof value !== 'object' || value === null || hasMembers(value) || isValue(value)) return undefined;
  return `gave an instance of ${classOf(value)}${place}, which is no value of a field.`;
}

/** Whether a value is `undefined` or `Prisma.skip`. */
function isNothing(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && typeof Reflect.get(value, 'ifUndefined') === 'function');
}

/** Whether an object is a value: a date, bytes, a Decimal, a null of Prisma, or a field reference. Other realms and Decimal libraries count, too. */
function isValue(value: object): boolean {
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Date]') return !Number.isNaN(Number(value));
  if (ArrayBuffer.isView(value)) return true;
  if (typeof Reflect.get(value, 'toFixed') === 'function' && tag !== '[object Number]') return isFiniteDecimal(value);
  return isPrismaNull(value) || isFieldReference(value);
}

function isFiniteDecimal(value: object): boolean {
  const isFinite: unknown = Reflect.get(value, 'isFinite');
  return typeof isFinite !== 'function' || Reflect.apply(isFinite, value, []) === true;
}

function classOf(value: object): string {
  const { constructor } = value;
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'a class';
}

/** Describes a value for a message. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return isNothing(value) ? 'Prisma.skip' : `a ${typeof value}`;
}
