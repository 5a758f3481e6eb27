import type { Step } from './pipeline.js';

/** A step that has no name yet, and the name that it may have. */
export interface Nameable {
  readonly step: Step;
  readonly name: string | undefined;
}

/** How much a connection prepares. */
export interface PreparedLimits {
  readonly statements: number;
  /** Characters of their texts: the server holds some hundred bytes for each of them, 40 MB in all. */
  readonly characters: number;
}

export const PREPARED_LIMITS: PreparedLimits = { statements: 2000, characters: 256_000 };

interface Kept {
  readonly characters: number;
  /** Whether the server is known to have it. */
  isKept: boolean;
}

/** What one connection has prepared: the server keeps each until it is closed. */
export class PreparedStatements {
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  constructor(private readonly limits: PreparedLimits) {}

  /** Marks statements as used. */
  use(statements: readonly Nameable[]): { readonly steps: readonly Step[]; readonly dropped: readonly string[] } {
    const steps: Step[] = [];
    for (const { step, name } of statements) {
      // One that is sent twice is there the second time.
      const isKept = name !== undefined && (this.#touch(name, step.text.length) || steps.some((earlier) => earlier.name === name));
      steps.push(name === undefined ? step : { name, isKept, ...step });
    }
    return { steps, dropped: this.#dropOldest() };
  }

  /** After the steps were run: after an error it is not known how far the server came. */
  settle(steps: readonly Step[], isParsed: boolean): void {
    for (const { name, isKept } of steps) {
      const kept = name !== undefined && isKept === false ? this.#kept.get(name) : undefined;
      if (kept) kept.isKept = isParsed;
    }
  }

  /** The server knows none of them, after all. */
  forget(): void {
    for (const kept of this.#kept.values()) kept.isKept = false;
  }

  #dropOldest(): readonly string[] {
    const dropped: string[] = [];
    const { statements, characters } = this.limits;
    for (const [name, kept] of this.#kept) {
      if (this.#kept.size <= statements && this.#characters <= characters) break;
      this.#kept.delete(name);
      this.#characters -= kept.characters;
      dropped.push(name);
    }
    return dropped;
  }

  #touch(name: string, characters: number): boolean {
    const kept = this.#kept.get(name) ?? { characters, isKept: false };
    if (this.#kept.delete(name)) this.#characters -= kept.characters;
    this.#kept.set(name, kept);
    this.#characters += kept.characters;
    return kept.isKept;
  }
}
