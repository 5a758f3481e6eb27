import type { Step } from './pipeline.js';

/** A step that has no name yet, and the name that it may have. */
export interface Nameable {
  readonly step: Step;
  readonly name: string | undefined;
}

/** What one connection has prepared: the server keeps each until it is closed. */
export class PreparedStatements {
  /** The least recently used first, and whether the server is known to have it. */
  readonly #kept = new Map<string, boolean>();

  constructor(private readonly most: number) {}

  /** Marks statements as used. */
  use(statements: readonly Nameable[]): { readonly steps: readonly Step[]; readonly dropped: readonly string[] } {
    const steps = statements.map(({ step, name }) => (name === undefined ? step : { ...step, name, isKept: this.#touch(name) }));
    return { steps, dropped: this.#dropOldest() };
  }

  /** After the steps were run: after an error it is not known how far the server came. */
  settle(steps: readonly Step[], isParsed: boolean): void {
    for (const { name, isKept } of steps) if (name !== undefined && isKept === false) this.#kept.set(name, isParsed);
  }

  /** The server knows none of them, after all. */
  forget(): void {
    for (const name of this.#kept.keys()) this.#kept.set(name, false);
  }

  #dropOldest(): readonly string[] {
    const dropped: string[] = [];
    for (const name of this.#kept.keys()) {
      if (this.#kept.size <= this.most) break;
      this.#kept.delete(name);
      dropped.push(name);
    }
    return dropped;
  }

  #touch(name: string): boolean {
    const isKept = this.#kept.get(name) ?? false;
    this.#kept.delete(name);
    this.#kept.set(name, isKept);
    return isKept;
  }
}
