import type { Pipeline, Wire } from '../../../lib/sql/pipeline.js';
import { PoolReads, type TimedStatement } from '../../../lib/sql/pool-reads.js';
import type { SqlConnection, SqlQuery, SqlResult } from '../../../lib/sql/sql-pool.js';

export const READ: TimedStatement = { text: 'SELECT 1', values: [], timeout: undefined };
export const BOUND: TimedStatement = { ...READ, binding: { sql: 'SELECT set_config($1, $2, true)', values: ['app.user_id', '1'] } };

/** An error as PostgreSQL reports it. */
export function sqlError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export interface Fake {
  readonly reads: PoolReads;
  readonly sent: string[];
  readonly released: (boolean | undefined)[];
}

export function fakeOf(query: SqlConnection['query'], more: object = {}): Fake {
  const sent: string[] = [];
  const released: (boolean | undefined)[] = [];
  const connection = {
    query: (statement: SqlQuery) => {
      sent.push(statement.text);
      return query(statement);
    },
    release: (destroy?: boolean) => released.push(destroy),
    ...more,
  };
  return { reads: new PoolReads({ connect: () => Promise.resolve(connection) }), sent, released };
}

/**
 * Returns a server that calls `answer` for each pipeline, which completes its commands.
 *
 * @param rows the rows of a query outside of a pipeline
 */
export function serverOf(answer: (pipeline: Pipeline) => void, rows: readonly unknown[][] = []): Fake & { readonly wrote: string[] } {
  const wrote: string[] = [];
  const wire: Wire = {
    stream: {},
    parse: ({ text }) => wrote.push(`parse ${text}`),
    bind: ({ values }) => wrote.push(`bind ${values.join()}`),
    execute: () => wrote.push('execute'),
    close: () => wrote.push('close'),
    sync: () => wrote.push('sync'),
  };
  const query = (statement: SqlQuery | Pipeline): Promise<SqlResult> => {
    if (!('submit' in statement)) return Promise.resolve({ rows: [...rows] });
    statement.submit(wire);
    answer(statement);
    // A submitted pipeline has its own callbacks, so the reads do not use the result of `query`.
    return undefined as never;
  };
  return { ...fakeOf(query, { connection: wire }), wrote };
}

/** Completes commands at the client, each `SELECT` with a row that has its text. */
export const complete = (pipeline: Pipeline, ...commands: readonly string[]): void => {
  for (const text of commands) {
    if (text.startsWith('SELECT')) pipeline.handleDataRow({ fields: [text], length: 11 + text.length });
    pipeline.handleCommandComplete({ text });
  }
};
