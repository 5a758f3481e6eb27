/** A map of at most so many entries, or of so much weight: those that were used least recently make room for a new one. */
export class LruMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();
  private weight = 0;

  /** @param weigh by default, every entry weighs 1 */
  constructor(
    private readonly capacity: number,
    private readonly weigh: (key: Key, value: Value) => number = () => 1,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.drop(key);
    this.entries.set(key, value);
    this.weight += this.weigh(key, value);
    if (this.weight <= this.capacity) return;
    // A map keeps its entries in the order in which they were set.
    for (const oldest of this.entries.keys()) {
      this.drop(oldest);
      if (this.weight <= this.capacity) return;
    }
  }

  private drop(key: Key): void {
    const value = this.entries.get(key);
    if (value === undefined) return;
    this.entries.delete(key);
    this.weight -= this.weigh(key, value);
  }
}
