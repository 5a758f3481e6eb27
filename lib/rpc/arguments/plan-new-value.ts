import { givenEntries } from '../../model/given-entries.js';
import { type Attribute } from '../../model/resource-model.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { isNumeric } from './aggregates.js';
import { readElement, readNewValue, readValue, readValues } from './read-operand.js';
import { type Spot } from './spot.js';
import { oneOrMany, readObject } from './typed-slots.js';

/** Plans the value of a field in a new record: a value, and for a list also `{ set: […] }`. */
export function planCreateValue(attribute: Attribute, value: unknown, spot: Spot): unknown {
  if (!attribute.list) return readNewValue(attribute, value, spot);
  return isPlainObject(value) ? planWrite(attribute, value, { spot, writes: LIST_CREATES }) : readValues(attribute, value, spot);
}

/** Plans a field's change: a new value, or one operation on the present one (`{ increment: 1 }`, `{ push: 'a' }`). */
export function planUpdateValue(attribute: Attribute, value: unknown, spot: Spot): unknown {
  // An object is itself a value of a Json field, so Prisma has no operations there.
  if (!isPlainObject(value) || isJsonValue(attribute)) return planCreateValue(attribute, value, spot);
  return planWrite(attribute, value, { spot, writes: writesOf(attribute) });
}

function isJsonValue({ type, list }: Attribute): boolean {
  return type === 'Json' && !list;
}

type Write = (attribute: Attribute, operand: unknown, spot: Spot) => unknown;

interface Writing {
  readonly spot: Spot;
  readonly writes: ReadonlyMap<string, Write>;
}

function planWrite(attribute: Attribute, value: unknown, { spot, writes }: Writing): Record<string, unknown> {
  const entries = givenEntries(readObject(value, spot));
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) return spot.refuse(`takes exactly one of ${[...writes.keys()].join(', ')}.`);
  const [key, operand] = entry;
  const place = spot.member(key);
  const plan = writes.get(key) ?? place.refuseUnknown(writes.keys());
  return { [key]: plan(attribute, operand, place) };
}

function writesOf(attribute: Attribute): ReadonlyMap<string, Write> {
  if (attribute.list) return LIST_WRITES;
  return isNumeric(attribute) ? NUMBER_WRITES : SCALAR_WRITES;
}

const push: Write = (attribute, operand, spot) => oneOrMany(operand, spot, (element, place) => readElement(attribute, element, place));

const LIST_CREATES: ReadonlyMap<string, Write> = new Map<string, Write>([['set', readValues]]);

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
