import { didYouMean } from '../errors/did-you-mean.js';
import type { Storage } from '../model/storage/storage.js';
import { isSayable } from '../prisma/connectives.js';
import type { Place } from '../prisma/place.js';
import { readWhere } from '../prisma/read-where.js';
import { ALWAYS, type Condition, NEVER } from '../query/condition.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { describeValue, problemOf } from './problem-of.js';
import { storageVocabulary } from './storage-vocabulary.js';

/**
 * Reads the result of a rule as a condition, like the filter of a client, but with the names of the whole schema.
 *
 * Values that Prisma treats as no condition are rejected at any depth, so that a caller without an id does not reach every row. These are
 * `undefined`, numbers that are not finite (Prisma sends them as null), and objects that are neither conditions nor values.
 *
 * @param model the Prisma name of the model
 * @param refuse receives the problem, e.g. `gave undefined at 'authorId'`
 */
export function readRule(storage: Storage, model: string, value: unknown, refuse: (problem: string) => never): Condition {
  if (typeof value === 'boolean') return value ? ALWAYS : NEVER;
  const problem = problemOfRule(value);
  if (problem !== undefined) return refuse(problem);
  const vocabulary = storageVocabulary(storage, model);
  // Every rule is combined with the condition of the caller.
  if (!isSayable('AND', vocabulary.model))
    return refuse(`gave a where, and '${model}' has members called AND and NOT: say true or false there.`);
  try {
    return readWhere(vocabulary, value, placeOf(storage, []));
  } catch (error) {
    if (error instanceof Unreadable) return refuse(error.message);
    throw error;
  }
}

/** Returns the problem of a rule that is wrong for any model; undefined if there is none. */
export function problemOfRule(value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined;
  return isPlainObject(value) ? problemOf(value) : `gave ${describeValue(value)}: a rule is true, false or a Prisma where.`;
}

/** Error of a rule that is no condition on its model. */
class Unreadable extends Error {}

/**
 * Creates the place of a member of a rule, for messages.
 *
 * @param mayBeEmpty whether an object without members is a condition here
 */
function placeOf(database: Place['database'], path: readonly string[], mayBeEmpty = false): Place {
  const text = path.join('.');
  const below = (name: string, means?: 'rows'): Place => placeOf(database, [...path, name], means === 'rows');
  return {
    text,
    member: below,
    element: (index) => below(String(index)),
    enter: (members) => {
      if (mayBeEmpty || Object.keys(members).length > 0) return;
      throw new Unreadable(`gave ${Array.isArray(members) ? '[]' : '{}'}${text === '' ? '' : ` at '${text}'`}${NO_CONDITION}`);
    },
    spendTerms: () => undefined,
    refuse: (sentence) => {
      throw new Unreadable(`gave a where in which '${text}' ${sentence}`);
    },
    refuseUnknown: (known) => {
      throw new Unreadable(`gave a where in which '${text}' is no name that Prisma takes there.${didYouMean(path.at(-1) ?? '', known)}`);
    },
    attempt: (read) => {
      try {
        return read();
      } catch (error) {
        if (error instanceof Unreadable) return undefined;
        throw error;
      }
    },
    database,
  };
}

/** The problem of an empty object, and of an empty list of a group. */
const NO_CONDITION = ', which Prisma takes for no condition at all: say true where all rows are meant.';
