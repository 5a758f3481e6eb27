import type { StoredField } from '../model/storage/storage.js';
import type { JsonOperator } from '../model/surface/prisma-operators.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/**
 * Prints a value of a field, or a list of values, so that Prisma's client stores it unchanged.
 *
 * Prisma 7 rounds numbers to 16 digits if they are a Json value themselves, or an element of a list of Json or floats. Other floats with many digits
 * may lose their last bit. Prisma also drops the key `__proto__` of Json, and stores the texts `DbNull` and `JsonNull` as nulls.
 *
 * A list is copied, because requests share the plans of reads, and an extension of the client may change its arguments.
 *
 * Such a value gets a `toJSON` that returns it in Prisma's JSON protocol, which preserves it. `toJSON` is enumerable: Prisma copies the arguments for
 * each query extension, and only copies enumerable properties.
 */
export function printExact(value: unknown, { type, list, needsExactForm }: StoredField): unknown {
  if (!needsExactForm) return Array.isArray(value) ? value.slice() : value;
  if (type === 'Float') return Array.isArray(value) ? value.map(printFloat) : printFloat(value);
  if (!list) return printJson(value, false);
  return Array.isArray(value) ? value.map((element) => printJson(element, true)) : printJson(value, true);
}

/** Prints the operand of a filter on a Json value or on a part of it. */
export function printJsonOperand(operator: JsonOperator, operand: unknown, { needsExactForm }: StoredField): unknown {
  if (!needsExactForm) return operand;
  if (!ORDERS.has(operator)) return printJson(operand, false);
  return isRounded(operand) ? withProtocol(new Number(operand), { $type: 'Raw', value: operand }) : operand;
}

/** Operators whose operand must be a number or a text. Prisma's engine panics if it is the text of a Json value. */
const ORDERS: ReadonlySet<JsonOperator> = new Set(['lt', 'lte', 'gt', 'gte']);

function printFloat(value: unknown): unknown {
  return isRounded(value) ? withProtocol(new Number(value), { $type: 'Decimal', value: String(value) }) : value;
}

function printJson(value: unknown, isElement: boolean): unknown {
  if (isRounded(value)) return withText(new Number(value), value);
  if (typeof value === 'string') return NULLS.has(value) ? withText(new String(value), value) : value;
  return isContainer(value) && isDamaged(value, isElement) ? withMembers(value) : value;
}

/** Texts that Prisma reads as its nulls. */
const NULLS: ReadonlySet<string> = new Set(['DbNull', 'JsonNull', 'AnyNull']);

/** Whether a value is a number that Prisma may round: one with more than 15 digits, or a very small or large one. */
function isRounded(value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value === 0) return false;
  const size = Math.abs(value);
  return size < 1e-7 || size >= 1e21 || Number(value.toPrecision(15)) !== value;
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value);
}

function isDamaged(container: object, hasRoundedNumbers: boolean): boolean {
  if (Object.hasOwn(container, '__proto__')) return true;
  return Object.values(container).some((member: unknown) => {
    return isContainer(member) ? isDamaged(member, hasRoundedNumbers) : hasRoundedNumbers && isRounded(member);
  });
}

/** Copies a list to an object that only inherits from `Array`, because Prisma does not call `toJSON` of an array. */
function arrayLike(list: readonly unknown[]): object {
  return Object.assign(Object.create(Array.prototype, { length: { value: list.length } }) as object, list);
}

/** Copies an object or a list. Its `toJSON` prints the members that the copy has by then, because a query extension may have changed them. */
function withMembers(value: object): object {
  const own: unknown = Object.hasOwn(value, 'toJSON') ? Reflect.get(value, 'toJSON') : undefined;
  function toJSON(this: object): object {
    const members = Array.isArray(value) ? Object.values(this).filter((member) => member !== toJSON) : { ...this, toJSON: own };
    return { $type: 'Json', value: JSON.stringify(members) };
  }
  return Object.assign(Array.isArray(value) ? arrayLike(value) : { ...value }, { toJSON });
}

function withText(copy: object, value: unknown): object {
  return withProtocol(copy, { $type: 'Json', value: JSON.stringify(value) });
}

/** Adds a `toJSON` to a copy. Prisma's client sends its result to the engine unchanged. */
function withProtocol(copy: object, message: object): object {
  return Object.assign(copy, { toJSON: () => message });
}
