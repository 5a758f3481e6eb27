import { givenEntries } from '../../model/given-entries.js';
import type { Attribute } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { isNumeric } from './aggregates.js';
import { readElement, readNewValue, readValue, readValues } from './read-operand.js';
import type { ArgumentPath } from './argument-path.js';
import { oneOrMany, readObject } from './typed-slots.js';

/** Plans the value of a field in a new record: a value, and for a list also `{ set: […] }`. */
export function planCreateValue(attribute: Attribute, value: unknown, path: ArgumentPath): unknown {
  if (isJsonValue(attribute)) path.spendValues(value);
  if (!attribute.list) return readNewValue(attribute, value, path);
  return isPlainObject(value) ? planWrite(attribute, value, { path, writes: LIST_CREATES }) : readNewValues(attribute, value, path);
}

/** Plans a field's change: a new value, or one operation on the present one (`{ increment: 1 }`, `{ push: 'a' }`). */
export function planUpdateValue(attribute: Attribute, value: unknown, path: ArgumentPath): unknown {
  // An object is itself a value of a Json field, so Prisma has no operations there.
  if (!isPlainObject(value) || isJsonValue(attribute)) return planCreateValue(attribute, value, path);
  return planWrite(attribute, value, { path, writes: writesOf(attribute) });
}

function isJsonValue({ type, list }: Attribute): boolean {
  return type === 'Json' && !list;
}

type Write = (attribute: Attribute, operand: unknown, path: ArgumentPath) => unknown;

interface Writing {
  readonly path: ArgumentPath;
  readonly writes: ReadonlyMap<string, Write>;
}

function planWrite(attribute: Attribute, value: unknown, { path, writes }: Writing): Record<string, unknown> {
  const entries = givenEntries(readObject(value, path));
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) return path.refuse(`takes exactly one of ${[...writes.keys()].join(', ')}.`);
  const [key, operand] = entry;
  const place = path.member(key);
  const plan = writes.get(key) ?? place.refuseUnknown(writes.keys());
  return { [key]: plan(attribute, operand, place) };
}

/** The operations on the present value of a field. */
export function writesOf(attribute: Attribute): ReadonlyMap<string, Write> {
  if (attribute.list) return LIST_WRITES;
  // What a key refers to has to be there: its new value must be known before it is written.
  return isNumeric(attribute) && attribute.foreignKeyOf.length === 0 ? NUMBER_WRITES : SCALAR_WRITES;
}

const readNewValues: Write = (attribute, operand, path) => {
  path.spendValues(operand);
  return readValues(attribute, operand, path);
};

const push: Write = (attribute, operand, path) => {
  path.spendValues(operand);
  return oneOrMany(operand, path, (element, place) => readElement(attribute, element, place));
};

const LIST_CREATES: ReadonlyMap<string, Write> = new Map<string, Write>([['set', readNewValues]]);

/** The operations of Prisma's `…FieldUpdateOperationsInput` and `…Update<list>Input` types. */
export const LIST_WRITES: ReadonlyMap<string, Write> = new Map<string, Write>([...LIST_CREATES, ['push', push]]);
export const SCALAR_WRITES: ReadonlyMap<string, Write> = new Map<string, Write>([['set', readNewValue]]);
export const NUMBER_WRITES: ReadonlyMap<string, Write> = new Map<string, Write>([
  ...SCALAR_WRITES,
  ['increment', readValue],
  ['decrement', readValue],
  ['multiply', readValue],
  ['divide', readValue],
]);
