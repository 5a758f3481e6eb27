import { isPlainObject } from './is-plain-object.js';

/**
 * Counts the values inside a value at any depth: elements of arrays and members of objects. The value itself is not counted.
 *
 * @param enough the count after which counting stops. The result is then greater than `enough`, but not exact
 * @example
 * countNodes({ a: [1, 2] }); // 3
 */
export function countNodes(value: unknown, enough = Infinity): number {
  let count = 0;
  const open = [value];
  for (let item = open.pop(); item !== undefined && count <= enough; item = open.pop()) {
    const members = membersOf(item);
    count += members.length;
    for (const member of count <= enough ? members : []) if (isParent(member)) open.push(member);
  }
  return count;
}

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isPlainObject(value) ? Object.values(value) : [];
}

function isParent(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
