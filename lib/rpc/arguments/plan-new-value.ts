import { givenEntries } from '../../model/given-entries.js';
import { storedField } from '../../model/storage/stored-model.js';
import type { Attribute } from '../../model/surface/surface.js';
import type { FieldOperation, WrittenField } from '../../query/write.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { isNumeric } from '../../prisma/aggregates.js';
import { readNewValue, readValue, readWrittenElement, readWrittenValue, readWrittenValues } from './read-value.js';
import type { ArgumentPath } from './argument-path.js';
import { oneOrMany, readObject } from '../../prisma/typed-slots.js';

/** Plans the value of a field in a new record: a value, and for a list also `{ set: […] }`. */
export function planCreateValue(attribute: Attribute, value: unknown, path: ArgumentPath): WrittenField {
  if (isJsonValue(attribute)) path.spendValues(value);
  if (attribute.list && isPlainObject(value)) return planWrite(attribute, value, { path, writes: LIST_CREATES });
  return written(attribute, 'set', { value: (attribute.list ? readNewValues : readNewValue)(attribute, value, path), path });
}

/** Plans the change of a field: a new value, or one operation on the present value (`{ increment: 1 }`, `{ push: 'a' }`). */
export function planUpdateValue(attribute: Attribute, value: unknown, path: ArgumentPath): WrittenField {
  // Prisma has no operations on a Json field, because an object is a value of it.
  if (!isPlainObject(value) || isJsonValue(attribute)) return planCreateValue(attribute, value, path);
  return planWrite(attribute, value, { path, writes: writesOf(attribute) });
}

function isJsonValue({ type, list }: Attribute): boolean {
  return type === 'Json' && !list;
}

type Write = (attribute: Attribute, operand: unknown, path: ArgumentPath) => unknown;

interface Writing {
  readonly path: ArgumentPath;
  readonly writes: ReadonlyMap<FieldOperation, Write>;
}

function planWrite(attribute: Attribute, value: unknown, { path, writes }: Writing): WrittenField {
  const [entry, ...others] = givenEntries(readObject(value, path));
  if (entry === undefined || others.length > 0) return path.refuse(`takes exactly one of ${[...writes.keys()].join(', ')}.`);
  const [key, operand] = entry;
  const place = path.member(key);
  const [operation, plan] = [...writes].find(([name]) => name === key) ?? place.refuseUnknown(writes.keys());
  return written(attribute, operation, { value: plan(attribute, operand, place), path });
}

interface NewValue {
  readonly value: unknown;
  readonly path: ArgumentPath;
}

function written(attribute: Attribute, operation: FieldOperation, { value, path }: NewValue): WrittenField {
  return Object.freeze({ field: storedField(path.storage, attribute), operation, value });
}

/** Returns the operations on the present value of a field. */
export function writesOf(attribute: Attribute): ReadonlyMap<FieldOperation, Write> {
  if (attribute.list) return LIST_WRITES;
  // A foreign key has `set` only, because its new value must be available before the write to check that the referenced record exists.
  return isNumeric(attribute) && attribute.foreignKeyOf.length === 0 ? NUMBER_WRITES : SCALAR_WRITES;
}

const readNewValues: Write = (attribute, operand, path) => {
  path.spendValues(operand);
  return readWrittenValues(attribute, operand, path);
};

const push: Write = (attribute, operand, path) => {
  path.spendValues(operand);
  return oneOrMany(operand, path, (element, place) => readWrittenElement(attribute, element, place));
};

const LIST_CREATES: ReadonlyMap<FieldOperation, Write> = new Map<FieldOperation, Write>([['set', readNewValues]]);

/** The operations of Prisma's `…FieldUpdateOperationsInput` and `…Update<list>Input` types. */
export const LIST_WRITES: ReadonlyMap<FieldOperation, Write> = new Map<FieldOperation, Write>([...LIST_CREATES, ['push', push]]);
export const SCALAR_WRITES: ReadonlyMap<FieldOperation, Write> = new Map<FieldOperation, Write>([['set', readNewValue]]);
export const NUMBER_WRITES: ReadonlyMap<FieldOperation, Write> = new Map<FieldOperation, Write>([
  ...SCALAR_WRITES,
  ['increment', readWrittenValue],
  ['decrement', readWrittenValue],
  ['multiply', readValue],
  ['divide', readValue],
]);
