import { setTimeout } from 'node:timers/promises';
import { defineRules, type PlatformRequest, type RulesOption } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases, THIS_DATABASE } from '../../support/databases/this-database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { callerOf } from './rules.js';

/** A race needs two connections that wait for each other's row locks. */
const describeRaces = onDatabases('mariadb', 'postgresql-server').describe;

const own = (request: PlatformRequest) => ({ authorId: callerOf(request) ?? -1 });
const ownByRelation = (request: PlatformRequest) => ({ author: { id: callerOf(request) ?? -1 } });

/** The rules of writes, which compare a column of the row, or one of a referenced record. */
const KINDS: readonly (readonly [name: string, rule: typeof own | typeof ownByRelation])[] = [
  ['a column', own],
  ['a relation', ownByRelation],
];

const rulesWith = (rule: typeof own | typeof ownByRelation): RulesOption =>
  defineRules<PrismaClient, PlatformRequest>()({
    'Post': { read: true, create: true, update: rule, delete: rule },
    // The check allows almost any result, so that only the rule for the row before the update rejects it.
    'Comment': { read: true, create: true, update: { using: rule, check: { body: { not: 'forbidden' } } }, delete: rule },
    '*': true,
  });

/** The concurrent transaction, which changes the author of a row after the request has read it and before it writes it. */
type Change = (open: Pick<PrismaClient, 'post' | 'comment'>) => Promise<unknown>;

const takePost: Change = ({ post }) => post.update({ where: { id: 1 }, data: { authorId: 2 } });
const takeComment: Change = ({ comment }) => comment.update({ where: { id: 1 }, data: { authorId: 2 } });

const TITLE = { title: 'Changed' };
const BODY = { body: 'changed' };

const WRITES: readonly (readonly [operation: string, args: object, change: Change, status: number])[] = [
  ['post/update', { where: { id: 1 }, data: TITLE }, takePost, 403],
  ['post/update', { where: { id: 1 }, data: TITLE, include: { comments: true } }, takePost, 403],
  ['post/update', { where: { id: 1, author: { name: { not: 'x' } } }, data: TITLE }, takePost, 403],
  ['post/update', { where: { id: 1 }, data: { ...TITLE, comments: { create: { body: 'changed', authorId: 1 } } } }, takePost, 403],
  ['post/update', { where: { id: 1 }, data: { ...TITLE, tags: { connect: { id: 4 } } } }, takePost, 403],
  ['post/update', { where: { id: 1 }, data: { category: { connect: { id: 4 } } } }, takePost, 403],
  ['post/upsert', { where: { id: 1 }, update: TITLE, create: { ...TITLE, authorId: 1 } }, takePost, 403],
  ['post/delete', { where: { id: 1 } }, takePost, 403],
  ['post/delete', { where: { id: 1 }, select: { id: true, comments: true } }, takePost, 403],
  ['post/delete', { where: { id: 1 }, select: { author: { select: { id: true } } } }, takePost, 403],
  ['post/updateMany', { where: { id: 1 }, data: TITLE }, takePost, 200],
  ['post/updateMany', { where: { id: 1 }, data: TITLE, limit: 1 }, takePost, 200],
  ['post/deleteMany', { where: { id: 1 } }, takePost, 200],
  ['post/deleteMany', { where: { id: 1 }, limit: 1 }, takePost, 200],
  ['comment/update', { where: { id: 1 }, data: BODY }, takeComment, 403],
  ['comment/updateMany', { where: { id: 1 }, data: BODY }, takeComment, 200],
  ['comment/updateMany', { where: { id: 1 }, data: BODY, limit: 1 }, takeComment, 200],
  ['comment/deleteMany', { where: { id: 1 }, limit: 1 }, takeComment, 200],
  ['post/update', { where: { id: 1 }, data: { comments: { update: { where: { id: 1 }, data: BODY } } } }, takeComment, 403],
  ['post/update', { where: { id: 1 }, data: { comments: { updateMany: { where: {}, data: BODY } } } }, takeComment, 200],
  ['post/update', { where: { id: 1 }, data: { comments: { delete: { id: 1 } } } }, takeComment, 403],
  ['post/update', { where: { id: 4 }, data: { comments: { connect: { id: 1 } } } }, takeComment, 403],
  ['post/update', { where: { id: 1 }, data: { comments: { upsert: upserted(1) } } }, takeComment, 403],
  // It belongs to another author by then.
  ['user/update', { where: { id: 1 }, data: { posts: { update: { where: { id: 1 }, data: TITLE } } } }, takePost, 404],
  ['user/update', { where: { id: 2 }, data: { posts: { connect: { id: 1 } } } }, takePost, 403],
  ...onDatabases('postgresql', 'sqlite').rows<(typeof WRITES)[number]>([
    ['post/updateManyAndReturn', { where: { id: 1 }, data: TITLE }, takePost, 200],
    ['post/updateManyAndReturn', { where: { id: 1 }, data: TITLE, limit: 1 }, takePost, 200],
  ]),
];

