/** How often each test file killed mutants of each source file, and how long it took. */
export class History {
  #kills = new Map();
  #durations = new Map();

  add({ mutated, file, duration, isKiller }) {
    this.#durations.set(file, duration);
    if (isKiller) this.#kills.set(`${mutated} ${file}`, this.#killsOf(mutated, file) + 1);
  }

  /**
   * @template Tests
   * @param {string} mutated the source file
   * @param {Map<string, Tests>} files test files
   * @returns {[string, Tests][]} first the files that kill most mutants of the source file per second
   */
  sort(mutated, files) {
    const worth = (file) => (this.#killsOf(mutated, file) + 0.1) / (this.#durations.get(file) ?? 100);
    return [...files].sort(([one], [other]) => worth(other) - worth(one));
  }

  #killsOf(mutated, file) {
    return this.#kills.get(`${mutated} ${file}`) ?? 0;
  }
}
