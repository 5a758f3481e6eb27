import { ApiError } from '../errors/api-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import type { CONNECTIVES, Where } from './words.js';

export type Connective = (typeof CONNECTIVES)[number];

/**
 * Where a field or relation of a model is called as a connective is, Prisma takes the word for that member: `NOT: { id: 1 }` then asks for the related row 1. The same
 * is said by the other connectives, and by `NOT` alone.
 */
function isMember(connective: Connective, { fields, relations }: StoredModel): boolean {
  const member = fields.get(connective) ?? relations.get(connective);
  return member !== undefined && !member.ignored;
}

/** Whether Prisma can be told what a connective says. */
export function isSayable(connective: Connective, model: StoredModel): boolean {
  return !isMember(connective, model) || !isMember('NOT', model);
}

export function printAnd(wheres: readonly Where[], model: StoredModel): Where {
  if (!isMember('AND', model)) return { AND: wheres };
  // No element of the list may hold.
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
