import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Pipeline, type Wire, wireTextOf } from '../../../lib/sql/pipeline.js';
import { PoolReads, type TimedStatement } from '../../../lib/sql/pool-reads.js';
import type { SqlConnection, SqlQuery, SqlResult } from '../../../lib/sql/sql-pool.js';

/** How node-postgres itself writes values; it has no types for it. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as { readonly prepareValue: (value: unknown) => unknown };

const READ: TimedStatement = { text: 'SELECT 1', values: [], timeout: undefined };
const BOUND: TimedStatement = { ...READ, binding: { sql: 'SELECT set_config($1, $2, true)', values: ['app.user_id', '1'] } };

/** An error as PostgreSQL reports it. */
function sqlError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

interface Fake {
  readonly reads: PoolReads;
  readonly sent: string[];
  readonly released: (boolean | undefined)[];
}

function fakeOf(query: SqlConnection['query'], more: object = {}): Fake {
  const sent: string[] = [];
  const released: (boolean | undefined)[] = [];
  const connection = {
    query: (asked: SqlQuery) => {
      sent.push(asked.text);
      return query(asked);
    },
    release: (destroy?: boolean) => released.push(destroy),
    ...more,
  };
  return { reads: new PoolReads({ connect: () => Promise.resolve(connection) }), sent, released };
}

describe('reads on a connection that takes no pipelines', () => {
  /** Fails at one statement. */
  const failing =
    (text: string, error: Error): SqlConnection['query'] =>
    (asked): Promise<SqlResult> =>
      asked.text === text ? Promise.reject(error) : Promise.resolve({ rows: [[asked.text]] });

  it('are sent in turn, each after the answer to the one before, and prepare nothing', async () => {
    const names: (string | undefined)[] = [];
    const { reads, sent, released } = fakeOf(({ name, text }) => {
      names.push(name);
      return Promise.resolve({ rows: [[text]] });
    });
    for (let round = 0; round < 3; round++) expect(await reads.read(BOUND)).toEqual([['SELECT 1']]);
    expect(sent.slice(0, 4)).toEqual(['BEGIN READ ONLY', 'SELECT set_config($1, $2, true)', 'SELECT 1', 'COMMIT']);
    expect(new Set(names)).toEqual(new Set([undefined]));
    expect(released).toEqual([false, false, false]);
  });

  it('say how many rows a write has written', async () => {
    const { reads, sent } = fakeOf(({ text }) => Promise.resolve({ rows: [], rowCount: text === 'DELETE' ? 3 : null }));
    expect(await reads.read({ ...BOUND, text: 'DELETE', command: 'DELETE', writes: true, counted: true })).toEqual([3]);
    expect(sent).toEqual(['BEGIN', 'SELECT set_config($1, $2, true)', 'DELETE', 'COMMIT']);
  });

  it.each([
    ['BEGIN READ ONLY', ['BEGIN READ ONLY', 'ROLLBACK']],
    ['SELECT set_config($1, $2, true)', ['BEGIN READ ONLY', 'SELECT set_config($1, $2, true)', 'ROLLBACK']],
    ['COMMIT', ['BEGIN READ ONLY', 'SELECT set_config($1, $2, true)', 'SELECT 1', 'COMMIT', 'ROLLBACK']],
  ])('are not answered, and nothing more is sent, where %s fails', async (text, expected) => {
    const { reads, sent, released } = fakeOf(failing(text, sqlError('22023')));
    await expect(reads.read(BOUND)).rejects.toMatchObject({ code: '22023' });
    expect(sent).toEqual(expected);
    expect(released).toEqual([false]);
  });

  it.each([new Error('Connection terminated unexpectedly'), ...['57P01', '08006', 'ECONNRESET', 'EPIPE', 'P1017'].map(sqlError)])(
    'give their connection up after %s',
    async (error) => {
      const { reads, sent, released } = fakeOf(failing('COMMIT', error));
      await expect(reads.read(BOUND)).rejects.toBe(error);
      expect(sent.at(-1)).toBe('COMMIT');
      expect(released).toEqual([true]);
    },
  );

  it('give their connection up where it cannot roll back', async () => {
    const { reads, released } = fakeOf(({ text }) =>
      text === 'SELECT 1' || text === 'ROLLBACK' ? Promise.reject(sqlError('42501')) : Promise.resolve({ rows: [[]] }),
    );
    await expect(reads.read(BOUND)).rejects.toMatchObject({ code: '42501' });
    expect(released).toEqual([true]);
  });
});

