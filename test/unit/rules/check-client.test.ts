import { PrismaPg } from '@prisma/adapter-pg';
import { describe, expect, it } from '@jest/globals';
import { checkExtensions, requireTransactions } from '../../../lib/rules/check-client.js';
import { PrismaClient } from '../../support/generated/prisma/client.js';

const prisma = new PrismaClient({ adapter: new PrismaPg({}) });
const pass = ({ args, query }: { args: unknown; query: (args: never) => unknown }): unknown => query(args as never);
const own = (): unknown => undefined;

type Hooks = Readonly<Record<string, readonly string[]>>;

/** A client with hooks on these operations, by model, or with methods of models in their place. */
function extended(hooks: Hooks, part: 'query' | 'model' = 'query'): object {
  const hook = part === 'query' ? pass : own;
  const members = Object.entries(hooks).map(([model, names]) => [model, Object.fromEntries(names.map((name) => [name, hook]))]);
  // Extensions of all kinds have no type in common.
  return prisma.$extends({ [part]: Object.fromEntries(members) as object });
}

function check(
  client: object,
  { keeps = false, accepted = [] }: { keeps?: boolean; accepted?: readonly string[] } = {},
): string | undefined {
  return checkExtensions(client, { stage: 'rules', keeps, accepted });
}

describe('checkExtensions', () => {
  it.each<[string, string, string]>([
    ['createMany', 'createManyAndReturn, create', ''],
    ['update', 'updateMany', ''],
    ['updateMany', 'updateManyAndReturn', ''],
    ['upsert', 'create, update, updateMany', ''],
    ['delete', 'deleteMany', 'updateMany'],
  ])('refuses a hook on %s, which may be made as another operation', (operation, made, kept) => {
    for (const part of ['query', 'model'] as const) {
      const client = extended({ post: [operation] }, part);
      expect(() => check(client)).toThrow(
        `Under rules, post.${operation} of the data client's extensions may not run, because operations are made as others: ${operation} as ${made}.`,
      );
      expect(() => check(client)).toThrow(
        `Extend ${made}, too, use $allOperations, let the database do it, or accept it: bypassedHooks: ['post.${operation}'].`,
      );
      expect(() => check(client, { keeps: true })).toThrow(`${operation} as ${kept || made}.`);
    }
  });

  it('names each hook once, and each operation', () => {
    // The types of an extended client have other members than those of its hooks.
    const client = prisma.$extends({
      query: { post: { delete: pass, update: pass }, tag: { delete: pass } },
    } as never) as unknown as typeof prisma;
    const again = client.$extends({ query: { post: { delete: pass } } } as never);
    expect(() => check(again)).toThrow(
      "Under rules, post.delete, post.update, tag.delete of the data client's extensions may not run, because operations are made as others: delete as deleteMany; update as updateMany.",
    );
    expect(() => check(again)).toThrow("bypassedHooks: ['post.delete', 'post.update', 'tag.delete'].");
  });

  it.each<[string, Hooks, { keeps?: boolean; accepted?: readonly string[] }]>([
    ['of operations that are made as they are', { post: ['findMany', 'create', 'createManyAndReturn', 'deleteMany'] }, {}],
    ['on the operation that it is made as, too', { post: ['delete', 'deleteMany'] }, {}],
    ['on this of all models', { post: ['delete'], $allModels: ['deleteMany'] }, {}],
    ['on all that an upsert is made as', { post: ['upsert', 'create', 'update', 'updateMany', 'updateManyAndReturn'] }, {}],
    ['on what a soft delete is', { post: ['delete', 'deleteMany', 'updateMany', 'updateManyAndReturn'] }, { keeps: true }],
    ['that the application accepts', { post: ['delete'], $allModels: ['update'] }, { accepted: ['post.delete', '$allModels.update'] }],
  ])('takes hooks %s', (_, hooks, options) => {
    expect(check(extended(hooks), options)).toBeUndefined();
  });

  it.each<[string, Hooks, { keeps?: boolean; accepted?: readonly string[] }]>([
    ['of another model alone', { post: ['delete'], tag: ['deleteMany'] }, {}],
    ['of one model for that of all', { $allModels: ['delete'], post: ['deleteMany'] }, {}],
    ['of a part of what it is made as', { post: ['upsert', 'create', 'update'] }, { accepted: ['post.update'] }],
    ['that soft delete makes another', { post: ['deleteMany'] }, { keeps: true }],
    ['that is another than the accepted one', { post: ['delete'] }, { accepted: ['post.deleteMany', 'tag.delete'] }],
    ['on all operations of another model', { post: ['delete'], tag: ['$allOperations'] }, {}],
  ])('refuses hooks where one is %s', (_, hooks, options) => {
    expect(() => check(extended(hooks), options)).toThrow('may not run');
  });

  it.each<[string, object]>([
    ['of its model', { post: { delete: pass, $allOperations: pass } }],
    ['of all models', { post: { delete: pass }, $allModels: { $allOperations: pass } }],
    ['of the client', { post: { delete: pass }, $allOperations: pass }],
  ])('accepts a hook beside one on all operations %s, and warns of the operations that the latter receives', (_, query) => {
    const warning =
      'Under rules, hooks on $allOperations of the data client run, and may receive another operation than the client has requested: ' +
      'createMany as createManyAndReturn, create; update as updateMany; updateMany as updateManyAndReturn; ' +
      'upsert as create, update, updateMany; delete as ';
    const client = prisma.$extends({ query });
    expect(check(client)).toBe(`${warning}deleteMany.`);
    expect(check(client, { keeps: true })).toBe(`${warning}updateMany; deleteMany as updateMany.`);
  });

  it('accepts a client without extensions, and one whose extensions cannot be read', () => {
    expect([check(prisma), check({ post: {} })]).toEqual([undefined, undefined]);
  });
});

describe('requireTransactions', () => {
  const delegates = ['post', 'tag'];

  it.each(['create', 'createMany', 'createManyAndReturn', 'update', 'updateMany', 'updateManyAndReturn', 'upsert', 'delete', 'deleteMany'])(
    'refuses a client that has %s, and no transactions',
    (operation) => {
      expect(() => {
        requireTransactions({ post: { findMany: own }, tag: { [operation]: own } }, delegates, 'Hooks need');
      }).toThrow(
        'Hooks need transactions, and the data client has no $transaction, but writes tag: a refused write could not be rolled back.',
      );
    },
  );

  it.each<[string, object]>([
    ['has them', { $transaction: own, tag: { create: own } }],
    ['only reads', { tag: { findMany: own, count: own }, post: {} }],
    ['writes what is no model', { other: { create: own } }],
    ['has a member of such a name that is no method', { tag: { create: true } }],
    ['is a transaction of Prisma, which has nested ones', prisma],
  ])('takes a client that %s', (_, client) => {
    expect(() => {
      requireTransactions(client, delegates, 'Hooks need');
    }).not.toThrow();
  });
});