function upserted(id: number): object {
  return { where: { id }, update: BODY, create: { body: 'changed', authorId: 1 } };
}

describeRaces.each(KINDS)('a write that waits for the lock of another transaction, under a rule on %s', (_, rule) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database, options: { rules: rulesWith(rule), limits: { maxDuration: Infinity } } });
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  /** Sends the request while the change is uncommitted, and commits the change once the write waits for its lock. */
  async function race(change: Change, request: () => Promise<{ readonly status: number }>): Promise<number> {
    let response: Promise<{ readonly status: number }> | undefined;
    // InnoDB may still list the write of the previous test.
    await untilWaiting(database.prisma, (count) => count === 0);
    await database.prisma.$transaction(async (open) => {
      await change(open);
      response = request();
      await untilWaiting(database.prisma, (count) => count > 0);
    }, PATIENT);
    return (await response)?.status ?? 0;
  }

  it.each(WRITES)('does not write a row whose author has changed meanwhile: %s %j', async (operation, args, change, status) => {
    const headers = { 'X-User-Id': '1' };
    expect(await race(change, () => app.rpc.call(operation, args, { headers }))).toBe(status);
    const { post, comment } = database.prisma;
    expect(await post.findUnique({ where: { id: 1 }, select: { title: true, categoryId: true, tags: { where: { id: 4 } } } })).toEqual({
      title: 'Post 01',
      categoryId: 1,
      tags: [],
    });
    expect(await comment.findUnique({ where: { id: 1 }, select: { body: true, postId: true } })).toEqual({ body: 'Comment 1', postId: 1 });
    expect(await comment.count({ where: { ...BODY, authorId: 2 } })).toBe(0);
  });

  it('does not write a row that no longer matches the filter', async () => {
    const { comment } = database.prisma;
    const change: Change = (open) => open.comment.update({ where: { id: 1 }, data: { body: 'newer' } });
    const args = { where: { id: 1, body: 'Comment 1' }, data: BODY };
    expect(await race(change, () => app.rpc.call('comment/updateMany', args, { headers: { 'X-User-Id': '1' } }))).toBe(200);
    expect((await comment.findUnique({ where: { id: 1 } }))?.body).toBe('newer');
  });
});

const PATIENT = { timeout: 60_000, maxWait: 60_000 };

const WAITING =
  THIS_DATABASE === 'mariadb'
    ? "SELECT COUNT(*) AS n FROM information_schema.innodb_trx AS t JOIN information_schema.processlist AS p ON p.ID = t.trx_mysql_thread_id WHERE t.trx_state = 'LOCK WAIT' AND p.DB = DATABASE()"
    : "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

/** Waits until the number of statements that wait for a lock meets a condition. Other tests use other databases. */
async function untilWaiting(prisma: Pick<PrismaClient, '$queryRawUnsafe'>, isMet: (count: number) => boolean): Promise<void> {
  for (;;) {
    const [found] = await prisma.$queryRawUnsafe<{ n: number | bigint }[]>(WAITING);
    if (isMet(Number(found?.n))) return;
    // InnoDB refreshes its tables of transactions only if they have not been read for a while.
    await setTimeout(200);
  }
}
