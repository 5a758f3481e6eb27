import { RESULT_NOT_READABLE } from '../errors/unreadable-result-error.js';
import { isObject } from '../utils/is-object.js';

/** A rule with what callers are told whom it refuses; {@link reason} makes it. */
export interface Reasoned<Of> {
  /** A string, not a symbol: for TypeScript and at run time alike, it may be made by the other copy of this package, CommonJS or ES module. */
  readonly '~reason': string;
  readonly 'rule': Of;
}

/**
 * Gives a rule a reason: who is refused by it (403) is told it, in `meta.reason` of REST and `reason` of RPC, and so is the log. What a rule may not
 * read refuses nothing, it is not there: `read` takes no reason.
 *
 * @param text what callers may know, e.g. `'not a member'`
 * @param rule a rule, or what a rule that is a function gives
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

/** What is wrong with the text of a reason; undefined where nothing is. */
export function problemOfReason({ '~reason': text, rule }: Reasoned<unknown>): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return 'has a reason that is no text.';
  if (text === RESULT_NOT_READABLE) return `has the reason '${text}', which says of a write that it stands.`;
  return isReasoned(rule) ? 'has a reason within a reason.' : undefined;
}
