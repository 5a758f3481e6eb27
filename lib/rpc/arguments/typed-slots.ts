import { isPlainObject } from '../../wire/is-plain-object.js';
import { type Spot } from './spot.js';

/** The members of an object, for a slot that takes one. */
export function readObject(value: unknown, spot: Spot): Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) spot.refuse('must be an object.');
  spot.enter();
  return value;
}

export function readList(value: unknown, spot: Spot): readonly unknown[] {
  if (!Array.isArray(value)) spot.refuse('must be a list.');
  return value;
}

export function readBoolean(value: unknown, spot: Spot): boolean {
  if (typeof value !== 'boolean') spot.refuse('must be true or false.', 'invalid-value');
  return value;
}

/** An integer in a range. One reader for every number that is no field's value (security case 18). */
export function readInteger(value: unknown, spot: Spot, [min, max]: readonly [number, number]): number {
  if (!Number.isInteger(value)) spot.refuse('must be an integer.', 'invalid-value');
  const integer = Number(value);
  if (integer < min || integer > max) spot.refuse(`must be an integer between ${min} and ${max}.`, 'invalid-value');
  return integer;
}

export function readChoice(value: unknown, spot: Spot, choices: readonly string[]): string {
  if (typeof value === 'string' && choices.includes(value)) return value;
  return spot.refuse(`must be ${choices.map((choice) => `'${choice}'`).join(' or ')}.`, 'invalid-value');
}

/** A slot that takes one thing or a list of them; the form that was given is kept. */
export function oneOrMany(value: unknown, spot: Spot, plan: (value: unknown, spot: Spot) => unknown): unknown {
  return Array.isArray(value) ? value.map((element, index) => plan(element, spot.element(index))) : plan(value, spot);
}
