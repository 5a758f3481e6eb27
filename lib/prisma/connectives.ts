import { ApiError } from '../errors/api-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import type { CONNECTIVES, Where } from './words.js';

export type Connective = (typeof CONNECTIVES)[number];

/**
 * Whether a model has a member with the name of a connective. Prisma then reads `NOT: { id: 1 }` as a condition on the related row with id 1. `AND`
 * and `OR` can also be expressed by `NOT` alone.
 */
function isMember(connective: Connective, { fields, relations }: StoredModel): boolean {
  const member = fields.get(connective) ?? relations.get(connective);
  return member !== undefined && !member.ignored;
}

/** Whether a connective can be expressed in a Prisma filter on a model. */
export function isSayable(connective: Connective, model: StoredModel): boolean {
  return !isMember(connective, model) || !isMember('NOT', model);
}

export function printAnd(wheres: readonly Where[], model: StoredModel): Where {
  if (!isMember('AND', model)) return { AND: wheres };
  // Prisma's `NOT` with a list excludes the rows that meet any element.
  return printNot(
    wheres.map((one) => printNot(one, model)),
    model,
  );
}

export function printOr(wheres: readonly Where[], model: StoredModel): Where {
  return isMember('OR', model) ? printNot(printNot(wheres, model), model) : { OR: wheres };
}

export function printNot(where: Where | readonly Where[], model: StoredModel): Where {
  if (!isMember('NOT', model)) return { NOT: where };
  throw new ApiError(
    'invalid-filter',
    `'${model.model}' has members that are called as Prisma's connectives are: this filter cannot be asked.`,
  );
}
