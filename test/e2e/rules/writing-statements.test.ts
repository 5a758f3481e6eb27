import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { type Caller, callerOf } from './rules-suite.js';
import { RULES } from './rules.js';

interface Write {
  readonly what: string;
  readonly send: (caller: Caller) => Promise<{ readonly status: number; readonly data?: unknown }>;
}

const rpc = (what: string, operation: string, args: object): Write => ({ what, send: (caller) => caller.rpc(operation, args) });

const title = { title: 'Mine' };

/** Updates by user 1 of post 1, which user 1 has written. */
const UPDATES: readonly Write[] = [
  rpc('an update', 'post/update', { where: { id: 1 }, data: title, select: { id: true } }),
  rpc('an update by a filter', 'post/update', { where: { id: 1, published: true }, data: title, select: { id: true } }),
  rpc('an update with relations in its answer', 'post/update', {
    where: { id: 1 },
    data: title,
    include: { author: true, comments: true },
  }),
  rpc('an update with a nested write', 'post/update', {
    where: { id: 1 },
    data: { ...title, comments: { create: { body: 'x', authorId: 1 } } },
    select: { id: true },
  }),
  rpc('an upsert', 'post/upsert', { where: { id: 1 }, update: title, create: { ...title, authorId: 1 }, select: { id: true } }),
  rpc('an update of many', 'post/updateMany', { where: { id: 1 }, data: title }),
  rpc('an update through a relation', 'user/update', {
    where: { id: 1 },
    data: { posts: { update: { where: { id: 1 }, data: title } } },
    select: { id: true },
  }),
  {
    what: 'PATCH',
    send: (caller) => caller.rest('PATCH', '/post/1', { data: { type: 'post', id: 1, attributes: title } }),
  },
  {
    what: 'PATCH of a relationship',
    send: (caller) => caller.rest('PATCH', '/post/1/relationships/category', { data: { type: 'category', id: 4 } }),
  },
];

const DELETES: readonly Write[] = [
  rpc('a delete', 'post/delete', { where: { id: 1 }, select: { id: true } }),
  rpc('a delete with relations in its answer', 'post/delete', { where: { id: 1 }, include: { author: true } }),
  rpc('a delete of many', 'post/deleteMany', { where: { id: 1 } }),
  rpc('a delete through a relation', 'user/update', { where: { id: 1 }, data: { posts: { delete: { id: 1 } } }, select: { id: true } }),
  { what: 'DELETE', send: (caller) => caller.rest('DELETE', '/post/1') },
];

/** Because of this, the rule applies to a row that another transaction has changed meanwhile (`delayed-writes.test.ts`). */
describe('UPDATE and DELETE under rules', () => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database, options: { rules: RULES } });
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each([...UPDATES, ...DELETES])('have the condition of the rule in WHERE, even if the row was read before: $what', async ({ send }) => {
    if (DELETES.some((write) => write.send === send)) await database.prisma.comment.deleteMany({ where: { postId: 1 } });
    database.statements.clear();
    const { status } = await send(callerOf(app, 1));
    const writes = database.statements.writes.filter((sql) => /^\s*(?:UPDATE|DELETE FROM)\s[^ ]*Post[`"]/i.test(sql));
    expect([status < 300, writes.length > 0]).toEqual([true, true]);
    for (const sql of writes) expect(sql.replace(/\bRETURNING\b[^]*/i, '')).toMatch(/\bWHERE\b[^]*authorId/);
  });
});
