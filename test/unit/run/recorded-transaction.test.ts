import { describe, expect, it } from '@jest/globals';
import type { Executor, TransactionOptions } from '../../../lib/executor/executor.js';
import { transact } from '../../../lib/executor/transactions.js';
import type { ApiReply } from '../../../lib/http/api-request.js';
import { RecordedTransaction } from '../../../lib/run/recorded-transaction.js';
import { ALWAYS } from '../../../lib/query/condition.js';
import { countRows } from '../../../lib/query/read.js';
import type { Query } from '../../../lib/query/query.js';
import type { ResultOf } from '../../../lib/query/result.js';
import { stored } from '../executor/library.js';

const COUNT = countRows({ model: stored('Post'), where: ALWAYS });
const REPLY: ApiReply = { status: 201 };

/** An executor whose transactions are numbered, and which logs what it does. */
function numberedExecutor(log: unknown[]): Executor {
  let transactions = 0;
  const executorOf = (name: string): Executor => ({
    run: <Sent extends Query>(_: Sent) => {
      log.push(`${name}: query`);
      return Promise.resolve(3 as ResultOf<Sent>);
    },
    transaction: (work, options?: TransactionOptions) => {
      const open = `transaction ${++transactions}`;
      log.push([open, options]);
      return work(executorOf(open));
    },
  });
  return executorOf('client');
}

describe('RecordedTransaction', () => {
  const setUp = () => {
    const log: unknown[] = [];
    const recorded = new RecordedTransaction({
      begin: async (open) => {
        log.push('begin');
        await open.run(COUNT);
      },
      end: async (open, reply) => {
        log.push(['end', reply]);
        await open.run(COUNT);
      },
    });
    return { log, recorded, executor: recorded.wrap(numberedExecutor(log)) };
  };

  it('begins and ends the record on the executor of the transaction, also if the work opens another one in it', async () => {
    const { log, recorded, executor } = setUp();
    const work = async (open: Executor): Promise<unknown> => {
      await open.transaction?.((inner) => inner.run(COUNT));
      return open.run(COUNT);
    };
    const options = recorded.options({ isWrite: true, options: { maxWait: 5 }, renderReply: () => Promise.resolve(REPLY) });
    await expect(transact(executor, work, options)).resolves.toBe(REPLY);
    expect(log).toEqual([
      ['transaction 1', { maxWait: 5 }],
      'begin',
      'transaction 1: query',
      ['transaction 2', undefined],
      'transaction 2: query',
      'transaction 1: query',
      ['end', REPLY],
      'transaction 1: query',
    ]);
  });

  it('has the option to roll back a write whose result cannot be read', () => {
    expect(setUp().recorded.options({ isWrite: true })).toMatchObject({ undoesUnreadable: true });
  });

  it('refuses an executor without transactions', () => {
    const { recorded } = setUp();
    expect(() => recorded.wrap({ run: () => Promise.reject(new Error('no')) })).toThrow('needs transactions');
  });

  it('has no executor before its transaction begins', async () => {
    const { log, recorded } = setUp();
    const { prepare } = recorded.options({ isWrite: true });
    await expect(prepare?.(numberedExecutor(log))).rejects.toThrow('none is open');
  });
});
