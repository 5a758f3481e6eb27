import { describe, expect, it, jest } from '@jest/globals';
import type { Pipeline } from '../../../lib/sql/pipeline.js';
import type { PoolReads, TimedStatement } from '../../../lib/sql/pool-reads.js';
import { BOUND, complete, READ, serverOf, sqlError } from './fake-pool.js';

describe('cheap reads that begin in one tick', () => {
  const QUICK: TimedStatement = { ...READ, isAlwaysQuick: true, mayShareTrip: true };
  /** Completes each statement up to the Sync with one row. */
  const answering = (pipeline: Pipeline, count: number): void => {
    complete(pipeline, ...Array.from({ length: count }, (_, index) => `SELECT ${String(index)}`));
    pipeline.handleReadyForQuery();
  };
  const several = (reads: PoolReads, count: number, more: Partial<TimedStatement> = {}): Promise<readonly unknown[]>[] =>
    Array.from({ length: count }, () => reads.read({ ...QUICK, ...more }));

  it('are sent together, at most 16 of them, and each has the rows of its statement', async () => {
    const sizes = [16, 3];
    const { reads, wrote, released } = serverOf((pipeline) => {
      answering(pipeline, sizes.shift() ?? 0);
    });
    const rows = await Promise.all(several(reads, 19));
    expect(rows).toEqual([...Array(16).keys(), 0, 1, 2].map((index) => [[`SELECT ${String(index)}`]]));
    expect(wrote.filter((one) => one === 'sync')).toHaveLength(2);
    expect(released).toEqual([false, false]);
  });

  it('are each sent alone if they may not share a round trip', async () => {
    const { reads, wrote } = serverOf((pipeline) => {
      answering(pipeline, 1);
    });
    expect(await Promise.all(several(reads, 5, { mayShareTrip: false }))).toEqual(Array(5).fill([['SELECT 0']]));
    expect(wrote.filter((one) => one === 'sync')).toHaveLength(5);
  });

  it('are sent with usually cheap ones, where the connection has a statement_timeout', async () => {
    const { reads, wrote, sent } = serverOf(
      (pipeline) => {
        answering(pipeline, 4);
      },
      [[true]],
    );
    const usually = { isAlwaysQuick: false, isUsuallyQuick: true, timeout: 5000 };
    const rows = await Promise.all([...several(reads, 2), ...several(reads, 2, usually)]);
    expect(rows).toEqual([0, 1, 2, 3].map((index) => [[`SELECT ${String(index)}`]]));
    expect(wrote.filter((one) => one === 'sync')).toHaveLength(1);
    // Queried once.
    expect(sent.filter((one) => one.includes('statement_timeout'))).toHaveLength(1);
  });

  it('are not sent with usually cheap ones where the connection has no statement_timeout, which are each a transaction that sets it', async () => {
    const { reads, wrote } = serverOf((pipeline) => {
      if (pipeline.text === READ.text) answering(pipeline, 2);
      else {
        complete(pipeline, 'BEGIN', 'SELECT 0', 'SELECT 9', 'COMMIT');
        pipeline.handleReadyForQuery();
      }
    });
    const usually = { isAlwaysQuick: false, isUsuallyQuick: true, timeout: 5000, text: 'SELECT usually' };
    const rows = await Promise.all([...several(reads, 2), ...several(reads, 2, usually)]);
    expect(rows).toEqual([[['SELECT 0']], [['SELECT 1']], [['SELECT 9']], [['SELECT 9']]]);
    expect(wrote.filter((one) => one === 'parse BEGIN READ ONLY')).toHaveLength(2);
  });

  it('are not sent with one that is bound to its caller', async () => {
    const { reads, wrote } = serverOf((pipeline) => {
      complete(pipeline, 'BEGIN', 'SELECT 1', 'SELECT 2', 'COMMIT');
      pipeline.handleReadyForQuery();
    });
    expect(await reads.read({ ...BOUND, isUsuallyQuick: true, mayShareTrip: true })).toEqual([['SELECT 2']]);
    expect(wrote).toContain('parse BEGIN READ ONLY');
  });

  it('are prepared once in a round trip', async () => {
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

  it('have separate limits: a row that is too large, or cannot be read, fails its read alone', async () => {
    const { reads, released } = serverOf((pipeline) => {
      answering(pipeline, 3);
    });
    const convert = (): never => {
      throw new Error('unreadable');
    };
    const pending = [reads.read({ ...QUICK, maxBytes: 5 }), reads.read({ ...QUICK, convert }), reads.read(QUICK)];
    const [large, unreadable, whole] = await Promise.allSettled(pending);
    expect(large).toMatchObject({ reason: { name: 'TooManyBytesError' } });
    expect(unreadable).toMatchObject({ reason: { message: 'unreadable' } });
    expect(whole).toMatchObject({ value: [['SELECT 2']] });
    expect(released).toEqual([false]);
  });

  it('are not sent where their clients have disconnected', async () => {
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

  it('are sent alone as long as another round trip, with several reads, is not answered', async () => {
    const pipelines: Pipeline[] = [];
    const { reads, wrote } = serverOf((pipeline) => {
      if (pipelines.push(pipeline) > 1) answering(pipeline, 1);
    });
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1000);
    const heldUp = several(reads, 2);
    await new Promise((resolve) => setImmediate(resolve));
    clock.mockReturnValue(1300);
    expect(await Promise.all(several(reads, 2))).toEqual([[['SELECT 0']], [['SELECT 0']]]);
    expect(wrote.filter((one) => one === 'sync')).toHaveLength(3);
    if (pipelines[0]) answering(pipelines[0], 2);
    expect(await Promise.all(heldUp)).toEqual([[['SELECT 0']], [['SELECT 1']]]);
    await Promise.allSettled(several(reads, 2));
    // Together again.
    expect(wrote.filter((one) => one === 'sync')).toHaveLength(4);
    clock.mockRestore();
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

describe('pages with a total that begin in one tick', () => {
  const page = (name: string, total = 'SELECT total', values: readonly string[] = []): TimedStatement => ({
    ...READ,
    text: `SELECT ${name} and total`,
    mayShareTrip: true,
    pageAndTotal: {
      page: { text: `SELECT ${name}`, values: [], isUsuallyQuick: name.startsWith('quick') },
      total: { text: total, values },
    },
  });
  /** Completes a round trip: each `SELECT` with a row that has its text. */
  const answering = (pipeline: Pipeline): void => {
    complete(pipeline, ...pipeline.steps.map(({ command, text }) => (command === 'SELECT' ? text : command)));
    pipeline.handleReadyForQuery();
  };
  const parsed = (wrote: readonly string[]): readonly string[] => wrote.filter((one) => one.startsWith('parse')).toSorted();

  it('have their total counted once', async () => {
    const { reads, wrote, released } = serverOf(answering);
    const rows = await Promise.all([reads.read(page('a')), reads.read(page('b')), reads.read(page('c'))]);
    const total = ['SELECT total'];
    expect(rows).toEqual([
      [['SELECT a'], total],
      [['SELECT b'], total],
      [['SELECT c'], total],
    ]);
    expect(parsed(wrote)).toEqual(['a', 'b', 'c', 'total'].map((one) => `parse SELECT ${one}`));
    expect(released).toEqual(Array(4).fill(false));
  });

  it('share a round trip as well where they are cheap', async () => {
    const { reads, wrote } = serverOf(answering);
    const pending = ['quick 1', 'slow', 'quick 2'].map((name) => reads.read(page(name)));
    expect(await Promise.all(pending)).toEqual(['quick 1', 'slow', 'quick 2'].map((name) => [[`SELECT ${name}`], ['SELECT total']]));
    // The total, the slow page, the quick ones.
    expect(wrote.filter((one) => one === 'sync')).toHaveLength(3);
  });

  it('are one statement each where their totals differ in the statement or in its values', async () => {
    const { reads, wrote } = serverOf(answering);
    const statements = [page('a'), page('b', 'SELECT other'), page('c', 'SELECT total', ['1']), page('d', 'SELECT total', ['2'])];
    const rows = await Promise.all(statements.map((one) => reads.read(one)));
    expect(rows).toEqual(['a', 'b', 'c', 'd'].map((one) => [[`SELECT ${one} and total`]]));
    expect(wrote.filter((one) => one === 'sync')).toHaveLength(4);
  });

  it('are one statement each where they are bound to their callers', async () => {
    const { reads, wrote } = serverOf(answering);
    const bound = (value: string): TimedStatement => ({ ...page('a'), binding: { sql: 'SELECT set', values: [value] } });
    const rows = await Promise.all([reads.read(bound('1')), reads.read(bound('2'))]);
    expect(rows).toEqual(Array(2).fill([['SELECT a and total']]));
    expect(wrote).not.toContain('parse SELECT total');
    expect(wrote.filter((one) => one.startsWith('bind ') && one !== 'bind ')).toEqual(['bind 1', 'bind 2']);
  });

  it('fail alone where the server refuses one of them, and all where it refuses their total', async () => {
    const refusing = (pattern: RegExp) =>
      serverOf((pipeline) => {
        if (pipeline.steps.some(({ text }) => pattern.test(text))) pipeline.handleError(sqlError('42703'));
        else answering(pipeline);
      }).reads;
    const settle = (reads: PoolReads): Promise<readonly PromiseSettledResult<unknown>[]> =>
      Promise.allSettled(['a', 'b'].map((name) => reads.read(page(name))));
    expect(await settle(refusing(/SELECT a/))).toMatchObject([{ reason: { code: '42703' } }, { value: [['SELECT b'], ['SELECT total']] }]);
    expect(await settle(refusing(/total/))).toMatchObject(Array(2).fill({ reason: { code: '42703' } }));
  });

  it('have their total where the client of the first of them has disconnected', async () => {
    const { reads } = serverOf(answering);
    const waiting = {
      throwIfAborted: (): void => {
        throw new Error('Too late.');
      },
    };
    const [gone, here] = await Promise.allSettled([reads.read({ ...page('a'), waiting }), reads.read(page('b'))]);
    expect(gone).toMatchObject({ reason: { message: 'Too late.' } });
    expect(here).toMatchObject({ value: [['SELECT b'], ['SELECT total']] });
  });

  it('have a timeout each, and so has their total, where the connection has no statement_timeout', async () => {
    const { reads, wrote } = serverOf(answering);
    await Promise.all([page('a'), page('b')].map((one) => reads.read({ ...one, timeout: 5000 })));
    expect(wrote.filter((one) => one === 'parse BEGIN READ ONLY')).toHaveLength(3);
  });
});
