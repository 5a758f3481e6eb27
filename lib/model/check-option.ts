import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { isObject } from '../utils/is-object.js';
import { remedyFor } from './remedy-for.js';

/** What names may be, and how to speak of them. */
export interface Names {
  readonly place: string;
  readonly known: readonly string[];
  /** What the name should be one of. */
  readonly kind: string;
  /** Introduces the list of all of them. */
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
  if (!Array.isArray(values)) throw mistyped(names.place, values, 'an array');
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

export function checkString(place: string, value: unknown): void {
  if (typeof value !== 'string') throw mistyped(place, value, 'a string');
}

export function checkBoolean(place: string, value: unknown): void {
  if (typeof value !== 'boolean') throw mistyped(place, value, 'true or false');
}

export function checkObject(place: string, value: unknown, expected: string): asserts value is object {
  if (!isObject(value)) throw mistyped(place, value, expected);
}

export function mistyped(place: string, value: unknown, expected: string): ConfigurationError {
  return new ConfigurationError(`${place} is '${String(value)}'.`, `Set it to ${expected}.`);
}
