import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Step, wireTextOf } from '../../../lib/sql/pipeline.js';
import { extractRows } from '../../../lib/sql/pool-reads.js';
import type { Send } from '../../../lib/sql/pool-transaction.js';
import type { SqlConnection, SqlResult } from '../../../lib/sql/sql-pool.js';
import { BOUND, complete, type Fake, fakeOf, READ, serverOf, sqlError } from './fake-pool.js';

/** How node-postgres itself writes values; it has no types for it. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as { readonly prepareValue: (value: unknown) => unknown };

describe('reads on a connection without pipelining', () => {
  /** Fails at one statement. */
  const failing =
    (text: string, error: Error): SqlConnection['query'] =>
    (statement): Promise<SqlResult> =>
      statement.text === text ? Promise.reject(error) : Promise.resolve({ rows: [[statement.text]] });

  it('are sent one after the other, each after the result of the one before, without prepared statements', async () => {
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

  it('return the number of rows that a write has written', async () => {
    const { reads, sent } = fakeOf(({ text }) => Promise.resolve({ rows: [], rowCount: text === 'DELETE' ? 3 : null }));
    expect(await reads.read({ ...BOUND, text: 'DELETE', command: 'DELETE', writes: true, counted: true })).toEqual([3]);
    expect(sent).toEqual(['BEGIN', 'SELECT set_config($1, $2, true)', 'DELETE', 'COMMIT']);
  });

  it.each([
    ['BEGIN READ ONLY', ['BEGIN READ ONLY', 'ROLLBACK']],
    ['SELECT set_config($1, $2, true)', ['BEGIN READ ONLY', 'SELECT set_config($1, $2, true)', 'ROLLBACK']],
    ['COMMIT', ['BEGIN READ ONLY', 'SELECT set_config($1, $2, true)', 'SELECT 1', 'COMMIT', 'ROLLBACK']],
  ])('are rejected, and send nothing more, where %s fails', async (text, expected) => {
    const { reads, sent, released } = fakeOf(failing(text, sqlError('22023')));
    await expect(reads.read(BOUND)).rejects.toMatchObject({ code: '22023' });
    expect(sent).toEqual(expected);
    expect(released).toEqual([false]);
  });

  it.each([new Error('Connection terminated unexpectedly'), ...['57P01', '08006', 'ECONNRESET', 'EPIPE', 'P1017'].map(sqlError)])(
    'destroy their connection after %s',
    async (error) => {
      const { reads, sent, released } = fakeOf(failing('COMMIT', error));
      await expect(reads.read(BOUND)).rejects.toBe(error);
      expect(sent.at(-1)).toBe('COMMIT');
      expect(released).toEqual([true]);
    },
  );

  it('destroy their connection where it cannot roll back', async () => {
    const { reads, released } = fakeOf(({ text }) =>
      text === 'SELECT 1' || text === 'ROLLBACK' ? Promise.reject(sqlError('42501')) : Promise.resolve({ rows: [[]] }),
    );
    await expect(reads.read(BOUND)).rejects.toMatchObject({ code: '42501' });
    expect(released).toEqual([true]);
  });
});

