import { describe, expect, it } from '@jest/globals';
import { clientWithDeadline } from '../../../lib/executor/deadline.js';
import type { DataClient } from '../../../lib/executor/data-client.js';
import { NO_TIMEOUT } from '../../../lib/executor/operation-scope.js';

const CALL = { delegate: 'post', operation: 'findMany', args: { take: 1 } };
const COUNT = { delegate: 'tag', operation: 'count', args: {} };
const LATE = new Error('Too late.');

/** A deadline that the test ends. */
class Patience {
  isOver = false;
  throwIfAborted(): void {
    if (this.isOver) throw LATE;
  }
}

type Transaction = (work: (open: DataClient) => Promise<unknown>, options?: object) => Promise<unknown>;
const transactionOf = (client: DataClient): Transaction => Reflect.get(client, '$transaction') as Transaction;

describe('clientWithDeadline', () => {
  it('calls the delegates of the client, frozen ones and functions among them, and has its properties', async () => {
    const post = Object.freeze({
      rows: ['a'],
      findMany(this: { rows: string[] }, args: unknown): Promise<unknown> {
        return Promise.resolve([...this.rows, args]);
      },
    });
    const client = Object.freeze({ post, tag: Object.assign(() => 1, { count: () => 2 }), version: 7, $version: 8 });
    const inTime = clientWithDeadline(client, new Patience());
    expect(await callClient(inTime, CALL)).toEqual(['a', { take: 1 }]);
    expect(await callClient(inTime, COUNT)).toBe(2);
    expect([Reflect.get(inTime, 'version'), Reflect.get(inTime, '$version'), Reflect.get(inTime, '$transaction')]).toEqual([
      7,
      8,
      undefined,
    ]);
    await expect(callClient(inTime, { ...CALL, delegate: 'none' })).rejects.toThrow('none.findMany()');
    await expect(callClient(inTime, { ...CALL, operation: 'none' })).rejects.toThrow('post.none()');
  });

  it('rejects calls and raw SQL after the deadline, without calling the client', async () => {
    const called: string[] = [];
    const recording = (what: string) => () => Promise.resolve(called.push(what));
    const patience = new Patience();
    const inTime = clientWithDeadline({ post: { findMany: recording('rows') }, $queryRawUnsafe: recording('raw') }, patience);
    const raw = Reflect.get(inTime, '$queryRawUnsafe') as (sql: string) => Promise<unknown>;
    await callClient(inTime, CALL);
    await raw('SELECT 1');
    patience.isOver = true;
    await expect(callClient(inTime, CALL)).rejects.toBe(LATE);
    await expect(raw('SELECT 1')).rejects.toBe(LATE);
    expect(called).toEqual(['rows', 'raw']);
  });

  it('ends a failed transaction after the call that runs in it, and rejects later calls in it', async () => {
    const done: string[] = [];
    let finish: (value: unknown) => void = () => undefined;
    const open = { post: { findMany: () => new Promise((resolve) => (finish = resolve)).then(() => done.push('call')) } };
    let given: object | undefined;
    const $transaction: Transaction = async (work, options) => {
      given = options;
      await work(open).finally(() => done.push('end'));
    };
    const inTime = clientWithDeadline({ $transaction }, new Patience());
    let left: DataClient = {};
    const failing = transactionOf(inTime)(
      async (own) => {
        left = own;
        void callClient(own, CALL);
        await Promise.resolve();
        throw new Error('Beside it.');
      },
      { maxWait: 5, timeout: 10 },
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(done).toEqual([]);
    finish(undefined);
    await expect(failing).rejects.toThrow('Beside it.');
    expect(done).toEqual(['call', 'end']);
    await expect(callClient(left, CALL)).rejects.toThrow('has ended');
    expect(given).toEqual({ maxWait: 5, timeout: NO_TIMEOUT });
  });
});

/** Makes one call of a client. */
async function callClient(client: DataClient, { delegate: name, operation, args }: typeof CALL | typeof COUNT): Promise<unknown> {
  const delegate = Reflect.get(client, name) as Readonly<Record<string, ((args: unknown) => Promise<unknown>) | undefined>> | undefined;
  const run = delegate?.[operation];
  if (run === undefined) throw new TypeError(`The data client has no ${name}.${operation}().`);
  return run.call(delegate, args);
}
