import { RESULT_NOT_READABLE } from '../errors/unreadable-result-error.js';
import { isObject } from '../utils/is-object.js';

/** A rule with the reason that rejected callers receive. {@link reason} creates it. */
export interface Reasoned<Of> {
  /** A string key instead of a symbol, because the other copy of this package (CommonJS or ES module) may have created the object. */
  readonly '~reason': string;
  readonly 'rule': Of;
}

/**
 * Adds a reason to a rule. A caller that the rule rejects (403) receives it in `meta.reason` of REST or `reason` of RPC, and the log contains it. The
 * rule `read` takes no reason, because a row that may not be read is not rejected but missing.
 *
 * @param text visible to callers, e.g. `'not a member'`
 * @param rule a rule, or the result of a rule that is a function
 * @example
 * const rules = defineRules<PrismaClient, CallerRequest>()({
 *   Post: { update: reason('not the author', ({ callerId }) => ({ authorId: callerId ?? -1 })), delete: reason('posts are kept', false), … },
 * });
 */
export function reason<Of>(text: string, rule: Of): Reasoned<Of> {
  return Object.freeze({ '~reason': text, rule });
}

export function isReasoned(value: unknown): value is Reasoned<unknown> {
  return isObject(value) && '~reason' in value;
}

/** Returns what is wrong with a reason; undefined if it is valid. */
export function problemOfReason({ '~reason': text, rule }: Reasoned<unknown>): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return 'has a reason that is no text.';
  if (text === RESULT_NOT_READABLE) return `has the reason '${text}', which means that a write was committed.`;
  return isReasoned(rule) ? 'has a reason within a reason.' : undefined;
}
