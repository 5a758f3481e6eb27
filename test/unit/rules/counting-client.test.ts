import { describe, expect, it } from '@jest/globals';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { countingClient } from '../../../lib/rules/counting-client.js';
import { schemaOf } from '../rpc/model-of.js';

const schema = schemaOf(`
model Post {
  id      Int    @id
  title   String
  version Int    @default(0)
}
model Big {
  id      Int    @id
  title   String
  version BigInt @default(0)
}
model Tag {
  id      Int    @id
  title   String
  version Int    @default(0)
}
`);
const VERSIONS = new Map([
  ['Post', 'version'],
  ['Big', 'version'],
]);

const OPERATIONS = [
  'update',
  'updateMany',
  'updateManyAndReturn',
  'upsert',
  'create',
  'createMany',
  'delete',
  'findMany',
  'count',
] as const;
type Operation = (typeof OPERATIONS)[number];

/** A delegate whose methods return their arguments and their `this`. */
class Delegate {
  readonly fields = { title: 'a reference' };
}
for (const operation of OPERATIONS) {
  Object.defineProperty(Delegate.prototype, operation, {
    value(this: unknown, ...given: readonly unknown[]): unknown {
      return { given, isOwn: this instanceof Delegate };
    },
  });
}

type Delegates = Readonly<Record<'post' | 'big' | 'tag', Readonly<Record<Operation, (...given: readonly unknown[]) => unknown>>>>;

const ON_CLIENT = { $connect: () => 'connected', version: 7 };
const client = countingClient(
  { ...ON_CLIENT, post: new Delegate(), big: new Delegate(), tag: new Delegate() },
  buildStorage(schema, VERSIONS),
) as typeof ON_CLIENT & Delegates;

const TITLE = { title: 'x' };

describe('the data client for the code of the application, of models with versions', () => {
  it.each<[Operation, object, object]>([
    ['update', { where: { id: 1 }, data: TITLE }, { where: { id: 1 }, data: { ...TITLE, version: { increment: 1 } } }],
    ['updateMany', { data: TITLE }, { data: { ...TITLE, version: { increment: 1 } } }],
    ['updateManyAndReturn', { data: TITLE, limit: 1 }, { data: { ...TITLE, version: { increment: 1 } }, limit: 1 }],
    ['upsert', { create: TITLE, update: TITLE }, { create: TITLE, update: { ...TITLE, version: { increment: 1 } } }],
  ])('increments the version in %s, and passes all other arguments', (operation, args, counted) => {
    expect(client.post[operation](args, 'more')).toEqual({ given: [counted, 'more'], isOwn: true });
  });

  it('increments a BigInt by a bigint', () => {
    expect(client.big.update({ data: TITLE })).toMatchObject({ given: [{ data: { version: { increment: 1n } } }] });
  });

  it.each<[string, Operation, unknown]>([
    ['that sets the version itself', 'update', { data: { ...TITLE, version: 5 } }],
    ['that writes nothing', 'update', { data: {} }],
    ['that writes nothing into the row that is there', 'upsert', { create: TITLE, update: {} }],
    ['without data', 'update', { where: { id: 1 } }],
    ['without arguments', 'updateMany', undefined],
    ['of which Prisma will say that it is none', 'update', 'nonsense'],
    ['that creates', 'create', { data: TITLE }],
    ['that creates many', 'createMany', { data: [TITLE] }],
    ['that deletes', 'delete', { where: { id: 1 } }],
    ['that reads', 'findMany', { where: TITLE }],
  ])('passes a call unchanged %s', (_, operation, args) => {
    expect(client.post[operation](args)).toEqual({ given: [args], isOwn: true });
  });

  it('passes the calls of other models, and all other members', () => {
    expect(client.tag.update({ data: TITLE })).toEqual({ given: [{ data: TITLE }], isOwn: true });
    expect([client.$connect(), client.version, Reflect.get(client.post, 'fields'), Reflect.get(client, Symbol.iterator)]).toEqual([
      'connected',
      7,
      { title: 'a reference' },
      undefined,
    ]);
  });
});
