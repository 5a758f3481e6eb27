import { isTsQuery } from '../model/values/ts-query.js';
import { endsInEscape } from './like-patterns.js';
import type { Place } from './place.js';
import { readText } from './typed-slots.js';

/** Reads the operand of `contains`, `startsWith` and similar operators. */
export function readPart(operand: unknown, place: Place): string {
  const text = readText(operand, place);
  const { provider, orm } = place.database;
  if (orm === 'prisma' && endsInEscape(text, provider)) place.refuse('must not end with a single backslash: write two.', 'invalid-value');
  return text;
}

/** Reads the query of a full-text search. */
export function readSearch(operand: unknown, place: Place): string {
  const text = readText(operand, place);
  const { provider, orm } = place.database;
  if (orm === 'prisma' && provider === 'postgresql' && !isTsQuery(text))
    place.refuse("must be a query of PostgreSQL's full-text search, e.g. 'cat & (dog | mouse)'.", 'invalid-value');
  return text;
}
