import { didYouMean } from '../../errors/did-you-mean.js';
import { type Limits } from '../../model/limits.js';
import { collect } from './collect.js';
import { parameterError, quote } from './parameter-error.js';
import { type QueryParameter } from './resource-query.js';

/** The parameter families of JSON:API that this style knows. */
export type FamilyName = 'filter' | 'sort' | 'page' | 'include' | 'fields';

/** One parameter of a family: `filter[author][name]=Ann` has the selectors `author` and `name`. */
export interface FamilyParameter {
  readonly family: FamilyName;
  /** As the client wrote it, decoded. */
  readonly name: string;
  readonly selectors: readonly string[];
  readonly value: string;
}

/** A query string, read. */
export interface ParsedParameters {
  /** All of them, in order, those that mean nothing here included. */
  readonly all: readonly QueryParameter[];
  /** Those of the families that the URL takes, in order. */
  readonly families: readonly FamilyParameter[];
}

/**
 * Splits a query string into its parameters: the only place that reads its text (`application/x-www-form-urlencoded`, QP-04).
 *
 * Names of a family that the URL does not take, and other names of lower-case letters alone, are refused: JSON:API keeps them for itself
 * (QP-03, D12). A legal name with any other character is someone else's and ignored (QP-02).
 *
 * @throws ApiError `unsupported-parameter`, `limit-exceeded`
 */
export function parseParameters(search: string, accepted: readonly FamilyName[], limits: Limits): ParsedParameters {
  const all = [...new URLSearchParams(search)];
  const families = collect(all, ([name, value]) => readFamily(name, value, { accepted, limits }));
  return { all, families: families.filter((parameter) => parameter !== undefined) };
}

interface Reading {
  readonly accepted: readonly FamilyName[];
  readonly limits: Limits;
}

/** JSON:API's member names (MN-01): what a name, or a part of one in brackets, may be. */
const MEMBER_NAME = /^[a-z\d\u{80}-\u{10ffff}](?:[-_ a-z\d\u{80}-\u{10ffff}]*[a-z\d\u{80}-\u{10ffff}])?$/iu;
const LOWER_CASE_LETTERS = /^[a-z]+$/;

function readFamily(name: string, value: string, { accepted, limits }: Reading): FamilyParameter | undefined {
  const bracket = name.indexOf('[');
  const base = bracket < 0 ? name : name.slice(0, bracket);
  const family = accepted.find((known) => known === base);
  if (family !== undefined) return { family, name, selectors: readSelectors(name, base.length, limits), value };
  if (!MEMBER_NAME.test(base)) throw parameterError('unsupported-parameter', name, `${quote(name)} is no legal name of a query parameter.`);
  if (!LOWER_CASE_LETTERS.test(base)) return undefined;
  throw parameterError('unsupported-parameter', name, `There is no query parameter ${quote(base)} here.${didYouMean(base, accepted)}`);
}

function readSelectors(name: string, start: number, { maxDepth }: Limits): readonly string[] {
  const selectors: string[] = [];
  for (let at = start; at < name.length;) {
    const end = name.indexOf(']', at);
    const inner = name.slice(at + 1, end);
    if (name[at] !== '[' || end < 0 || inner.includes('[')) {
      throw parameterError('unsupported-parameter', name, `The brackets of ${quote(name)} do not match, at position ${at + 1}.`);
    }
    if (selectors.length === maxDepth) {
      throw parameterError('limit-exceeded', name, `A parameter has at most ${maxDepth} pairs of brackets (limits.maxDepth).`);
    }
    selectors.push(inner);
    at = end + 1;
  }
  return selectors;
}
