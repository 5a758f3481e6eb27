import { ApiError } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import { reachesRows } from '../../model/surface/reaches-rows.js';
import type { Surface } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import type { Params } from '../protocol/read-message.js';

/** Rejects arguments that a tool does not have. */
export function requireKnown(tool: string, args: Params, known: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw invalid(tool, unknown, `does not exist: there are ${known.join(', ')}.${didYouMean(unknown, known)}`);
}

export function requireText(tool: string, args: Params, name: string): string {
  const { [name]: value } = args;
  if (typeof value === 'string') return value;
  throw invalid(tool, name, value === undefined ? 'is missing.' : 'must be a string.');
}

export function requireObject(tool: string, args: Params, name: string): Params {
  const { [name]: value = {} } = args;
  if (isPlainObject(value)) return value;
  throw invalid(tool, name, 'must be an object.');
}

export function requireFlag(tool: string, args: Params, name: string, fallback: boolean): boolean {
  const { [name]: value = fallback } = args;
  if (typeof value === 'boolean') return value;
  throw invalid(tool, name, 'must be true or false.');
}

/** Reads a whole number. @param range the smallest and the largest one */
export function requireInteger(tool: string, args: Params, name: string, [min, max]: readonly [number, number]): number | undefined {
  const { [name]: value } = args;
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  const range = max === Infinity ? `an integer of ${min} or more` : `an integer between ${min} and ${max}`;
  throw invalid(tool, name, `must be ${range}.`);
}

/** Creates the error of an argument of a tool, as RPC writes it. */
export function invalid(tool: string, name: string, fault: string): ApiError {
  return new ApiError('invalid-payload', `${tool}: ${quote(name)} ${fault}`, { path: name.slice(0, MAX_NAME), fault });
}

const MAX_NAME = 60;

/** Returns the JSON Schema of the names of the models that the caller may read; undefined if there are none. */
export function readableModels(surface: Surface): object | undefined {
  return modelSchema(surface.resources.filter((resource) => reachesRows(surface, resource, 'read')).map(({ delegate }) => delegate));
}

/** Returns the JSON Schema of names of models; undefined if there are none. */
export function modelSchema(names: readonly string[]): object | undefined {
  return names.length === 0 ? undefined : { type: 'string', enum: names };
}
