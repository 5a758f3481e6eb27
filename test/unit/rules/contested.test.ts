import { describe, expect, it } from '@jest/globals';
import type { Plan } from '../../../lib/executor/plan.js';
import { needsDecomposition } from '../../../lib/rules/contested.js';
import { queryOf } from '../rpc/publisher.js';

function isLost(call: string, args: Record<string, unknown>): boolean {
  const plan: Plan = { kind: 'call', call: { query: queryOf(call, args) } };
  return needsDecomposition(plan);
}

const KEY = { id: 1 };
/** A key, and what else the row must meet. */
const MORE = { id: 1, title: 'x' };
const TITLE = { title: 'y' };
const POST = { id: 1, title: 'x', summary: {}, ref: '00000000-0000-4000-8000-000000000000' };
const NEW_POST = { ...POST, author: { connect: { id: 1 } } };
const USER = { email: 'a', name: 'a' };

/** Nested writes of the posts of a user, which tests put in records of several kinds. */
const OF_KEYS: readonly (readonly [name: string, posts: object])[] = [
  ['nothing', {}],
  ['create', { create: POST }],
  ['createMany', { createMany: { data: [POST] } }],
  ['connect', { connect: KEY }],
  ['connectOrCreate', { connectOrCreate: { where: KEY, create: POST } }],
  ['disconnect', { disconnect: KEY }],
  ['set', { set: [KEY, { id: 2 }] }],
  ['set to nothing', { set: [] }],
  ['update', { update: { where: KEY, data: TITLE } }],
  ['upsert', { upsert: { where: KEY, create: POST, update: TITLE } }],
  ['delete', { delete: KEY }],
];

const CONNECTED = { tags: { connect: { id: 1, NOT: { name: 'x' } } } };

const OF_MORE: typeof OF_KEYS = [
  ['create of a record with one', { create: { ...POST, ...CONNECTED } }],
  ['connect', { connect: MORE }],
  ['connectOrCreate', { connectOrCreate: { where: MORE, create: POST } }],
  ['connectOrCreate of a record with one', { connectOrCreate: { where: KEY, create: { ...POST, ...CONNECTED } } }],
  ['disconnect', { disconnect: MORE }],
  ['set', { set: [KEY, MORE] }],
  ['update', { update: { where: MORE, data: TITLE } }],
  ['update by a record with one', { update: { where: KEY, data: CONNECTED } }],
  ['updateMany', { updateMany: { where: KEY, data: TITLE } }],
  ['upsert', { upsert: { where: MORE, create: POST, update: TITLE } }],
  ['upsert that creates a record with one', { upsert: { where: KEY, create: { ...POST, ...CONNECTED }, update: TITLE } }],
  ['upsert that updates by a record with one', { upsert: { where: KEY, create: POST, update: CONNECTED } }],
  ['delete', { delete: MORE }],
  ['deleteMany', { deleteMany: {} }],
  ['two verbs, of which the second has one', { create: POST, connect: MORE }],
];

type Arguments = (posts: object) => Record<string, unknown>;

const intoNew: readonly (readonly [call: string, args: Arguments])[] = [
  ['user.create', (posts) => ({ data: { ...USER, posts } })],
  ['user.upsert', (posts) => ({ where: KEY, create: { ...USER, posts }, update: {} })],
];

const intoOld: typeof intoNew = [
  ['user.update', (posts) => ({ where: KEY, data: { posts } })],
  ['user.upsert', (posts) => ({ where: KEY, create: USER, update: { posts } })],
];

/** Verbs of a new record, which has no rows yet. */
const ofNew = (rows: typeof OF_KEYS): typeof OF_KEYS => rows.filter(([name]) => /^(?:create|connect|nothing|two)/.test(name));

const NESTED = [
  ...intoNew.map((call) => [...call, ofNew(OF_KEYS), ofNew(OF_MORE)] as const),
  ...intoOld.map((call) => [...call, OF_KEYS, OF_MORE] as const),
];

describe('a condition that the statement of a write does not contain', () => {
  describe.each(NESTED)('in the nested writes of %s %#', (call, args, ofKeys, ofMore) => {
    it.each(ofKeys)('does not exist where %s names rows by their keys', (_, posts) => {
      expect(isLost(call, args(posts))).toBe(false);
    });
    it.each(ofMore)('exists in %s', (_, posts) => {
      expect(isLost(call, args(posts))).toBe(true);
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['post.findUnique', { where: MORE }],
    ['post.findMany', { where: TITLE, take: 1 }],
    ['post.count', { where: TITLE, take: 1 }],
    ['post.aggregate', { where: TITLE, _count: true }],
    ['post.groupBy', { by: ['title'], where: TITLE }],
    ['post.create', { data: NEW_POST }],
    ['post.createMany', { data: [{ ...POST, authorId: 1 }] }],
    ['post.update', { where: MORE, data: TITLE }],
    ['post.update', { where: KEY, data: { reviewer: { connect: KEY } } }],
    ['post.updateMany', { where: TITLE, data: TITLE }],
    ['post.upsert', { where: KEY, create: NEW_POST, update: TITLE }],
    ['post.delete', { where: MORE, select: { title: true } }],
    ['post.delete', { where: KEY, select: { author: true } }],
    ['post.deleteMany', { where: TITLE }],
    ['profile.update', { where: KEY, data: { user: { update: { name: 'x' } } } }],
    ['post.update', { where: KEY, data: { reviewer: { disconnect: true } } }],
  ])('does not exist in %s of %j', (call, args) => {
    expect(isLost(call, args)).toBe(false);
  });

  it.each<[string, Record<string, unknown>]>([
    ['post.update', { where: MORE, data: { reviewer: { connect: KEY } } }],
    ['post.updateMany', { where: TITLE, data: TITLE, limit: 1 }],
    ['post.upsert', { where: MORE, create: NEW_POST, update: TITLE }],
    ['post.delete', { where: MORE, select: { author: true } }],
    ['post.deleteMany', { where: TITLE, limit: 1 }],
    ['profile.update', { where: KEY, data: { user: { update: { where: { name: 'x' }, data: { name: 'y' } } } } }],
    ['post.update', { where: KEY, data: { reviewer: { disconnect: { name: 'x' } } } }],
  ])('exists in %s of %j', (call, args) => {
    expect(isLost(call, args)).toBe(true);
  });

  it('exists in a batch of which one write has one', () => {
    const calls = [
      { query: queryOf('post.update', { where: KEY, data: TITLE }) },
      { query: queryOf('post.deleteMany', { where: {}, limit: 1 }) },
    ];
    expect(needsDecomposition({ kind: 'transaction', calls })).toBe(true);
    expect(needsDecomposition({ kind: 'transaction', calls: calls.slice(0, 1) })).toBe(false);
  });
});
