import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Prisma } from '../../support/generated/prisma/client.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { PLATFORMS, startTestApp, type TestApp } from '../../support/test-app.js';

type Transaction = Prisma.TransactionClient;

const CHANGED = { name: 'Changed' };

// PGlite has no nested transactions, and no connection that could be lost.
onDatabases('postgresql-server').describe.each(PLATFORMS)(
  'a request whose getClient returns a transaction of the application (%s)',
  (platform) => {
    let database: TestDatabase;
    let app: TestApp;
    let client: object;

    beforeAll(async () => {
      database = await openTestDatabase();
      app = await startTestApp({ platform, options: { getClient: () => client } });
    });
    beforeEach(() => database.reset());
    afterAll(async () => {
      await app.close();
      await database.close();
    });

    const read = async () => [
      await app.rest.get('/user/1'),
      await app.rest.get('/user'),
      await app.rpc.call('user/findMany', {}),
      await app.rpc.sequential([{ model: 'user', op: 'count', args: {} }]),
    ];
    const write = async () => [
      await app.rest.patch('/user/1', { data: { type: 'user', id: 1, attributes: CHANGED } }),
      await app.rpc.call('user/update', { where: { id: 1 }, data: CHANGED }),
      await app.rpc.sequential([{ model: 'user', op: 'update', args: { where: { id: 1 }, data: CHANGED } }]),
    ];
    const outcomesOf = (answers: Awaited<ReturnType<typeof read>>) =>
      answers.map(({ status, headers }) => [status, headers['retry-after']]);
    const countChanged = () => database.prisma.user.count({ where: CHANGED });

    /** Sends the requests with an open transaction as the client, and then rolls it back. */
    async function within<Result>(prepare: (transaction: Transaction) => Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
      let result: { readonly value: Result } | undefined;
      const whole = async (transaction: Transaction): Promise<never> => {
        client = transaction;
        await prepare(transaction);
        result = { value: await work() };
        throw new Error('roll back');
      };
      await database.prisma.$transaction(whole, { timeout: 20_000 }).catch(() => undefined);
      if (!result) throw new Error('The work has failed.');
      return result.value;
    }

    it('is answered, and stored when the application commits', async () => {
      await database.prisma.$transaction(
        async (transaction) => {
          client = transaction;
          expect(outcomesOf(await read()).map(([status]) => status)).toEqual([200, 200, 200, 200]);
          expect(outcomesOf(await write()).map(([status]) => status)).toEqual([200, 200, 200]);
        },
        { timeout: 20_000 },
      );
      expect(await countChanged()).toBe(1);
    });

    it('is a 500 if a statement of the application has aborted the transaction', async () => {
      const abort = (transaction: Transaction) => transaction.$queryRaw`SELECT 1 / 0`.catch(() => undefined);
      const answers = await within(abort, async () => [...(await read()), ...(await write())]);
      expect(outcomesOf(answers)).toEqual(answers.map(() => [500, undefined]));
      for (const { text } of answers) expect(text).toContain('An unexpected error occurred.');
    });

    it('is a 500 or 503 after the end of the transaction, and writes nothing', async () => {
      await database.prisma.$transaction((transaction) => Promise.resolve((client = transaction)));
      const [single, ...others] = [...(await read()), ...(await write())];
      // Prisma has an error code for a single statement, and none for a request that would start a transaction.
      expect(single?.status).toBe(503);
      expect(outcomesOf(others)).toEqual(others.map(() => [500, undefined]));
      expect(await countChanged()).toBe(0);
    });

    it('is a 503 with Retry-After if the connection of the transaction is lost', async () => {
      const lose = async (transaction: Transaction) => {
        const [own] = await transaction.$queryRaw<readonly { readonly pid: number }[]>`SELECT pg_backend_pid() AS pid`;
        await database.prisma.$queryRaw`SELECT pg_terminate_backend(${own?.pid}::int)`;
      };
      const answers = await within(lose, async () => [...(await read()), ...(await write())]);
      expect(outcomesOf(answers)).toEqual(answers.map(() => [503, '1']));
      expect(await countChanged()).toBe(0);
    });
  },
);
