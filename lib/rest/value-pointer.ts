import { memberPointer } from './parse/json-pointer.js';
import type { ResourceContent } from './parse/write-intent.js';

/** The place of attributes in a body. */
export const ATTRIBUTES = '/data/attributes';

/**
 * Points at a value of a resource document: the deepest place of its path that is there. A missing member is pointed at by its parent (JSON:API
 * 1.1, error objects).
 *
 * @param path a field by Prisma's name, then what is inside its value; empty for the record as a whole
 */
export function valuePointer([name, ...inside]: readonly (string | number)[], { attributes }: ResourceContent): string {
  const given = attributes.find(({ attribute }) => attribute.name === name);
  if (!given) return attributes.some(({ pointer }) => pointer.startsWith(`${ATTRIBUTES}/`)) ? ATTRIBUTES : '/data';
  let { pointer, value } = given;
  for (const key of inside) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) break;
    pointer = memberPointer(pointer, key);
    value = Reflect.get(value, key);
  }
  return pointer;
}
