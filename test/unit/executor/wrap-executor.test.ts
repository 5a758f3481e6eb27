import { describe, expect, it } from '@jest/globals';
import type { Executor, Transaction } from '../../../lib/executor/executor.js';
import { type ExecutorWrapper, wrapExecutor } from '../../../lib/executor/executor.js';
import { ALWAYS } from '../../../lib/query/condition.js';
import { countRows } from '../../../lib/query/read.js';
import type { Query } from '../../../lib/query/query.js';
import type { ResultOf } from '../../../lib/query/result.js';
import { stored } from './library.js';

const COUNT = countRows({ model: stored('Post'), where: ALWAYS });

interface Named {
  readonly host: Executor;
  readonly name: string;
  readonly log: string[];
}

const LOGGED: ExecutorWrapper<Named> = {
  run: ({ host, name, log }, query) => {
    log.push(name);
    return host.run(query);
  },
  transact: (context, transaction, work, options) => transaction((host) => work({ ...context, host, name: 'inside' }), options),
};

const run = <Asked extends Query>(_: Asked): Promise<ResultOf<Asked>> => Promise.resolve(3 as ResultOf<Asked>);

describe('wrapExecutor', () => {
  it('wraps the executors of transactions as well, and passes the options on', async () => {
    const given: unknown[] = [];
    const transaction: Transaction = (work, options) => {
      given.push(options);
      return work({ run });
    };
    const log: string[] = [];
    const executor = wrapExecutor({ host: { run, transaction }, name: 'outside', log }, LOGGED);
    await expect(executor.run(COUNT)).resolves.toBe(3);
    await expect(executor.transaction?.((open) => open.run(COUNT), { maxWait: 5 })).resolves.toBe(3);
    expect(log).toEqual(['outside', 'inside']);
    expect(given).toEqual([{ maxWait: 5 }]);
  });

  it('leaves other members as they are, and has no transaction where the executor has none', () => {
    const host: Executor = { run, sql: () => Promise.resolve([]), client: () => ({}) };
    const { transaction, sql, lock, client } = wrapExecutor({ host, name: 'outside', log: [] }, LOGGED);
    expect([transaction, sql, lock, client]).toEqual([undefined, host.sql, undefined, host.client]);
  });
});
