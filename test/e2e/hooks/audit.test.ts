import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { IS_LONG } from '../../support/long.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { CallerGuard, HooksModule, onCommit } from './recording-hooks.js';

/** Numbers that look random, and are the same in each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

type Call = readonly [operation: string, args: object];

/** The rows of these models as JSON, by `model key`. */
type State = ReadonlyMap<string, string>;

async function readState({ category, post, comment }: PrismaClient): Promise<State> {
  const rows = {
    Category: await category.findMany(),
    Post: await post.findMany(),
    Comment: await comment.findMany(),
  };
  return new Map(Object.entries(rows).flatMap(([model, of]) => of.map((row) => [`${model} ${row.id}`, JSON.stringify(row)] as const)));
}

function changesIn(before: State, after: State): readonly string[] {
  const made = [...after.keys()].filter((key) => !before.has(key)).map((key) => `create ${key}`);
  const gone = [...before.keys()].filter((key) => !after.has(key)).map((key) => `delete ${key}`);
  const changed = [...after].filter(([key, row]) => before.has(key) && before.get(key) !== row).map(([key]) => `update ${key}`);
  return [...made, ...gone, ...changed].toSorted();
}

/** Returns one write of any kind, of keys that exist and of keys that do not. */
function randomCall(roll: (sides: number) => number, step: number): Call {
  const [post, other, comment, category] = [roll(30) + 1, roll(30) + 1, roll(60) + 1, roll(12) + 1];
  const slug = `slug-${step}`;
  const body = { body: `b${roll(5)}` };
  const title = { title: `t${roll(5)}` };
  const record = { ...title, authorId: roll(3) + 1 };
  const verbs: readonly object[] = [
    { create: [body, body] },
    { createMany: { data: [body] } },
    { connect: { id: comment } },
    { connectOrCreate: { where: { id: comment }, create: body } },
    { update: { where: { id: comment }, data: body } },
    { updateMany: { where: { id: { lt: comment } }, data: body } },
    { upsert: { where: { id: comment }, create: body, update: body } },
    { delete: { id: comment } },
    { deleteMany: { id: { gt: 55 } } },
  ];
  const verb = { comments: verbs[roll(verbs.length)] };
  const links: readonly object[] = [
    { category: { connect: { id: category } } },
    { category: { disconnect: true } },
    { category: { create: { slug, name: 'n' } } },
    { category: { update: { name: `n${roll(4)}` } } },
    { tags: { connect: { id: roll(5) + 1 } } },
    { tags: { set: [{ id: roll(5) + 1 }] } },
  ];
  const calls: readonly Call[] = [
    ['post/create', { data: { ...record, comments: { create: body } } }],
    ['post/createMany', { data: [record, record] }],
    ['post/update', { where: { id: post }, data: { ...title, ...verb } }],
    ['post/update', { where: { id: post }, data: verb }],
    ['post/update', { where: { id: post }, data: links[roll(links.length)] }],
    ['post/updateMany', { where: { id: { in: [post, other] } }, data: { viewCount: { increment: 1 } } }],
    ['post/upsert', { where: { id: post }, create: record, update: title }],
    ['post/deleteMany', { where: { id: post, comments: { none: {} } } }],
    ['comment/delete', { where: { id: comment } }],
    ['comment/create', { data: { ...body, postId: post } }],
    ['category/update', { where: { id: category }, data: { posts: { connect: { id: post } } } }],
    ['category/update', { where: { id: category }, data: { posts: { set: [{ id: post }, { id: other }] } } }],
    [
      'category/upsert',
      { where: { id: category }, create: { slug, name: 'n' }, update: { name: `n${roll(4)}`, posts: { create: record } } },
    ],
    // The hook of comments rejects this text.
    ['post/create', { data: { ...record, comments: { create: [body, { body: 'bad' }] } } }],
  ];
  return calls[roll(calls.length)] ?? ['post/count', {}];
}

/** `RANDOM_REQUESTS=50000 RANDOM_SEED=42 npx jest hooks/audit` sends other requests. */
const RUNS = Number(process.env['RANDOM_REQUESTS'] ?? (IS_LONG ? 10_000 : 25));

describe('random writes', () => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    onCommit.work = () => undefined;
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database, options: { guards: [CallerGuard] }, imports: [HooksModule] });
    await database.prisma.auditEvent.deleteMany();
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('write exactly one row of the audit log for each record that is changed', async () => {
    const { prisma } = database;
    const roll = dice(Number(process.env['RANDOM_SEED'] ?? 7));
    const statuses = new Set<number>();
    let seen = 0;
    let before = await readState(prisma);
    for (let step = 0; step < RUNS; step++) {
      // Each step reads all rows. A reset keeps their number small.
      if (step % 100 === 99) {
        await database.reset();
        await prisma.auditEvent.deleteMany();
        seen = 0;
        before = await readState(prisma);
      }
      const [operation, args] = randomCall(roll, step);
      const { status } = await app.rpc.call(operation, args);
      statuses.add(status);
      const after = await readState(prisma);
      const rows = await prisma.auditEvent.findMany({ where: { id: { gt: seen } }, orderBy: { id: 'asc' } });
      seen = rows.at(-1)?.id ?? seen;
      const audited = rows.map(({ type, payload }) => `${type} ${(payload as { key: string[] }).key.join()}`).toSorted();
      expect([step, operation, args, status, audited]).toEqual([step, operation, args, status, changesIn(before, after)]);
      before = after;
    }
    expect([...statuses].toSorted()).toEqual(expect.arrayContaining([200, 201, 409]));
  }, 3_600_000);
});
