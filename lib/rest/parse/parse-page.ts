import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import { collect } from './collect.js';
import { parameterError } from './parameter-error.js';
import type { FamilyParameter } from './parse-parameters.js';
import type { Page } from './resource-query.js';
import type { RestContext } from './rest-context.js';

/** What Prisma takes as `skip` on every database. */
const MAX_OFFSET = 2 ** 31 - 1;

/**
 * Reads `page[offset]` and `page[limit]` (specification, section 4.1.1).
 *
 * @throws ApiError `invalid-page`; `limit-exceeded` over `rest.maxPageSize` or `limits.maxTake`
 */
export function parsePage(parameters: readonly FamilyParameter[], context: RestContext): Page {
  const seen = new Map<string, number>();
  collect(parameters, (parameter) => {
    const key = readKey(parameter);
    if (seen.has(key)) throw parameterError('invalid-page', parameter.name, `${parameter.name} is given twice.`);
    seen.set(key, READERS[key](parameter, context));
  });
  return { offset: seen.get('offset') ?? 0, limit: seen.get('limit') ?? context.settings.pageSize };
}

type PageKey = 'offset' | 'limit';

const READERS: Readonly<Record<PageKey, (parameter: FamilyParameter, context: RestContext) => number>> = {
  offset: readOffset,
  limit: readLimit,
};

function readKey({ name, selectors }: FamilyParameter): PageKey {
  const [key = '', ...others] = selectors;
  if ((key === 'offset' || key === 'limit') && others.length === 0) return key;
  throw parameterError('invalid-page', name, `There is no ${quote(name)}, only page[offset] and page[limit].${hint(key)}`);
}

function hint(key: string): string {
  return didYouMean(key, ['offset', 'limit']);
}

function readOffset({ name, value }: FamilyParameter): number {
  const offset = readInteger(value);
  if (offset <= MAX_OFFSET) return offset;
  throw parameterError('invalid-page', name, `${quote(value)} is no offset: it must be an integer from 0 to ${MAX_OFFSET}.`);
}

function readLimit({ name, value }: FamilyParameter, { settings, limits }: RestContext): number {
  const limit = readInteger(value);
  if (!(limit >= 1)) throw parameterError('invalid-page', name, `${quote(value)} is no page size: it must be an integer from 1.`);
  const [ceiling, option] =
    settings.maxPageSize <= limits.maxTake ? [settings.maxPageSize, 'rest.maxPageSize'] : [limits.maxTake, 'limits.maxTake'];
  if (limit <= ceiling) return limit;
  throw parameterError('limit-exceeded', name, `A page has at most ${ceiling} resources (${option}).`);
}

/** Plain digits only: `1e3`, `+1`, ` 1` and `1abc` are NaN, which no comparison lets through. */
function readInteger(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN;
}
