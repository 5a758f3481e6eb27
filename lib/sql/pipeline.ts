import type { Parameter } from './parameter.js';

/** One statement of a pipeline. */
export interface Step {
  readonly text: string;
  readonly values: readonly Parameter[];
  /** What the server calls the command once it is complete, e.g. `SELECT`. */
  readonly command: 'BEGIN' | 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'COMMIT';
  /** The server keeps a statement with a name. */
  readonly name?: string;
  /** Whether the server has kept it already. */
  readonly isKept?: boolean;
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

export interface PipelineContext {
  /** The index of the step whose rows are the result. */
  readonly answering: number;
  /** The names of statements that the server is no longer to keep. */
  readonly dropped: readonly string[];
  readonly rows: RowRules;
}

/** What becomes of rows as they arrive. */
export interface RowRules {
  /** The most bytes of all rows. @default no limit */
  readonly maxBytes?: number;
  /** Converts a row from the texts of its columns. @default not at all */
  readonly convert?: (fields: readonly (string | null)[]) => unknown;
  /** Whether the result is how many rows the command has written, and not rows. @default false */
  readonly counted?: boolean;
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
  #rows: unknown[] = [];
  #bytes = 0;
  #error: Error | undefined;

  /** @param callback node-postgres replaces it to limit the time of an answer (`query_timeout`) */
  constructor(
    private readonly steps: readonly Step[],
    private readonly context: PipelineContext,
    public callback: (error: Error | null, rows?: readonly unknown[]) => void,
  ) {
    this.text = steps[context.answering]?.text ?? '';
  }

  submit(wire: Wire): void {
    const { steps, context } = this;
    const sent = steps.map((step) => ({ ...step, values: step.values.map(wireTextOf) }));
    wire.stream.cork?.();
    // A name that the server may have is given up before it is given again. To close one that it does not have is no error.
    for (const name of [...context.dropped, ...steps.flatMap(({ name, isKept }) => (isKept === true ? [] : (name ?? [])))])
      wire.close({ type: 'S', name });
    for (const { text, values, name = '', isKept } of sent) {
      if (isKept !== true) wire.parse({ name, text, types: [] });
      wire.bind({ statement: name, values });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork?.();
  }

  handleDataRow({ fields, length }: { readonly fields: readonly (string | null)[]; readonly length: number }): void {
    const { answering, rows } = this.context;
    // Rows that a guard has returned are as many as were written.
    if (this.#done.length !== answering || this.#error || rows.counted) return;
    this.#bytes += length;
    if (this.#bytes > (rows.maxBytes ?? Infinity)) {
      this.#giveUp(new TooManyBytesError(`There are more than ${String(rows.maxBytes)} bytes of rows.`));
      return;
    }
    try {
      this.#rows.push(rows.convert ? rows.convert(fields) : fields);
    } catch (error) {
      this.#giveUp(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** The connection is closed, so that no more comes: it has not been told the end of its query. */
  #giveUp(error: Error): void {
    this.#error = error;
    this.#rows = [];
    this.callback(error);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#done.push(text);
  }

  /** The result counts only if every command has run as it was meant to: `COMMIT` of a failed transaction is a `ROLLBACK`. */
  handleReadyForQuery(): void {
    if (this.#error) return;
    const isWhole = this.steps.every(({ command }, index) => this.#done[index]?.split(' ')[0] === command);
    if (isWhole && this.#done.length === this.steps.length) this.callback(null, this.#result);
    else this.callback(new Error(`The server answered ${JSON.stringify(this.#done)} to statements that were sent together.`));
  }

  get #result(): readonly unknown[] {
    const { answering, rows } = this.context;
    return rows.counted ? [writtenBy(this.#done[answering] ?? '')] : this.#rows;
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
