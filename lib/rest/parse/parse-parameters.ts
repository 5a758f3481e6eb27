import { MAX_PROBLEMS, type Problem } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import { type Limits } from '../../model/limits.js';
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
  /** All parameters, in order, those that mean nothing here included. */
  readonly all: readonly QueryParameter[];
  /** Those of the families that the URL takes, in order. */
  readonly families: readonly FamilyParameter[];
  /** What is wrong with the names of others. */
  readonly problems: readonly Problem[];
}

/**
 * Splits a query string into its parameters: the only place that reads its text (`application/x-www-form-urlencoded`, QP-04).
 *
 * Names of a family that the URL does not take, and other names of lower-case letters alone, are problems: JSON:API keeps them for itself
 * (QP-03, D12). A legal name with any other character is someone else's and ignored (QP-02).
 */
export function parseParameters(search: string, accepted: readonly FamilyName[], limits: Limits): ParsedParameters {
  if (!isEncodedUtf8(search)) return { all: [], families: [], problems: [unsupported('The query string is not percent-encoded UTF-8.')] };
  const all = [...new URLSearchParams(search)];
  const families: FamilyParameter[] = [];
  const problems: Problem[] = [];
  for (const [name, value] of all) {
    const reading = readName(name, { accepted, limits });
    if (reading && 'code' in reading) problems.push({ ...reading, source: { parameter: name } });
    else if (reading) families.push({ ...reading, name, value });
    if (problems.length === MAX_PROBLEMS) break;
  }
  return { all, families, problems };
}

/** Anything else would be read with replacement characters in it: as another question than the one that was asked. */
function isEncodedUtf8(search: string): boolean {
  try {
    decodeURIComponent(search);
    return true;
  } catch {
    return false;
  }
}

interface Grammar {
  readonly accepted: readonly FamilyName[];
  readonly limits: Limits;
}

/** JSON:API's member names (MN-01), and names of parameters made of them (QP-01). */
const MEMBER = '[a-z\\d\\u{80}-\\u{10ffff}](?:[-_ a-z\\d\\u{80}-\\u{10ffff}]*[a-z\\d\\u{80}-\\u{10ffff}])?';
const LEGAL_NAME = new RegExp(`^${MEMBER}(?:\\[(?:${MEMBER}(?:\\.${MEMBER})*)?\\])*$`, 'iu');
const LOWER_CASE_LETTERS = /^[a-z]+$/;

function readName(name: string, { accepted, limits }: Grammar): Pick<FamilyParameter, 'family' | 'selectors'> | Problem | undefined {
  const [base = ''] = name.split('[', 1);
  const family = accepted.find((known) => known === base);
  if (family !== undefined) return readSelectors(name, family, limits);
  if (LOWER_CASE_LETTERS.test(base)) return unsupported(`There is no query parameter ${quote(base)} here.${didYouMean(base, accepted)}`);
  return LEGAL_NAME.test(name) ? undefined : unsupported(`${quote(name)} is no legal name of a query parameter.`);
}

function readSelectors(name: string, family: FamilyName, { maxDepth }: Limits): Pick<FamilyParameter, 'family' | 'selectors'> | Problem {
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
