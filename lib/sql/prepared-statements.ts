import type { Step } from './pipeline.js';

/** A step, and the name by which it may be prepared. */
export interface Nameable {
  readonly step: Step;
  readonly name: string | undefined;
}

/** The limits for the prepared statements of a connection. */
export interface PreparedLimits {
  readonly statements: number;
  /** The maximum number of characters of their texts. The server takes some hundred bytes for each character, so these are at most about 40 MB. */
  readonly characters: number;
}

export const PREPARED_LIMITS: PreparedLimits = { statements: 2000, characters: 256_000 };

interface Kept {
  readonly characters: number;
  /** Whether the server is certain to have the prepared statement. */
  isKept: boolean;
}

/** The prepared statements of one connection. Each exists on the server until it is closed. */
export class PreparedStatements {
  /** The prepared statements by name, the least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  constructor(private readonly limits: PreparedLimits) {}

  /** Marks statements as used. Returns them as named steps, and the names of prepared statements to close. */
  use(statements: readonly Nameable[]): { readonly steps: readonly Step[]; readonly dropped: readonly string[] } {
    const steps: Step[] = [];
    for (const { step, name } of statements) {
      // A statement that occurs twice in one batch is prepared by its first occurrence.
      const isKept = name !== undefined && (this.#touch(name, step.text.length) || steps.some((earlier) => earlier.name === name));
      steps.push(name === undefined ? step : { name, isKept, ...step });
    }
    return { steps, dropped: this.#dropOldest() };
  }

  /** Records, after the steps were run, whether the server has prepared them. After an error this is unknown, so they are prepared again. */
  settle(steps: readonly Step[], isParsed: boolean): void {
    for (const { name, isKept } of steps) {
      const kept = name !== undefined && isKept === false ? this.#kept.get(name) : undefined;
      if (kept) kept.isKept = isParsed;
    }
  }

  /** Records that the server has none of the prepared statements. */
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
