import { ApiError } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import { DEFAULT_LIMITS } from '../../model/limits.js';
import type { Resource } from '../../model/surface/surface.js';
import { CURSOR_PROBLEMS, type CursorPage, type OffsetPage, type RequestedPage } from '../projection/page.js';
import { collect } from './collect.js';
import { type FamilyParameter, parameterError } from './parse-parameters.js';
import type { RestContext } from './rest-context.js';

/** The keys of `page`: `offset` with `limit`, or `number` with `size`, or `size` with `after` and `before`. */
const PAGE_KEYS = ['offset', 'limit', 'number', 'size', 'after', 'before'] as const;

type PageKey = (typeof PAGE_KEYS)[number];

/** Largest `skip` that Prisma accepts on every database. */
const MAX_OFFSET = 2 ** 31 - 1;

/** Default size of a page between cursors, if the option `pageSize` is `Infinity`. */
const USUAL_SIZE = 100;

/**
 * Parses the parameters of `page` (CP-15). `page[after]`, `page[before]` and a lone `page[size]` select a page between cursors.
 * `page[number]`, `page[offset]` and `page[limit]` select an offset page. Without parameters, the resource's default applies.
 *
 * @throws ApiError `invalid-page`; `limit-exceeded` over `rest.maxPageSize` or `limits.maxTake`
 */
export function parsePage(parameters: readonly FamilyParameter[], { pagination }: Resource, context: RestContext): RequestedPage {
  const keys = new Set(parameters.map(readPageKey));
  const hasCursor = keys.has('after') || keys.has('before');
  const hasPlace = keys.has('offset') || keys.has('limit') || keys.has('number');
  const asksForCursors = hasCursor || (!hasPlace && (keys.has('size') || pagination === 'cursor'));
  return asksForCursors ? parseCursorPage(parameters, context) : parseOffsetPage(parameters, context);
}

/** Returns the key of a `page` parameter; undefined for an unknown one. */
function readPageKey({ selectors: [written, ...others] }: FamilyParameter): PageKey | undefined {
  return others.length === 0 ? PAGE_KEYS.find((known) => known === written) : undefined;
}

function requireNewKey(parameter: FamilyParameter, given: ReadonlyMap<PageKey, unknown>): PageKey {
  const { name, selectors } = parameter;
  const key = readPageKey(parameter);
  if (key === undefined) {
    const known = 'only page[offset] with page[limit], page[number] with page[size], and page[size] with page[after] and page[before]';
    throw pageError(name, `There is no ${quote(name)}, ${known}.${didYouMean(selectors[0] ?? '', PAGE_KEYS)}`);
  }
  if (given.has(key)) throw pageError(name, `${name} is given twice.`);
  return key;
}

/**
 * Parses `page[size]`, `page[after]` and `page[before]` (CP-04 to CP-09). The cursors are decrypted later, together with the collection's
 * order.
 */
function parseCursorPage(parameters: readonly FamilyParameter[], context: RestContext): CursorPage {
  const { pageSize } = context.settings;
  const given = new Map<PageKey, FamilyParameter>();
  const sizes = collect(parameters, (parameter) => {
    const key = requireNewKey(parameter, given);
    if (key !== 'size' && key !== 'after' && key !== 'before') {
      const detail = `${parameter.name} does not go with cursors: use page[size] with page[after] and page[before], or page[offset] with page[limit], or page[number] with page[size].`;
      throw pageError(parameter.name, detail);
    }
    given.set(key, parameter);
    return key === 'size' ? [readSize(parameter, context)] : [];
  });
  const after = given.get('after');
  const before = given.get('before');
  const [size] = sizes.flat();
  const { most } = largestCursorPage(context);
  // A range between two cursors has the largest size by default (CP-09).
  const usual = after && before ? most : Math.min(pageSize === Infinity ? USUAL_SIZE : pageSize, most);
  return {
    kind: 'cursor',
    size: size ?? usual,
    isSized: size !== undefined,
    ...(after && { after: { parameter: after.name, text: after.value } }),
    ...(before && { before: { parameter: before.name, text: before.value } }),
  };
}

/** Parses `page[size]` of a page between cursors. `007` is 7 (CP-04). */
function readSize({ name, value }: FamilyParameter, context: RestContext): number {
  const size = /^\d+$/.test(value) ? Number(value) : 0;
  if (size < 1) throw sizeError(name, value);
  const { most, reason } = largestCursorPage(context);
  if (size <= most) return size;
  throw new ApiError('limit-exceeded', `A page has at most ${most} resources${reason}.`, {
    source: { parameter: name },
    type: CURSOR_PROBLEMS.maxSizeExceeded,
    meta: { page: { maxSize: most } },
  });
}

