import type { Attribute } from '../model/surface/surface.js';
import { readJson } from '../model/values/scalar-types.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { Place } from './place.js';

/** Returns the members of an object. Rejects any other value. */
export function readObject(value: unknown, place: Place): Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) place.refuse('must be an object.');
  place.enter(value);
  return value;
}

export function readList(value: unknown, place: Place): readonly unknown[] {
  if (!Array.isArray(value)) place.refuse('must be a list.');
  return value;
}

export function readBoolean(value: unknown, place: Place): boolean {
  if (typeof value !== 'boolean') place.refuse('must be true or false.', 'invalid-value');
  return value;
}

/** Returns an integer in a range. All numbers that are not values of fields are read by it (security case 18). */
export function readInteger(value: unknown, place: Place, [min, max]: readonly [number, number]): number {
  if (!Number.isInteger(value)) place.refuse('must be an integer.', 'invalid-value');
  const integer = Number(value);
  if (integer < min || integer > max) place.refuse(`must be an integer between ${min} and ${max}.`, 'invalid-value');
  return integer;
}

export function readChoice<Choice extends string>(value: unknown, place: Place, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  return place.refuse(`must be ${choices.map((choice) => `'${choice}'`).join(' or ')}.`, 'invalid-value');
}

/** Reads one value or a list of values, and returns the same form. */
export function oneOrMany(value: unknown, place: Place, read: (value: unknown, place: Place) => unknown): unknown {
  return Array.isArray(value) ? value.map((element, index) => read(element, place.element(index))) : read(value, place);
}

/** Reads one value or a list of values, and returns a list. */
export function listOfOneOrMany<Item, At>(
  value: unknown,
  place: At & { readonly element: (index: number) => At },
  read: (value: unknown, place: At) => Item,
): readonly Item[] {
  return Array.isArray(value) ? value.map((element, index) => read(element, place.element(index))) : [read(value, place)];
}

/** Reads a text that is not a value of a field. */
export function readText(value: unknown, place: Place): string {
  if (value === null) place.refuse('must not be null.', 'invalid-value');
  const reading = value === undefined ? { expected: 'a value' } : readJson(TEXT, value);
  if ('expected' in reading) return place.refuse(`must be ${reading.expected}.`, 'invalid-value');
  return String(reading.value);
}

const TEXT: Attribute = {
  kind: 'attribute',
  model: '',
  name: 'text',
  member: 'text',
  type: 'String',
  list: false,
  primaryKey: 'no',
  optional: false,
  hasDefault: false,
  generated: false,
  foreignKeyOf: [],
  rights: { read: true, filter: true, sort: true, create: true, update: true },
  closed: {},
};