describe('reads on a connection of node-postgres', () => {
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
  ])('are rejected, and their connection is destroyed, where %s', async (_, commands) => {
    const { reads, sent, released } = serverOf((pipeline) => {
      complete(pipeline, ...commands);
      pipeline.handleReadyForQuery();
    });
    await expect(reads.read(BOUND)).rejects.toThrow('sent together');
    expect(sent).toEqual(['SELECT 1']);
    expect(released).toEqual([true]);
  });

  it('stop at the first row beyond the limit of bytes, keep no other row, and destroy their connection', async () => {
    const converted: number[] = [];
    const { reads, released } = serverOf((pipeline) => {
      for (let row = 0; row < 5; row++) pipeline.handleDataRow({ fields: ['x'], length: 1000 });
      pipeline.handleCommandComplete({ text: 'SELECT 5' });
      pipeline.handleReadyForQuery();
    });
    const convert = (): number => converted.push(1);
    await expect(reads.read({ ...READ, maxBytes: 2500, convert })).rejects.toThrow('more than 2500 bytes');
    expect(converted).toHaveLength(2);
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

  it('are rejected where the transaction cannot be committed, and their connection is used again', async () => {
    const { reads, sent, released } = serverOf((pipeline) => {
      complete(pipeline, 'BEGIN', 'SELECT 1', 'SELECT 1');
      pipeline.handleError(sqlError('40001'));
    });
    await expect(reads.read(BOUND)).rejects.toMatchObject({ code: '40001' });
    expect(sent).toEqual(['SELECT 1', 'ROLLBACK']);
    expect(released).toEqual([false]);
  });

  it('fail where the connection breaks off after the read, and destroy it', async () => {
    const { reads, sent, released } = serverOf((pipeline) => {
      complete(pipeline, 'BEGIN', 'SELECT 1', 'SELECT 1');
      pipeline.handleError(new Error('Connection terminated unexpectedly'));
    });
    await expect(reads.read(BOUND)).rejects.toThrow('Connection terminated');
    expect(sent).toEqual(['SELECT 1']);
    expect(released).toEqual([true]);
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

describe('a transaction on a connection of the pool', () => {
  const SELECT: Step = { text: 'SELECT 2', values: [], command: 'SELECT', rows: {} };
  const settings = { timeout: undefined, binding: BOUND.binding ?? { sql: '', values: [] }, waiting: { throwIfAborted: () => undefined } };
  const BINDING = 'SELECT set_config($1, $2, true)';
  const answering = (text = ''): Fake =>
    fakeOf((statement) => (statement.text === text ? Promise.reject(sqlError('23505')) : Promise.resolve({ rows: [[statement.text]] })));

  it('begins with its first statement, and commits after the work', async () => {
    const { reads, sent, released } = answering();
    const work = async (send: Send): Promise<readonly unknown[]> => [...(await send([SELECT])), ...(await send([SELECT]))].map(extractRows);
    expect(await reads.transact(work, settings)).toEqual([[['SELECT 2']], [['SELECT 2']]]);
    expect(sent).toEqual(['BEGIN', BINDING, 'SELECT 2', 'SELECT 2', 'COMMIT']);
    expect(released).toEqual([false]);
  });

  it('rolls back where the work fails by itself, and releases its connection', async () => {
    const { reads, sent, released } = answering();
    const work = async (send: Send): Promise<never> => {
      await send([SELECT]);
      throw new Error('too many rows');
    };
    await expect(reads.transact(work, settings)).rejects.toThrow('too many rows');
    expect(sent).toEqual(['BEGIN', BINDING, 'SELECT 2', 'ROLLBACK']);
    expect(released).toEqual([false]);
  });

  it('sends no BEGIN where the work sends no statement', async () => {
    const { reads, sent, released } = answering();
    expect(await reads.transact(() => Promise.resolve(1), settings)).toBe(1);
    await expect(reads.transact(() => Promise.reject(new Error('nothing')), settings)).rejects.toThrow('nothing');
    expect(sent).toEqual([]);
    expect(released).toEqual([false, false]);
  });

  it.each(['SELECT 2', 'COMMIT'])('rolls back where the server refuses %s', async (text) => {
    const { reads, sent, released } = answering(text);
    await expect(reads.transact((send) => send([SELECT]), settings)).rejects.toMatchObject({ code: '23505' });
    expect(sent.at(-1)).toBe('ROLLBACK');
    expect(released).toEqual([false]);
  });

  it('destroys its connection where that breaks off, or cannot roll back', async () => {
    const lost = fakeOf(({ text }) => (text === 'SELECT 2' ? Promise.reject(new Error('terminated')) : Promise.resolve({ rows: [] })));
    await expect(lost.reads.transact((send) => send([SELECT]), settings)).rejects.toThrow('terminated');
    const stuck = fakeOf(({ text }) => (text === 'ROLLBACK' ? Promise.reject(new Error('terminated')) : Promise.resolve({ rows: [] })));
    const work = (send: Send): Promise<never> => send([SELECT]).then(() => Promise.reject(new Error('too many rows')));
    await expect(stuck.reads.transact(work, settings)).rejects.toThrow('terminated');
    expect([...lost.released, ...stuck.released]).toEqual([true, true]);
  });
});
