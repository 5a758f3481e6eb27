import { ApiError, MAX_PROBLEMS, type Problem } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';
import { quote } from '../../errors/quote.js';
import type { Limits } from '../../model/limits.js';
import type { QueryParameter } from './resource-query.js';

/** One parameter of a family. For example, `filter[author][name]=Ann` has the selectors `author` and `name`. */
export interface FamilyParameter {
  /** The name as the client wrote it, decoded. */
  readonly name: string;
  readonly selectors: readonly string[];
  readonly value: string;
}

/** A parameter with the name of its family. */
export type OfFamily<Name extends string> = FamilyParameter & { readonly family: Name };

/** A query string, split into parameters. */
interface ParsedParameters<Name extends string> {
  /** All parameters in order, including those that are ignored. */
  readonly all: readonly QueryParameter[];
  /** The parameters of families that the URL accepts, in order. */
  readonly families: readonly OfFamily<Name>[];
  /** Problems of parameters that are rejected by their names. */
  readonly problems: readonly Problem[];
}

/**
 * Splits a query string into its parameters. Nothing else parses its text (`application/x-www-form-urlencoded`, QP-04).
 *
 * A family that the URL does not accept is a problem, and so is any other name of lower-case letters only: JSON:API reserves these (QP-03,
 * D12). A legal name with any other character is an implementation's own parameter, and is ignored (QP-02).
 */
export function parseParameters<Name extends string>(search: string, accepted: readonly Name[], limits: Limits): ParsedParameters<Name> {
  if (!isEncodedUtf8(search)) return { all: [], families: [], problems: [unsupported('The query string is not percent-encoded UTF-8.')] };
  const all = [...new URLSearchParams(search)];
  const families: OfFamily<Name>[] = [];
  const problems: Problem[] = [];
  for (const [name, value] of all) {
    const reading = readName(name, { accepted, limits });
    if (reading && 'code' in reading) problems.push({ ...reading, source: { parameter: name } });
    else if (reading) families.push({ ...reading, name, value });
    if (problems.length === MAX_PROBLEMS) break;
  }
  return { all, families, problems };
}

/** Whether a query string is percent-encoded UTF-8. Other bytes would be decoded as replacement characters, which changes the query. */
function isEncodedUtf8(search: string): boolean {
  try {
    decodeURIComponent(search);
    return true;
  } catch {
    return false;
  }
}

interface Grammar<Name> {
  readonly accepted: readonly Name[];
  readonly limits: Limits;
}

/** JSON:API's member names (MN-01), and parameter names that consist of them (QP-01). */
const MEMBER = '[a-z\\d\\u{80}-\\u{10ffff}](?:[-_ a-z\\d\\u{80}-\\u{10ffff}]*[a-z\\d\\u{80}-\\u{10ffff}])?';
const LEGAL_NAME = new RegExp(`^${MEMBER}(?:\\[(?:${MEMBER}(?:\\.${MEMBER})*)?\\])*$`, 'iu');
const LOWER_CASE_LETTERS = /^[a-z]+$/;

type ReadName<Name extends string> = Pick<OfFamily<Name>, 'family' | 'selectors'> | Problem;

function readName<Name extends string>(name: string, { accepted, limits }: Grammar<Name>): ReadName<Name> | undefined {
  const [base = ''] = name.split('[', 1);
  const family = accepted.find((known) => known === base);
  if (family !== undefined) return readSelectors(name, family, limits);
  if (LOWER_CASE_LETTERS.test(base)) return unsupported(`There is no query parameter ${quote(base)} here.${didYouMean(base, accepted)}`);
  return LEGAL_NAME.test(name) ? undefined : unsupported(`${quote(name)} is no legal name of a query parameter.`);
}

function readSelectors<Name extends string>(name: string, family: Name, { maxDepth }: Limits): ReadName<Name> {
  const selectors: string[] = [];
  for (let at = family.length; at < name.length;) {
    const end = name.indexOf(']', at);
    const inner = name.slice(at + 1, end);
    if (name[at] !== '[' || end < 0 || inner.includes('[')) {
      return unsupported(`The brackets of ${quote(name)} do not match, at position ${at + 1}.`);
    }
    if (selectors.length === maxDepth) {
      return { code: 'limit-exceeded', detail: `A parameter has at most ${maxDepth} pairs of brackets (limits.maxDepth).` };
    }
    selectors.push(inner);
    at = end + 1;
  }
  return { family, selectors };
}

function unsupported(detail: string): Problem {
  return { code: 'unsupported-parameter', detail };
}

/** Returns an error whose source is a query parameter. */
export function parameterError(code: ErrorCode, parameter: string, detail: string): ApiError {
  return new ApiError(code, detail, { source: { parameter } });
}
