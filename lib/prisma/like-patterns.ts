import type { DatabaseProvider } from '../model/schema/resource-schema.js';
import { escapeWildcards } from './escape-wildcards.js';

/** The databases whose `LIKE` fails at a pattern that ends with its escape character, and that have an `ILIKE`. */
const WITH_ILIKE: ReadonlySet<DatabaseProvider> = new Set(['postgresql', 'cockroachdb']);

/**
 * Whether a text ends with a backslash that escapes nothing. As a `LIKE` pattern it fails the statement, but only once a row matches up to there:
 * the error would tell of rows that the caller may not read.
 */
export function endsInEscape(text: string, provider: DatabaseProvider): boolean {
  return WITH_ILIKE.has(provider) && (/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 1;
}

/**
 * A text as the operand of an equality regardless of case: Prisma compares by `ILIKE`, in which `%`, `_` and a backslash mean something, and gives
 * the text as it is.
 */
export function literalText(text: string, provider: DatabaseProvider): string {
  return WITH_ILIKE.has(provider) ? escapeWildcards(text, provider) : text;
}

/** Whether the equality of a Json value, regardless of case, is equality: it is compared by `ILIKE` as well, and JSON can escape nothing there. */
export function isLiteralJson(value: unknown, provider: DatabaseProvider): boolean {
  return !WITH_ILIKE.has(provider) || !/[%_\\]/.test(JSON.stringify(value));
}