describe('reads on a connection of node-postgres', () => {
  /** A server that answers what is sent up to a `Sync` by commands, as a list of what the client is told. */
  function serverOf(answer: (pipeline: Pipeline) => void): Fake & { readonly wrote: string[] } {
    const wrote: string[] = [];
    const wire: Wire = {
      stream: {},
      parse: ({ text }) => wrote.push(`parse ${text}`),
      bind: ({ values }) => wrote.push(`bind ${values.join()}`),
      execute: () => wrote.push('execute'),
      close: () => wrote.push('close'),
      sync: () => wrote.push('sync'),
    };
    const query = (asked: SqlQuery | Pipeline): Promise<SqlResult> => {
      if (!('submit' in asked)) return Promise.resolve({ rows: [] });
      asked.submit(wire);
      answer(asked);
      // What is submitted answers by itself, and `query` returns nothing that reads use.
      return undefined as never;
    };
    return { ...fakeOf(query, { connection: wire }), wrote };
  }

  const complete = (pipeline: Pipeline, ...commands: readonly string[]): void => {
    for (const text of commands) {
      if (text.startsWith('SELECT')) pipeline.handleDataRow({ fields: [text], length: 11 + text.length });
      pipeline.handleCommandComplete({ text });
    }
  };

  it('send all of a transaction before one Sync, with values bound', async () => {
    const { reads, wrote, released } = serverOf((pipeline) => {
      complete(pipeline, 'BEGIN', 'SELECT 1', 'SELECT 2', 'COMMIT');
      pipeline.handleReadyForQuery();
    });
    expect(await reads.read(BOUND)).toEqual([['SELECT 2']]);
    expect(wrote.map((one) => one.split(' ')[0]).join(' ')).toBe(`${'parse bind execute '.repeat(4)}sync`);
    expect(wrote).toContain('bind app.user_id,1');
    expect(released).toEqual([false]);
  });

  it.each([
    ['the transaction was rolled back', ['BEGIN', 'SELECT 1', 'SELECT 1', 'ROLLBACK']],
    ['a command is missing', ['BEGIN', 'SELECT 1', 'COMMIT']],
    ['the transaction never began', ['SELECT 1', 'SELECT 1', 'COMMIT']],
    ['nothing was done', []],
    ['too much was done', ['BEGIN', 'SELECT 1', 'SELECT 1', 'COMMIT', 'SELECT 1']],
  ])('are refused, and their connection is given up, where %s', async (_, commands) => {
    const { reads, sent, released } = serverOf((pipeline) => {
      complete(pipeline, ...commands);
      pipeline.handleReadyForQuery();
    });
    await expect(reads.read(BOUND)).rejects.toThrow('sent together');
    expect(sent).toEqual(['SELECT 1']);
    expect(released).toEqual([true]);
  });

  it('end at the first row beyond the limit of bytes, keep none of the others, and give their connection up', async () => {
    const told: number[] = [];
    const { reads, released } = serverOf((pipeline) => {
      for (let row = 0; row < 5; row++) pipeline.handleDataRow({ fields: ['x'], length: 1000 });
      pipeline.handleCommandComplete({ text: 'SELECT 5' });
      pipeline.handleReadyForQuery();
    });
    const convert = (): number => told.push(1);
    await expect(reads.read({ ...READ, maxBytes: 2500, convert })).rejects.toThrow('more than 2500 bytes');
    expect(told).toHaveLength(2);
    expect(released).toEqual([true]);
    expect(await reads.read({ ...READ, maxBytes: 5000 })).toHaveLength(5);
  });

  it('fail where a row cannot be read', async () => {
    const { reads, released } = serverOf((pipeline) => {
      complete(pipeline, 'SELECT 1');
      pipeline.handleReadyForQuery();
    });
    const convert = (): never => {
      throw new Error('unreadable');
    };
    await expect(reads.read({ ...READ, convert })).rejects.toThrow('unreadable');
    expect(released).toEqual([true]);
  });

  it('are refused where the transaction cannot be committed, and their connection is used again', async () => {
    const { reads, sent, released } = serverOf((pipeline) => {
      complete(pipeline, 'BEGIN', 'SELECT 1', 'SELECT 1');
      pipeline.handleError(sqlError('40001'));
    });
    await expect(reads.read(BOUND)).rejects.toMatchObject({ code: '40001' });
    expect(sent).toEqual(['SELECT 1', 'ROLLBACK']);
    expect(released).toEqual([false]);
  });

  it('fail where the connection breaks off after the read, and it is given up', async () => {
    const { reads, sent, released } = serverOf((pipeline) => {
      complete(pipeline, 'BEGIN', 'SELECT 1', 'SELECT 1');
      pipeline.handleError(new Error('Connection terminated unexpectedly'));
    });
    await expect(reads.read(BOUND)).rejects.toThrow('Connection terminated');
    expect(sent).toEqual(['SELECT 1']);
    expect(released).toEqual([true]);
  });

  describe('that are quick, and begin in one turn', () => {
    const QUICK: TimedStatement = { ...READ, isQuick: true };
    /** Answers each statement up to the Sync by one row of its own. */
    const answering = (pipeline: Pipeline, count: number): void => {
      complete(pipeline, ...Array.from({ length: count }, (_, index) => `SELECT ${String(index)}`));
      pipeline.handleReadyForQuery();
    };
    const several = (reads: PoolReads, count: number, more: Partial<TimedStatement> = {}): Promise<readonly unknown[]>[] =>
      Array.from({ length: count }, () => reads.read({ ...QUICK, ...more }));

    it('are sent together, at most 16 of them, and each is answered by its own rows', async () => {
      const sizes = [16, 3];
      const { reads, wrote, released } = serverOf((pipeline) => {
        answering(pipeline, sizes.shift() ?? 0);
      });
      const rows = await Promise.all(several(reads, 19));
      expect(rows).toEqual([...Array(16).keys(), 0, 1, 2].map((index) => [[`SELECT ${String(index)}`]]));
      expect(wrote.filter((one) => one === 'sync')).toHaveLength(2);
      expect(released).toEqual([false, false]);
    });

    it('are prepared once in a trip', async () => {
      const { reads, wrote } = serverOf((pipeline) => {
        answering(pipeline, 3);
      });
      for (let round = 0; round < 2; round++) await Promise.all(several(reads, 3));
      // The first read of a statement is not prepared.
      expect(wrote.filter((one) => one.startsWith('parse'))).toHaveLength(2);
      expect(wrote.filter((one) => one === 'bind ')).toHaveLength(6);
    });

    it('are sent alone where the server refuses one of them, so that only that one fails', async () => {
      let trip = 0;
      const { reads, wrote } = serverOf((pipeline) => {
        trip += 1;
        if (trip === 1 || trip === 3) pipeline.handleError(sqlError('22P02'));
        else answering(pipeline, 1);
      });
      const settled = await Promise.allSettled(several(reads, 3));
      expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(wrote.filter((one) => one === 'sync')).toHaveLength(4);
    });

    it('fail where their connection breaks off, and are not sent again', async () => {
      const { reads, wrote, released } = serverOf((pipeline) => {
        pipeline.handleError(new Error('Connection terminated unexpectedly'));
      });
      const settled = await Promise.allSettled(several(reads, 3));
      expect(settled.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
      expect(wrote.filter((one) => one === 'sync')).toHaveLength(1);
      expect(released).toEqual([true]);
    });

    it('have limits of their own: one row that is too large, or cannot be read, fails its read alone', async () => {
      const { reads, released } = serverOf((pipeline) => {
        answering(pipeline, 3);
      });
      const convert = (): never => {
        throw new Error('unreadable');
      };
      const asked = [reads.read({ ...QUICK, maxBytes: 5 }), reads.read({ ...QUICK, convert }), reads.read(QUICK)];
      const [large, unreadable, whole] = await Promise.allSettled(asked);
      expect(large).toMatchObject({ reason: { name: 'TooManyBytesError' } });
      expect(unreadable).toMatchObject({ reason: { message: 'unreadable' } });
      expect(whole).toMatchObject({ value: [['SELECT 2']] });
      expect(released).toEqual([false]);
    });

    it('are not sent where nobody waits for them any more', async () => {
      const { reads, wrote, released } = serverOf((pipeline) => {
        answering(pipeline, 1);
      });
      const waiting = {
        throwIfAborted: (): void => {
          throw new Error('Too late.');
        },
      };
      const settled = await Promise.allSettled([...several(reads, 2, { waiting }), ...several(reads, 1)]);
      expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
      expect(wrote.filter((one) => one.startsWith('bind'))).toHaveLength(1);
      await expect(Promise.all(several(reads, 2, { waiting }))).rejects.toThrow('Too late.');
      expect(wrote.filter((one) => one.startsWith('bind'))).toHaveLength(1);
      expect(released).toEqual([false, false]);
    });

    it('are sent alone where they are bound to a caller', async () => {
      const { reads, wrote } = serverOf((pipeline) => {
        complete(pipeline, 'BEGIN', 'SELECT 1', 'SELECT 2', 'COMMIT');
        pipeline.handleReadyForQuery();
      });
      await Promise.all(several(reads, 2, { binding: BOUND.binding ?? { sql: '', values: [] } }));
      expect(wrote.filter((one) => one === 'sync')).toHaveLength(2);
    });
  });

  it('write values as node-postgres does', () => {
    const scalar = fc.option(fc.oneof(fc.boolean(), fc.string({ unit: 'binary' }), fc.constantFrom('NULL', '"', '\\', "'", '{}', '')));
    fc.assert(
      fc.property(fc.oneof(scalar, fc.array(scalar)), (value) => {
        expect(wireTextOf(value)).toBe(prepareValue(value));
      }),
    );
  });
});
