import { isPlainObject } from './is-plain-object.js';

/**
 * The values in a value, itself not counted: elements of lists, members of objects, at any depth.
 *
 * @param enough where counting ends: a caller who wants to know whether there are more than so many gets a number above it, and no further
 *   list or object is looked into
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
