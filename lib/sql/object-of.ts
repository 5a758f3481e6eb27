import { isPlainObject } from '../wire/is-plain-object.js';
import { decline } from './declined.js';

export type Members = Readonly<Record<string, unknown>>;

/** @throws Declined for anything but a plain object */
export function objectOf(value: unknown): Members {
  return isPlainObject(value) ? value : decline('an argument of a form of its own');
}

/** The members that are not undefined. */
export function givenOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(objectOf(value)).filter(([, member]) => member !== undefined);
}
