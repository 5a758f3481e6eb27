import { isPlainObject } from '../wire/is-plain-object.js';
import type { Condition } from './rules-option.js';

/**
 * What a rule gave, as a condition.
 *
 * `undefined` is refused wherever it stands: to Prisma it means that there is no condition, so that a caller without an id would reach every row.
 *
 * @param refuse is told what is wrong with it, e.g. `gave undefined at 'authorId'`
 */
export function readCondition(value: unknown, refuse: (problem: string) => never): Condition {
  if (typeof value === 'boolean') return value;
  if (!isPlainObject(value)) return refuse(`gave ${nameOf(value)}: a rule is true, false or a Prisma where.`);
  checkMembers(value, [], refuse);
  return value;
}

function checkMembers(value: unknown, path: readonly string[], refuse: (problem: string) => never): void {
  if (isNothing(value)) refuse(`gave ${nameOf(value)} at '${path.join('.')}', which Prisma takes for no condition at all.`);
  if (typeof value === 'function' || typeof value === 'symbol') refuse(`gave ${nameOf(value)} at '${path.join('.')}'.`);
  if (path.length > MAX_DEPTH) refuse('gave an object that is too deep.');
  if (!Array.isArray(value) && !isPlainObject(value)) return;
  for (const [key, member] of Object.entries(value)) checkMembers(member, [...path, key], refuse);
}

const MAX_DEPTH = 100;

/** `undefined` and `Prisma.skip`. */
function isNothing(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && typeof Reflect.get(value, 'ifUndefined') === 'function');
}

function nameOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  return isNothing(value) ? 'Prisma.skip' : `a ${typeof value}`;
}
