import { isPlainObject } from '../../wire/is-plain-object.js';
import type { ArgumentPath } from './argument-path.js';

/** The members of an object, for a slot that takes one. */
export function readObject(value: unknown, path: ArgumentPath): Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) path.refuse('must be an object.');
  path.enter();
  return value;
}

export function readList(value: unknown, path: ArgumentPath): readonly unknown[] {
  if (!Array.isArray(value)) path.refuse('must be a list.');
  return value;
}

export function readBoolean(value: unknown, path: ArgumentPath): boolean {
  if (typeof value !== 'boolean') path.refuse('must be true or false.', 'invalid-value');
  return value;
}

/** An integer in a range. One reader for every number that is no field's value (security case 18). */
export function readInteger(value: unknown, path: ArgumentPath, [min, max]: readonly [number, number]): number {
  if (!Number.isInteger(value)) path.refuse('must be an integer.', 'invalid-value');
  const integer = Number(value);
  if (integer < min || integer > max) path.refuse(`must be an integer between ${min} and ${max}.`, 'invalid-value');
  return integer;
}

export function readChoice(value: unknown, path: ArgumentPath, choices: readonly string[]): string {
  if (typeof value === 'string' && choices.includes(value)) return value;
  return path.refuse(`must be ${choices.map((choice) => `'${choice}'`).join(' or ')}.`, 'invalid-value');
}

/** A slot that takes one thing or a list of them; the form that was given is kept. */
export function oneOrMany(value: unknown, path: ArgumentPath, plan: (value: unknown, path: ArgumentPath) => unknown): unknown {
  return Array.isArray(value) ? value.map((element, index) => plan(element, path.element(index))) : plan(value, path);
}