/** Parses `page[offset]` and `page[limit]` (specification, section 4.1.1), or `page[number]` and `page[size]`. */
function parseOffsetPage(parameters: readonly FamilyParameter[], context: RestContext): OffsetPage {
  const given = new Map<PageKey, Given>();
  collect(parameters, (parameter) => {
    const { name } = parameter;
    const key = requireNewKey(parameter, given);
    requireOneSpelling(key, name, given);
    given.set(key, { name, value: readNumber(key, parameter, context) });
  });
  const { pageSize } = context.settings;
  const isNumbered = given.has('number') || given.has('size');
  if (!isNumbered) return { offset: given.get('offset')?.value ?? 0, limit: given.get('limit')?.value ?? pageSize };
  return numberedPage(given.get('number'), given.get('size')?.value ?? pageSize);
}

interface Given {
  readonly name: string;
  readonly value: number;
}

/** Rejects a mix of both notations, because `page[offset]` and `page[number]` would be two places of one page. */
function requireOneSpelling(key: PageKey, name: string, given: ReadonlyMap<PageKey, Given>): void {
  const isOfNumbers = (one: PageKey): boolean => one === 'number' || one === 'size';
  const other = [...given.keys()].find((before) => isOfNumbers(before) !== isOfNumbers(key));
  if (other === undefined) return;
  throw pageError(name, `${name} does not go with page[${other}]: use page[offset] with page[limit], or page[number] with page[size].`);
}

/** Returns the offset page of a page number. Rejects an offset above the maximum, and any number but 1 if pagination is off. */
function numberedPage(number: Given | undefined, limit: number): OffsetPage {
  if (number === undefined || number.value === 1) return { offset: 0, limit, numbered: true };
  const { name, value } = number;
  if (limit === Infinity) throw pageError(name, `${name} needs page[size]: without it, one page has all.`);
  const offset = (value - 1) * limit;
  if (offset <= MAX_OFFSET) return { offset, limit, numbered: true };
  throw pageError(name, `Pages of ${limit} resources have numbers from 1 to ${Math.floor(MAX_OFFSET / limit) + 1}.`);
}

function readNumber(key: PageKey, parameter: FamilyParameter, context: RestContext): number {
  const { name, value } = parameter;
  // Plain digits only. `1e3`, `+1`, ` 1` and `1abc` give NaN, for which every comparison is false.
  const number = /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : NaN;
  switch (key) {
    case 'offset':
      if (number <= MAX_OFFSET) return number;
      throw pageError(name, `${quote(value)} is no offset: it must be an integer from 0 to ${MAX_OFFSET}.`);
    case 'number':
      if (number >= 1) return number;
      throw pageError(name, `${quote(value)} is no page number: it must be an integer from 1.`);
    case 'limit':
    case 'size':
      return requireSize(number, parameter, context);
    case 'after':
    case 'before':
      throw new TypeError(`A page by offset has no page[${key}].`);
  }
}

function requireSize(size: number, { name, value }: FamilyParameter, context: RestContext): number {
  if (!(size >= 1)) throw sizeError(name, value);
  const { most, option } = largestPage(context);
  if (size <= most) return size;
  throw parameterError('limit-exceeded', name, `A page has at most ${most} resources (${option}).`);
}

/** Returns the largest page size, and the option that sets it. */
function largestPage({ settings: { maxPageSize }, limits: { maxTake } }: RestContext): { readonly most: number; readonly option: string } {
  return maxPageSize <= maxTake ? { most: maxPageSize, option: 'rest.maxPageSize' } : { most: maxTake, option: 'limits.maxTake' };
}

/** Returns the largest size of a page between cursors. It has a default maximum, even if no option sets one. */
function largestCursorPage(context: RestContext): { readonly most: number; readonly reason: string } {
  const { most, option } = largestPage(context);
  return most === Infinity ? { most: DEFAULT_LIMITS.maxTake, reason: '' } : { most, reason: ` (${option})` };
}

function sizeError(name: string, value: string): ApiError {
  return pageError(name, `${quote(value)} is no page size: it must be an integer from 1.`);
}

function pageError(name: string, detail: string): ApiError {
  return parameterError('invalid-page', name, detail);
}
