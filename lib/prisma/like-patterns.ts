import type { DatabaseProvider } from '../model/schema/resource-schema.js';
import { escapeWildcards } from './escape-wildcards.js';

/** The databases that have `ILIKE`, and whose `LIKE` fails for a pattern that ends with its escape character. */
const WITH_ILIKE: ReadonlySet<DatabaseProvider> = new Set(['postgresql', 'cockroachdb']);

/**
 * Whether a text ends with a backslash that escapes nothing. A `LIKE` with that pattern fails only if a row matches the rest of it. The error would
 * therefore reveal rows that the caller may not read.
 */
export function endsInEscape(text: string, provider: DatabaseProvider): boolean {
  return WITH_ILIKE.has(provider) && (/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 1;
}

/** Returns a text as the operand of a case-insensitive equality. Prisma compares by `ILIKE` without escaping `%`, `_` and backslashes. */
export function literalText(text: string, provider: DatabaseProvider): string {
  return WITH_ILIKE.has(provider) ? escapeWildcards(text, provider) : text;
}

/** Whether a case-insensitive equality of a Json value is exact. Prisma compares it by `ILIKE`, too, and JSON cannot escape wildcards there. */
export function isLiteralJson(value: unknown, provider: DatabaseProvider): boolean {
  return !WITH_ILIKE.has(provider) || !/[%_\\]/.test(JSON.stringify(value));
}
