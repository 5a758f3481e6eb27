/** A stored value with its weight. */
interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  /** Whether the entry was read since the last eviction. */
  isUsed: boolean;
}

/**
 * A map with a maximum number of entries, or a maximum total weight. A new entry evicts those that were not read since the last eviction,
 * oldest first.
 * Because an exact order of uses would cost more than a lookup, the map records only whether an entry was read.
 */
export class SecondChanceCache<Key, Value> {
  private readonly entries = new Map<Key, Entry<Value>>();
  private weight = 0;

  /** @param weigh returns the weight of an entry; by default, every entry weighs 1 */
  constructor(
    private readonly capacity: number,
    private readonly weigh: (key: Key, value: Value) => number = () => 1,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: Key): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  set(key: Key, value: Value): void {
    this.drop(key);
    const weight = this.weigh(key, value);
    if (weight > this.capacity) return;
    this.makeRoom(weight);
    this.keep(key, { value, weight, isUsed: false });
  }

  /** Evicts entries until the new weight fits. Entries that were read are moved to the end of the insertion order and marked as unread. */
  private makeRoom(weight: number): void {
    for (const [key, entry] of this.entries) {
      if (this.weight + weight <= this.capacity) return;
      this.drop(key);
      if (!entry.isUsed) continue;
      entry.isUsed = false;
      this.keep(key, entry);
    }
  }

  private keep(key: Key, entry: Entry<Value>): void {
    this.entries.set(key, entry);
    this.weight += entry.weight;
  }

  private drop(key: Key): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.weight -= entry.weight;
  }
}

/** Maximum length of a cached query string, because longer ones rarely repeat. */
export const LONG_TEXT = 2_000;

/** Creates a cache of parsed query strings, by their texts: about 250 short ones. A parsed query takes much more memory than its text. */
export function cacheByText<Value>(): SecondChanceCache<string, Value> {
  return new SecondChanceCache(250_000, (text) => 1_000 + text.length);
}
