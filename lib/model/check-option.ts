import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { isObject } from '../utils/is-object.js';
import { remedyFor } from './remedy-for.js';

/** The allowed names, with texts for the error message. */
export interface Names {
  readonly place: string;
  readonly known: readonly string[];
  /** A noun for the names, e.g. `option here`. */
  readonly kind: string;
  /** The text before the list of all names. */
  readonly all: string;
}

export function checkName(name: string, { place, known, kind, all }: Names): void {
  if (known.includes(name)) return;
  throw new ConfigurationError(`${place} names '${name}', which is no ${kind}.`, remedyFor(name, known, all));
}

export function checkNames(options: unknown, names: Names): asserts options is object {
  checkObject(names.place, options, 'an object');
  checkAll(
    Object.keys(options).map((name) => () => {
      checkName(name, names);
    }),
  );
}

export function checkList(values: unknown, names: Names): void {
  checkArray(names.place, values);
  checkAll(
    values.map((value) => () => {
      checkName(String(value), names);
    }),
  );
}

export function checkChoice(place: string, value: unknown, known: readonly string[]): void {
  if (typeof value === 'string' && known.includes(value)) return;
  throw new ConfigurationError(`${place} is '${String(value)}'.`, remedyFor(String(value), known, 'It may be'));
}

export function checkString(place: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw mistyped(place, value, 'a string');
}

export function checkBoolean(place: string, value: unknown): void {
  if (typeof value !== 'boolean') throw mistyped(place, value, 'true or false');
}

export function checkFunction(place: string, value: unknown): void {
  if (typeof value !== 'function') throw mistyped(place, value, 'a function');
}

export function checkArray(place: string, value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw mistyped(place, value, 'an array');
}

/** Rejects a limit that is neither a positive integer nor Infinity. */
export function checkCount(place: string, value: unknown): void {
  if (value !== Infinity) checkInteger(place, value, 'a positive integer, or Infinity');
}

/** @param expected the allowed values, for the error message */
export function checkInteger(place: string, value: unknown, expected = 'a positive integer'): void {
  if (!Number.isInteger(value) || Number(value) < 1) throw mistyped(place, value, expected);
}

/** Rejects an invalid size, because body-parser would treat an invalid text as a few bytes, or as no limit. */
export function checkSize(place: string, value: unknown): void {
  if (typeof value === 'string' && /^(?:\d+ *b?|\d+(?:\.\d+)? *[kmg]b)$/i.test(value) && Number.parseFloat(value) > 0) return;
  if (typeof value === 'number' && value > 0) return;
  throw mistyped(place, value, "a positive number of bytes, or a text like '500kb' or '1mb'");
}

export function checkObject(place: string, value: unknown, expected: string): asserts value is object {
  if (!isObject(value)) throw mistyped(place, value, expected);
}

export function mistyped(place: string, value: unknown, expected: string): ConfigurationError {
  return new ConfigurationError(`${place} is '${String(value)}'.`, `Set it to ${expected}.`);
}
