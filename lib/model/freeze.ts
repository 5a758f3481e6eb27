/** Creates an immutable map. Because `Object.freeze` does not protect the entries of a Map, its mutators are replaced. */
export function frozenMap<Key, Value>(entries: Iterable<readonly [Key, Value]>): ReadonlyMap<Key, Value> {
  return seal(new Map(entries), ['set', 'delete', 'clear']);
}

/** Creates an immutable set; see {@link frozenMap}. */
export function frozenSet<Value>(values: Iterable<Value>): ReadonlySet<Value> {
  return seal(new Set(values), ['add', 'delete', 'clear']);
}

function seal<Collection extends object>(collection: Collection, mutators: readonly string[]): Collection {
  for (const mutator of mutators) Object.defineProperty(collection, mutator, { value: refuse });
  return Object.freeze(collection);
}

function refuse(): never {
  throw new TypeError('The resource model is frozen: it was settled at boot.');
}
