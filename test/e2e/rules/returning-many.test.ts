import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { AfterWrite, type AfterWriteOf, ResourceHooks } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { readState, withoutTime } from './inspected-client.js';
import { callerOf, type RpcAnswer } from './rules-suite.js';
import { RULES } from './rules.js';

let observed: unknown[] = [];

@ResourceHooks('Comment')
class CommentHooks {
  @AfterWrite()
  after({ after }: AfterWriteOf<PrismaClient, 'Comment'>): void {
    observed.push(after?.id);
  }
}

@Module({ providers: [CommentHooks] })
class HooksModule {}

const SETUPS = [
  ['without hooks', []],
  ['with hooks', [HooksModule]],
] as const;

const SELECT = { id: true, body: true, post: { select: { id: true } } };
const NEW = { body: 'new', postId: 1 };

/** Writes of many comments. The caller may update some of them, or create all, some or none. */
const WRITES: readonly (readonly [operation: 'updateMany' | 'createMany', args: object])[] = [
  ['updateMany', { where: {}, data: { body: 'x' } }],
  ['updateMany', { where: { id: { in: [1, 2, 3] } }, data: { body: 'x' } }],
  ['updateMany', { where: { post: { published: false } }, data: { body: 'x' } }],
  ['updateMany', { where: {}, data: { body: 'x' }, limit: 1 }],
  ['updateMany', { where: {}, data: { body: 'forbidden' } }],
  ['updateMany', { where: {}, data: { postId: 2 } }],
  ['updateMany', { where: {}, data: { postId: 3 } }],
  ['updateMany', { where: {}, data: { authorId: 2 } }],
  ['updateMany', { where: { id: 999 }, data: { body: 'x' } }],
  ['createMany', { data: [{ ...NEW, authorId: 1 }] }],
  [
    'createMany',
    {
      data: [
        { ...NEW, authorId: 1 },
        { ...NEW, authorId: 3 },
      ],
    },
  ],
  ['createMany', { data: [{ ...NEW, postId: 3, authorId: 1 }] }],
  ['createMany', { data: [] }],
];

interface Outcome extends RpcAnswer {
  readonly state: string;
  readonly observed: readonly unknown[];
}

onDatabases('postgresql').describe.each(SETUPS)('a write of many that returns its rows, %s', (_, imports) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'fastify', database, options: { rules: RULES }, imports: [...imports] });
  }, 60_000);
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  async function outcomeOf(operation: string, args: object): Promise<Outcome> {
    await database.reset();
    observed = [];
    const answer = await callerOf(app, 1).rpc(`comment/${operation}`, args);
    return { ...answer, state: withoutTime(await readState(database.prisma)), observed: observed.toSorted() };
  }

  describe('writes the same rows as one that does not, and returns them', () => {
    it.each(WRITES)('%s %j', async (operation, args) => {
      const counted = await outcomeOf(operation, args);
      const returned = await outcomeOf(`${operation}AndReturn`, { ...args, select: SELECT });
      expect([returned.status, returned.error, returned.state]).toEqual([counted.status, counted.error, counted.state]);
      expect(returned.observed).toEqual(counted.observed);
      if (counted.status >= 400) return;
      const rows = returned.data as readonly { readonly id: number }[];
      expect(rows).toHaveLength((counted.data as { count: number }).count);
      const where = { id: { in: rows.map(({ id }) => id) } };
      // The order of the rows is that of the database.
      expect(rows.toSorted((one, other) => one.id - other.id)).toEqual(
        (await callerOf(app, 1).rpc('comment/findMany', { where, select: SELECT, orderBy: { id: 'asc' } })).data,
      );
    });
  });
});
