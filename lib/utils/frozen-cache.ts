/** Keeps what was made of an object, where that is frozen and so cannot change; of any other it is made each time. */
export class FrozenCache<Value> {
  readonly #known = new WeakMap<object, Value>();

  of(source: unknown, make: () => Value): Value {
    if (typeof source !== 'object' || source === null || !Object.isFrozen(source)) return make();
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(source, made);
    return made;
  }
}
