import { ONE_OPERATORS } from './words.js';

const TO_ONE_OPERATORS: ReadonlySet<string> = new Set(ONE_OPERATORS);

/** What a to-one relation leads to. */
export interface FilterTarget {
  /** Whether it has a field of that name, a relation or a plain one. */
  readonly has: (name: string) => boolean;
  /** Whether a value can be what an operator of the relation takes: conditions on the related row, or null where there need be none. */
  readonly fits: (operand: unknown) => boolean;
}

/**
 * Whether a filter on a to-one relation is one of operators, `{ is, isNot }`, rather than conditions on the related row, which are short for
 * `{ is: conditions }`.
 *
 * A target with a field called `is` or `isNot` can have both of the same form. Prisma takes it for operators wherever each of them can be one.
 */
export function isToOneFilter(filter: Readonly<Record<string, unknown>>, target: FilterTarget): boolean {
  const members = Object.entries(filter).filter(([, member]) => member !== undefined);
  if (!members.some(([key]) => TO_ONE_OPERATORS.has(key))) return false;
  if (!members.some(([key]) => target.has(key))) return true;
  return members.every(([key, operand]) => TO_ONE_OPERATORS.has(key) && target.fits(operand));
}
