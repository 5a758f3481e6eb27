/** What is kept of one entry. */
interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  /** Whether it was used since room was last made. */
  isUsed: boolean;
}

/**
 * A map of at most so many entries, or of so much weight. Those that were not used since room was last made make room for a new one, the oldest first:
 * to keep the order of all uses would cost more than to look an entry up.
 */
export class LruMap<Key, Value> {
  private readonly entries = new Map<Key, Entry<Value>>();
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

  /** A map keeps its entries in the order in which they were set: those that are kept come again at its end, as unused ones. */
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
