import { quote } from '../../errors/quote.js';
import { collect } from './collect.js';
import { largestPage, type PageKey, requirePageKey } from './page-keys.js';
import { parameterError } from './parameter-error.js';
import type { FamilyParameter } from './parse-parameters.js';
import type { OffsetPage } from '../projection/page.js';
import type { RestContext } from './rest-context.js';

/** What Prisma takes as `skip` on every database. */
const MAX_OFFSET = 2 ** 31 - 1;

/**
 * Reads `page[offset]` and `page[limit]` (specification, section 4.1.1), or `page[number]` and `page[size]`.
 *
 * @throws ApiError `invalid-page`; `limit-exceeded` over `rest.maxPageSize` or `limits.maxTake`
 */
export function parseOffsetPage(parameters: readonly FamilyParameter[], context: RestContext): OffsetPage {
  const given = new Map<OffsetKey, Given>();
  collect(parameters, (parameter) => {
    const key = readKey(parameter);
    if (given.has(key)) throw parameterError('invalid-page', parameter.name, `${parameter.name} is given twice.`);
    requireOneSpelling(key, parameter, given);
    given.set(key, { name: parameter.name, value: READERS[key](parameter, context) });
  });
  const { pageSize } = context.settings;
  if (!isNumbered(given)) return { offset: given.get('offset')?.value ?? 0, limit: given.get('limit')?.value ?? pageSize };
  return numberedPage(given.get('number'), given.get('size')?.value ?? pageSize);
}

type OffsetKey = Exclude<PageKey, 'after' | 'before'>;

interface Given {
  readonly name: string;
  readonly value: number;
}

const READERS: Readonly<Record<OffsetKey, (parameter: FamilyParameter, context: RestContext) => number>> = {
  offset: readOffset,
  limit: readLimit,
  number: readNumber,
  size: readLimit,
};

/** Where a cursor is among the parameters, the page is none of these. */
function readKey(parameter: FamilyParameter): OffsetKey {
  const key = requirePageKey(parameter);
  if (key === 'after' || key === 'before') throw new TypeError(`A page by offset has no page[${key}].`);
  return key;
}

/** A page has one place: `page[offset]` beside `page[number]` would say two. */
function requireOneSpelling(key: OffsetKey, { name }: FamilyParameter, given: ReadonlyMap<OffsetKey, Given>): void {
  const [other] = [...given].find(([before]) => isOfNumbers(before) !== isOfNumbers(key)) ?? [];
  if (other === undefined) return;
  const detail = `${name} does not go with page[${other}]: use page[offset] with page[limit], or page[number] with page[size].`;
  throw parameterError('invalid-page', name, detail);
}

function isNumbered(given: ReadonlyMap<OffsetKey, Given>): boolean {
  return given.has('number') || given.has('size');
}

function isOfNumbers(key: OffsetKey): boolean {
  return key === 'number' || key === 'size';
}

/** @throws ApiError `invalid-page` for a page that begins beyond every offset, or has none where pagination is off */
function numberedPage(number: Given | undefined, limit: number): OffsetPage {
  if (number === undefined || number.value === 1) return { offset: 0, limit, numbered: true };
  if (limit === Infinity)
    throw parameterError('invalid-page', number.name, `${number.name} needs page[size]: without it, one page has all.`);
  const offset = (number.value - 1) * limit;
  if (offset <= MAX_OFFSET) return { offset, limit, numbered: true };
  const last = Math.floor(MAX_OFFSET / limit) + 1;
  throw parameterError('invalid-page', number.name, `Pages of ${limit} resources have numbers from 1 to ${last}.`);
}

function readOffset({ name, value }: FamilyParameter): number {
  const offset = readInteger(value);
  if (offset <= MAX_OFFSET) return offset;
  throw parameterError('invalid-page', name, `${quote(value)} is no offset: it must be an integer from 0 to ${MAX_OFFSET}.`);
}

function readNumber({ name, value }: FamilyParameter): number {
  const number = readInteger(value);
  if (number >= 1) return number;
  throw parameterError('invalid-page', name, `${quote(value)} is no page number: it must be an integer from 1.`);
}

function readLimit({ name, value }: FamilyParameter, { settings, limits }: RestContext): number {
  const limit = readInteger(value);
  if (!(limit >= 1)) throw parameterError('invalid-page', name, `${quote(value)} is no page size: it must be an integer from 1.`);
  const [ceiling, option] = largestPage(settings, limits);
  if (limit <= ceiling) return limit;
  throw parameterError('limit-exceeded', name, `A page has at most ${ceiling} resources (${option}).`);
}

/** Plain digits only: `1e3`, `+1`, ` 1` and `1abc` are NaN, which no comparison lets through. */
function readInteger(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN;
}
