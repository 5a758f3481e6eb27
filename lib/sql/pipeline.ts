import type { Parameter } from './parameter.js';

/** The text of a statement and the values of its placeholders. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly Parameter[];
}

/** One statement of a pipeline. */
export interface Step extends SqlStatement {
  /** What the server calls the command once it is complete, e.g. `SELECT`. */
  readonly command: 'BEGIN' | 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'COMMIT' | 'ROLLBACK';
  /** The server keeps a statement with a name. */
  readonly name?: string;
  /** Whether the server has kept it already. */
  readonly isKept?: boolean;
  /** What becomes of its rows, if they are asked for. */
  readonly rows?: RowRules;
}

/** The connection of node-postgres that it hands to what is submitted (`Submittable`, which `pg-cursor` and `pg-query-stream` use, too). */
export interface Wire {
  readonly stream: { readonly cork?: () => void; readonly uncork?: () => void };
  readonly parse: (message: { readonly name: string; readonly text: string; readonly types: readonly number[] }) => void;
  readonly bind: (message: { readonly statement: string; readonly values: readonly (string | null)[] }) => void;
  readonly execute: (message: object) => void;
  readonly close: (message: { readonly type: 'S'; readonly name: string }) => void;
  readonly sync: () => void;
}

export const WIRE_METHODS = ['parse', 'bind', 'execute', 'close', 'sync'] as const;

/** What becomes of rows as they arrive. */
export interface RowRules {
  /** The most bytes of all rows. @default no limit */
  readonly maxBytes?: number;
  /** Converts a row from the texts of its columns. @default not at all */
  readonly convert?: (fields: readonly (string | null)[]) => unknown;
  /** Whether the result is how many rows the command has written, and not rows. @default false */
  readonly counted?: boolean;
}

/** The answer of one step: its rows, or why it has none. */
export interface StepAnswer {
  rows: unknown[];
  bytes: number;
  error?: Error;
}

/** There are more bytes of rows than may be. */
export class TooManyBytesError extends Error {
  override readonly name = 'TooManyBytesError';
}

/**
 * Statements that are sent together and answered in one round trip. After one that fails the server skips the others (PostgreSQL documentation,
 * "Pipelining"), so nothing runs that is to run after it. Values are bound.
 */
export class Pipeline {
  /** What loggers and tracers of queries show. */
  readonly text: string;
  readonly #done: string[] = [];
  /** Of each step whose rows are asked for. */
  readonly #answers: readonly (StepAnswer | undefined)[];
  #error: Error | undefined;

  /**
   * @param dropped the names of statements that the server is no longer to keep
   * @param callback node-postgres replaces it to limit the time of an answer (`query_timeout`)
   */
  constructor(
    readonly steps: readonly Step[],
    private readonly dropped: readonly string[],
    public callback: (error: Error | null, answers?: readonly StepAnswer[]) => void,
  ) {
    this.#answers = steps.map(({ rows }) => rows && { rows: [], bytes: 0 });
    this.text = steps.find(({ rows }) => rows)?.text ?? '';
  }

  submit(wire: Wire): void {
    const { steps, dropped } = this;
    const sent = steps.map((step) => ({ step, values: step.values.map(wireTextOf) }));
    wire.stream.cork?.();
    // A name that the server may have is given up before it is given again. To close one that it does not have is no error.
    for (const name of dropped) wire.close({ type: 'S', name });
    for (const { name, isKept } of steps) if (name !== undefined && isKept !== true) wire.close({ type: 'S', name });
    for (const { step, values } of sent) {
      const { text, name = '', isKept } = step;
      if (isKept !== true) wire.parse({ name, text, types: [] });
      wire.bind({ statement: name, values });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork?.();
  }

  handleDataRow({ fields, length }: { readonly fields: readonly (string | null)[]; readonly length: number }): void {
    const { rows } = this.steps[this.#done.length] ?? {};
    const answer = this.#answers[this.#done.length];
    // Rows that a guard has returned are as many as were written.
    if (!rows || !answer || answer.error || rows.counted) return;
    const { maxBytes = Infinity, convert } = rows;
    answer.bytes += length;
    try {
      if (answer.bytes > maxBytes) throw new TooManyBytesError(`There are more than ${String(maxBytes)} bytes of rows.`);
      answer.rows.push(convert ? convert(fields) : fields);
    } catch (error) {
      this.#refuse(answer, error);
    }
  }

  /** If nothing else is asked for, the connection is closed, so that no more comes: it has not been told the end of its query. */
  #refuse(answer: StepAnswer, thrown: unknown): void {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    answer.error = error;
    answer.rows = [];
    if (this.#answers.filter(Boolean).length > 1) return;
    this.#error = error;
    this.callback(error);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#done.push(text);
  }

  /** The result counts only if every command has run as it was meant to: `COMMIT` of a failed transaction is a `ROLLBACK`. */
  handleReadyForQuery(): void {
    if (this.#error) return;
    const isWhole = this.steps.every(({ command }, index) => this.#done[index]?.split(' ')[0] === command);
    if (isWhole && this.#done.length === this.steps.length) this.callback(null, this.#asked);
    else this.callback(new Error(`The server answered ${JSON.stringify(this.#done)} to statements that were sent together.`));
  }

  get #asked(): readonly StepAnswer[] {
    return this.#answers.flatMap((answer, index) => {
      if (!answer) return [];
      return this.steps[index]?.rows?.counted === true ? { ...answer, rows: [writtenBy(this.#done[index] ?? '')] } : answer;
    });
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  /** Nobody asks for it. */
  handleRowDescription(): void {
    return;
  }

  handlePortalSuspended(): void {
    return;
  }

  handleEmptyQuery(): void {
    return;
  }

  handleCopyInResponse(): void {
    return;
  }

  handleCopyData(): void {
    return;
  }
}

/** How many rows a command has written, e.g. of `INSERT 0 5` (PostgreSQL documentation, "Message Formats", `CommandComplete`). */
function writtenBy(command: string): number {
  return Number(command.slice(command.lastIndexOf(' ')));
}

/** The text form of a value, as node-postgres writes it. */
export function wireTextOf(value: Parameter): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return `{${value.map((item) => (item === null ? 'NULL' : `"${String(item).replaceAll(/["\\]/g, String.raw`\$&`)}"`)).join(',')}}`;
}
