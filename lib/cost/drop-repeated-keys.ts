import { isPlainObject } from '../wire/is-plain-object.js';

/**
 * The keys of an order without those that are there before: a key that is given again, in whichever direction, orders nothing and would be
 * worked out again all the same.
 */
export function dropRepeatedKeys<Key>(keys: readonly Key[]): readonly Key[] {
  const seen = new Set<string>();
  return keys.filter((key) => {
    const path = pathOf(key);
    const isNew = !seen.has(path);
    seen.add(path);
    return isNew;
  });
}

/** Names of the fields that lead to the value; of a search all that it looks for. */
function pathOf(key: unknown): string {
  if (!isPlainObject(key)) return '';
  const [name = '', ...others] = Object.keys(key);
  const value = key[name];
  if (name === '_relevance') return JSON.stringify(key);
  const isLeaf = others.length > 0 || !isPlainObject(value) || Object.hasOwn(value, 'sort');
  return isLeaf ? name : `${name}.${pathOf(value)}`;
}
