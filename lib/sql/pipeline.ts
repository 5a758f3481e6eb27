import { flatMap } from '../utils/flat-map.js';
import type { Parameter } from './parameter.js';

/** The text of a statement and the values of its placeholders. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly Parameter[];
}

/** One statement of a pipeline. */
export interface Step extends SqlStatement {
  /** The command of the server's `CommandComplete`, e.g. `SELECT`. */
  readonly command: 'BEGIN' | 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'COMMIT' | 'ROLLBACK';
  /** The name of the prepared statement; absent for a statement that is not prepared. */
  readonly name?: string;
  /** Whether the server already has the prepared statement. */
  readonly isKept?: boolean;
  /** How the rows of the statement are read; absent if its rows are ignored. */
  readonly rows?: RowReading;
}

/** The connection that node-postgres passes to `submit()` of a `Submittable`, which `pg-cursor` and `pg-query-stream` use, too. */
export interface Wire {
  readonly stream: { readonly cork?: () => void; readonly uncork?: () => void };
  readonly parse: (message: { readonly name: string; readonly text: string; readonly types: readonly number[] }) => void;
  readonly bind: (message: { readonly statement: string; readonly values: readonly (string | null)[] }) => void;
  readonly execute: (message: object) => void;
  readonly close: (message: { readonly type: 'S'; readonly name: string }) => void;
  readonly sync: () => void;
}

export const WIRE_METHODS = ['parse', 'bind', 'execute', 'close', 'sync'] as const;

/** How the rows of a statement are read as they arrive. */
export interface RowReading {
  /** The maximum number of bytes of all rows. @default no limit */
  readonly maxBytes?: number;
  /** Converts a row from the texts of its columns. @default not at all */
  readonly convert?: (fields: readonly (string | null)[]) => unknown;
  /** Whether the result is the number of written rows instead of rows. @default false */
  readonly counted?: boolean;
}

/** The result of one step: its rows, or the error of reading them. */
export interface StepAnswer {
  rows: unknown[];
  bytes: number;
  error?: Error;
}

/** Thrown if the rows of a statement have more bytes than allowed. */
export class TooManyBytesError extends Error {
  override readonly name = 'TooManyBytesError';
}

/**
 * Statements that are sent together and answered in one round trip, with bound values. After one that fails, the server skips the others (PostgreSQL
 * documentation, "Pipelining"), so no statement runs after a failed one.
 */
export class Pipeline {
  /** The text that loggers and tracers of queries display: that of the first statement that returns rows. */
  readonly text: string;
  readonly #done: string[] = [];
  /** The results by step; undefined for a step whose rows are ignored. */
  readonly #answers: readonly (StepAnswer | undefined)[];
  #error: Error | undefined;

  /**
   * @param dropped the names of prepared statements that the server should close
   * @param callback called once with the result; node-postgres wraps it for `query_timeout`
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
    // A name that the server may already have is closed before it is prepared again. To close an unknown name is no error.
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
    // A guard returns one row for each written row, and the command is counted instead.
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

  /**
   * Stores the error of a step, and discards its rows. If it is the only step with rows, the callback fails at once. The pool then closes the
   * connection, because the result has not been read to its end, so that the server sends no more rows.
   */
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

  /** Returns the results only if every command was executed as sent: the server executes `COMMIT` in a failed transaction as `ROLLBACK`. */
  handleReadyForQuery(): void {
    if (this.#error) return;
    const isWhole = this.steps.every(({ command }, index) => this.#done[index]?.split(' ')[0] === command);
    if (isWhole && this.#done.length === this.steps.length) this.callback(null, this.#results);
    else this.callback(new Error(`The server answered ${JSON.stringify(this.#done)} to statements that were sent together.`));
  }

  get #results(): readonly StepAnswer[] {
    return flatMap(this.#answers, (answer, index) => {
      if (!answer) return [];
      return [this.steps[index]?.rows?.counted === true ? { ...answer, rows: [writtenBy(this.#done[index] ?? '')] } : answer];
    });
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  /** Ignored, because the query determines the columns of its result. */
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

/** Returns the number of rows that a command has written, e.g. of `INSERT 0 5` (PostgreSQL documentation, "Message Formats", `CommandComplete`). */
function writtenBy(command: string): number {
  return Number(command.slice(command.lastIndexOf(' ')));
}

/** Returns the text format of a value, as node-postgres sends it. */
export function wireTextOf(value: Parameter): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return `{${value.map((item) => (item === null ? 'NULL' : `"${String(item).replaceAll(/["\\]/g, String.raw`\$&`)}"`)).join(',')}}`;
}
