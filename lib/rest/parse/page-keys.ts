import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import type { Limits } from '../../model/limits.js';
import type { RestSettings } from '../rest-settings.js';
import { parameterError } from './parameter-error.js';
import type { FamilyParameter } from './parse-parameters.js';

/** What the parameters of pages are called: the first two are a spelling, and so are the next two; the last two go with `size`. */
export const PAGE_KEYS = ['offset', 'limit', 'number', 'size', 'after', 'before'] as const;

export type PageKey = (typeof PAGE_KEYS)[number];

/** What a parameter says of the page; undefined for a name that is none. */
export function pageKeyOf({ selectors: [written, ...others] }: FamilyParameter): PageKey | undefined {
  return others.length === 0 ? PAGE_KEYS.find((known) => known === written) : undefined;
}

/** @throws ApiError `invalid-page` for any other name */
export function requirePageKey(parameter: FamilyParameter): PageKey {
  const key = pageKeyOf(parameter);
  if (key !== undefined) return key;
  const { name, selectors } = parameter;
  const known = 'only page[offset] with page[limit], page[number] with page[size], and page[size] with page[after] and page[before]';
  throw parameterError('invalid-page', name, `There is no ${quote(name)}, ${known}.${didYouMean(selectors[0] ?? '', PAGE_KEYS)}`);
}

/** The most resources that a page may have, and the option that says so. */
export function largestPage({ maxPageSize }: RestSettings, { maxTake }: Limits): readonly [most: number, option: string] {
  return maxPageSize <= maxTake ? [maxPageSize, 'rest.maxPageSize'] : [maxTake, 'limits.maxTake'];
}
