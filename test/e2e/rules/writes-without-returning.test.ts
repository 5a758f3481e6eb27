import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { sample } from '../../support/sample.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { readState, withoutTime } from './inspected-client.js';
import { REFERRING_WRITES } from './referring-writes.js';
import { callerOf } from './rules-suite.js';
import { RULES } from './rules.js';

/** A schema of a database without RETURNING and row locks, so that each row is read, written and read again by separate statements. */
const RETURNS_NOTHING = { ...resourceSchema, provider: 'sqlserver' } as const;

type Write = readonly [operation: string, args: object];

const POST = { title: 'x', authorId: 1 };
const post = (data: object): Write => ['post/update', { where: { id: 1 }, data, select: { id: true, title: true } }];
const user = (data: object): Write => ['user/update', { where: { id: 1 }, data, select: { id: true, name: true } }];
const comments = (verbs: object): Write => post({ comments: verbs });

/** Serializes bigints, which some of the keys are. */
const referring = ([, operation, args]: (typeof REFERRING_WRITES)[number]): Write => [
  operation,
  operation.endsWith('Many') ? args : { ...args, select: { id: true } },
];

/** Writes that the rules allow some callers and forbid others. */
const WRITES: readonly Write[] = [
  ['post/create', { data: POST }],
  ['post/create', { data: { ...POST, comments: { create: { body: 'x', authorId: 1 } }, tags: { connect: { id: 1 } } } }],
  ['post/createMany', { data: [POST, { ...POST, authorId: 2 }] }],
  ['post/createMany', { data: [POST, { ...POST, title: 'y' }] }],
  ['tag/createMany', { data: [{ name: 'x' }, { name: 'y' }] }],
  ['tag/createMany', { data: [] }],
  ['comment/update', { where: { id: 1 }, data: { body: 'x' } }],
  ['comment/update', { where: { id: 1 }, data: { body: 'forbidden' } }],
  ['comment/update', { where: { id: 1, body: 'nothing' }, data: { body: 'x' } }],
  ['comment/update', { where: { id: 999 }, data: { body: 'x' } }],
  ['comment/update', { where: { id: 1 }, data: { id: 98 }, select: { id: true } }],
  ['comment/update', { where: { id: 1 }, data: {} }],
  ['comment/updateMany', { where: {}, data: { body: 'x' } }],
  ['comment/updateMany', { where: {}, data: { body: 'forbidden' } }],
  ['comment/updateMany', { where: {}, data: { body: 'x' }, limit: 1 }],
  ['comment/updateMany', { where: {}, data: { postId: 2 } }],
  ['comment/updateMany', { where: {}, data: { postId: 3 } }],
  ['comment/updateMany', { where: { id: 999 }, data: { body: 'x' } }],
  ['comment/updateMany', { where: {}, data: { id: 99 } }],
  ['category/updateMany', { where: {}, data: { name: 'x' } }],
  ['comment/upsert', { where: { id: 1 }, create: { body: 'x', postId: 1 }, update: { body: 'y' } }],
  ['comment/upsert', { where: { id: 999 }, create: { body: 'x', postId: 1, authorId: 1 }, update: { body: 'y' } }],
  ['comment/upsert', { where: { id: 1, body: 'nothing' }, create: { id: 1, body: 'x', postId: 1, authorId: 1 }, update: {} }],
  ['comment/delete', { where: { id: 1 } }],
  ['comment/delete', { where: { id: 1 }, select: { id: true, post: { select: { title: true } } } }],
  ['comment/delete', { where: { id: 1, body: 'nothing' } }],
  ['comment/deleteMany', { where: {} }],
  ['comment/deleteMany', { where: {}, limit: 1 }],
  ['category/delete', { where: { id: 5 } }],
  comments({ create: [{ body: 'x', authorId: 1 }] }),
  comments({ create: [{ body: 'x', authorId: 2 }] }),
  comments({ createMany: { data: [{ body: 'x', authorId: 1 }] } }),
  comments({ connect: { id: 6 } }),
  comments({ connect: { id: 2 } }),
  comments({ connectOrCreate: { where: { id: 6 }, create: { body: 'x', authorId: 1 } } }),
  comments({ set: [{ id: 6 }] }),
  comments({ update: { where: { id: 1 }, data: { body: 'x' } } }),
  comments({ updateMany: { where: {}, data: { body: 'x' } } }),
  comments({ upsert: { where: { id: 1 }, create: { body: 'x' }, update: { body: 'y' } } }),
  comments({ delete: { id: 1 } }),
  comments({ deleteMany: {} }),
  comments({ deleteMany: { body: 'x' }, create: { body: 'x', authorId: 1 } }),
  post({ tags: { set: [{ id: 1 }, { id: 4 }] } }),
  post({ tags: { disconnect: { id: 1 } } }),
  post({ reviewer: { connect: { id: 2 } } }),
  post({ reviewer: { disconnect: true } }),
  post({ author: { update: { name: 'x' } } }),
  user({ name: 'x', posts: { disconnect: { id: 1 } } }),
  user({ profile: { update: { bio: 'x' } } }),
  user({ profile: { delete: true } }),
  user({ profile: { create: { bio: 'x' } } }),
  user({ posts: { update: { where: { id: 1, title: 'nothing' }, data: { title: 'y' } } } }),
  ...REFERRING_WRITES.filter(([what]) => !what.includes('duplicate')).map(referring),
];

onDatabases('postgresql').describe('writes under rules on a database without RETURNING', () => {
  let database: TestDatabase;
  let returning: TestApp;
  let apart: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    returning = await startTestApp({ platform: 'express', database, options: { rules: RULES } });
    apart = await startTestApp({ platform: 'fastify', database, options: { rules: RULES, schema: RETURNS_NOTHING } });
  }, 60_000);
  afterAll(async () => {
    await returning.close();
    await apart.close();
    await database.close();
  });

  async function outcomeOf(app: TestApp, [operation, args]: Write, id: number): Promise<readonly unknown[]> {
    await database.reset();
    const { status, data, error } = await callerOf(app, id).rpc(operation, args);
    return [status, withoutTime(JSON.stringify([data, error])), withoutTime(await readState(database.prisma))];
  }

  it.each(sample.inTurn([1, 3], WRITES))('return and store the same as with RETURNING for caller %i: %j', async (id, write) => {
    expect(await outcomeOf(apart, write, id)).toEqual(await outcomeOf(returning, write, id));
  });
});
