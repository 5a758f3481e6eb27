import type { StoredField } from '../model/storage/storage.js';
import type { JsonOperator } from '../model/surface/prisma-operators.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/**
 * Prints a value of a Json field for Prisma's client.
 *
 * Prisma 7 rounds a number to 16 digits where it is the value itself or within a list of Json, drops the key `__proto__`, and stores the texts
 * `DbNull` and `JsonNull` as nulls. Such a value gets a `toJSON` that returns its text in Prisma's JSON protocol, which keeps all of it. It still
 * behaves as a number, a text, an object or a list in the query extensions of the application.
 */
export function printJson(value: unknown, { type, list, keepsJsonText }: StoredField): unknown {
  if (type !== 'Json' || !keepsJsonText) return value;
  if (!list) return printOne(value, false);
  return Array.isArray(value) ? value.map((element) => printOne(element, true)) : printOne(value, true);
}

/** Prints the operand of a filter on a Json value or on a part of it. */
export function printJsonOperand(operator: JsonOperator, operand: unknown, { keepsJsonText }: StoredField): unknown {
  if (!keepsJsonText) return operand;
  if (!ORDERS.has(operator)) return printOne(operand, false);
  return typeof operand === 'number' && isRounded(operand) ? withProtocol(new Number(operand), { $type: 'Raw', value: operand }) : operand;
}

/** Operators whose operand is a number or a text to Prisma's engine, which panics at the text of a Json value. */
const ORDERS: ReadonlySet<JsonOperator> = new Set(['lt', 'lte', 'gt', 'gte']);

function printOne(value: unknown, isElement: boolean): unknown {
  if (typeof value === 'number') return isRounded(value) ? withText(new Number(value), value) : value;
  if (typeof value === 'string') return NULLS.has(value) ? withText(new String(value), value) : value;
  if (!isContainer(value) || !isDamaged(value, isElement)) return value;
  return withText(Array.isArray(value) ? arrayLike(value) : { ...value }, value);
}

/** Texts that Prisma takes for its nulls. */
const NULLS: ReadonlySet<string> = new Set(['DbNull', 'JsonNull', 'AnyNull']);

/** Whether 16 digits may not hold a number. */
function isRounded(value: number): boolean {
  return !Number.isInteger(value) || Math.abs(value) >= 1e15;
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value);
}

function isDamaged(container: object, hasRoundedNumbers: boolean): boolean {
  if (Object.hasOwn(container, '__proto__')) return true;
  return Object.values(container).some((member: unknown) => {
    if (typeof member === 'number') return hasRoundedNumbers && isRounded(member);
    return isContainer(member) && isDamaged(member, hasRoundedNumbers);
  });
}

/** Copies a list without making an array: Prisma calls no `toJSON` of one. */
function arrayLike(list: readonly unknown[]): object {
  return Object.assign(Object.create(Array.prototype, { length: { value: list.length } }) as object, list);
}

function withText(copy: object, value: unknown): object {
  return withProtocol(copy, { $type: 'Json', value: JSON.stringify(value) });
}

/** Prisma's client sends what `toJSON` returns to its engine as it is. */
function withProtocol(copy: object, message: object): object {
  return Object.defineProperty(copy, 'toJSON', { value: () => message });
}
