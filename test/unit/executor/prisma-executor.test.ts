import { describe, expect, it } from '@jest/globals';
import type { DataClient } from '../../../lib/executor/data-client.js';
import type { Executor } from '../../../lib/executor/executor.js';
import { executorWithDeadline } from '../../../lib/executor/deadline.js';
import { NO_TIMEOUT } from '../../../lib/executor/operation-scope.js';
import { prismaExecutor } from '../../../lib/executor/prisma-executor.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';
import { ALWAYS } from '../../../lib/query/condition.js';
import { selectFields } from '../../../lib/query/fields.js';
import { countRows, findMany } from '../../../lib/query/read.js';
import { modelOf } from '../rpc/model-of.js';

const { model } = modelOf('model Post {\n  id Int @id\n}');
const post = storedModel(model.storage, 'Post');
const FIND = findMany({ model: post, selection: selectFields(post, ['id']), page: { take: 1 } });
const COUNT = countRows({ model: post, where: ALWAYS });
const LATE = new Error('Too late.');

/** A deadline that the test ends. */
class Patience {
  isOver = false;
  throwIfAborted(): void {
    if (this.isOver) throw LATE;
  }
}

describe('prismaExecutor', () => {
  it('calls the delegate of a model, frozen or a function, with itself as this', async () => {
    const delegate = Object.freeze({
      rows: ['a'],
      findMany(this: { rows: string[] }, args: unknown): Promise<unknown> {
        return Promise.resolve([...this.rows, args]);
      },
    });
    expect(await prismaExecutor({ post: delegate }).run(FIND)).toEqual(['a', { take: 1, select: { id: true } }]);
    const fake = { post: Object.assign(() => 1, { count: () => Promise.resolve(2) }) };
    expect(await prismaExecutor(fake).run(COUNT)).toBe(2);
  });

  it('names the operation that a client lacks', async () => {
    await expect(prismaExecutor({}).run(FIND)).rejects.toThrow('The data client has no post.findMany().');
    await expect(prismaExecutor({ post: {} }).run(COUNT)).rejects.toThrow('The data client has no post.count().');
  });

  it('has transactions and SQL exactly where its client has them', async () => {
    expect(Object.keys(prismaExecutor({ $queryRawUnsafe: 1 }))).toEqual(['run', 'client']);
    const given: unknown[] = [];
    const client = {
      $transaction: (work: (open: DataClient) => Promise<unknown>, options: object) => {
        given.push(options);
        return work({ post: { count: () => Promise.resolve(3) } });
      },
      $queryRawUnsafe: (...sent: readonly unknown[]) => Promise.resolve([{ sent }]),
    };
    const { transaction, sql } = prismaExecutor(client);
    expect(await transaction?.((open) => open.run(COUNT), { maxWait: 5 })).toBe(3);
    expect(given).toEqual([{ maxWait: 5 }]);
    expect(await sql?.('SELECT $1', [7])).toEqual([{ sent: ['SELECT $1', 7] }]);
  });
});

describe('executorWithDeadline', () => {
  it('rejects queries, SQL and transactions after the deadline, without calling the client', async () => {
    const called: string[] = [];
    const recording = (what: string) => () => Promise.resolve(called.push(what));
    const patience = new Patience();
    const client = { post: { findMany: recording('rows') }, $queryRawUnsafe: recording('sql'), $transaction: recording('transaction') };
    const inTime = executorWithDeadline(prismaExecutor(client), patience);
    const operations: readonly (() => Promise<unknown> | undefined)[] = [
      () => inTime.run(FIND),
      () => inTime.sql?.('SELECT 1', []),
      () => inTime.transaction?.(() => Promise.resolve()),
    ];
    for (const operation of operations) await operation();
    patience.isOver = true;
    for (const operation of operations) await expect(operation()).rejects.toBe(LATE);
    expect(called).toEqual(['rows', 'sql', 'transaction']);
  });

  it('ends a failed transaction after the query that runs in it, and rejects later queries in it', async () => {
    const done: string[] = [];
    let finish: (value: unknown) => void = () => undefined;
    const open = { post: { findMany: () => new Promise((resolve) => (finish = resolve)).then(() => done.push('query')) } };
    let given: unknown;
    const $transaction = (work: (open: DataClient) => Promise<unknown>, options: object): Promise<unknown> => {
      given = options;
      return work(open).finally(() => done.push('end'));
    };
    const inTime = executorWithDeadline(prismaExecutor({ $transaction }), new Patience());
    let left: Executor | undefined;
    const failing = inTime.transaction?.(
      async (own) => {
        left = own;
        void own.run(FIND);
        await Promise.resolve();
        throw new Error('Beside it.');
      },
      { maxWait: 5 },
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(done).toEqual([]);
    finish(undefined);
    await expect(failing).rejects.toThrow('Beside it.');
    expect(done).toEqual(['query', 'end']);
    await expect(left?.run(FIND)).rejects.toThrow('has ended');
    expect(given).toEqual({ maxWait: 5, timeout: NO_TIMEOUT });
  });

  it('has no transaction where the executor has none', () => {
    const { transaction, sql, lock } = executorWithDeadline(prismaExecutor({}), new Patience());
    expect([transaction, sql, lock]).toEqual([undefined, undefined, undefined]);
  });
});
