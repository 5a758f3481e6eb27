import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { existsSync } from 'node:fs';
import type { Server } from 'node:net';
import supertest from 'supertest';
import { fromZenStackSchema, ResourceApiModule, type ZenStackSchema } from '../../../lib/index.js';
import { describeWhere } from '../../support/describe-where.js';
import { RestClient } from '../../support/rest-client.js';
import { RpcClient } from '../../support/rpc-client.js';

const SAMPLE = new URL('../../../sample/zenstack/', import.meta.url);
const IS_INSTALLED = existsSync(new URL('node_modules/@zenstackhq/orm', SAMPLE));

interface Extensible {
  readonly $use: (plugin: object) => object;
}

interface Query {
  readonly model: string;
  readonly operation: string;
  readonly args: { readonly data?: object };
  readonly proceed: (args: object) => Promise<unknown>;
}

/** Returns a client that sets a hidden field of new users, as the plugin of an application does. */
function fillingIn(client: Extensible, hidden: object): object {
  const onQuery = ({ model, operation, args, proceed }: Query): Promise<unknown> => {
    const isFilled = model === 'User' && operation === 'create';
    return proceed(isFilled ? { ...args, data: { ...args.data, ...hidden } } : args);
  };
  return client.$use({ id: 'filling-in', onQuery });
}

describeWhere(IS_INSTALLED, 'npm ci --prefix sample/zenstack', "ZenStack's ORM without policies (sample/zenstack)", () => {
  let nest: INestApplication;
  let close: () => Promise<void>;
  let rest: RestClient;
  let rpc: RpcClient;

  beforeAll(async () => {
    // Imports a separate instance of the module, because other tests of the sample close theirs.
    const database = await import(`${new URL('src/database.ts', SAMPLE).pathname}?without-policies`);
    const { schema } = (await import(new URL('src/generated/schema.ts', SAMPLE).pathname)) as { readonly schema: ZenStackSchema };
    await database.openDatabase();
    await database.owner.tag.create({ data: { name: 'sql' } });
    const api = ResourceApiModule.forRoot({
      schema: fromZenStackSchema(schema),
      getClient: () => fillingIn(database.owner as Extensible, { passwordHash: 'short' }),
      rest: { prefix: 'api/rest', endpoint: 'http://localhost:3000/api/rest' },
      rpc: { prefix: 'api/rpc' },
    });
    const module = await Test.createTestingModule({ imports: [api] }).compile();
    nest = module.createNestApplication(new ExpressAdapter(), { logger: false });
    await nest.init();
    close = () => database.closeDatabase() as Promise<void>;
    const agent = supertest.agent(nest.getHttpServer() as Server);
    rest = new RestClient({ agent, prefix: '/api/rest', strict: false, endpoint: 'http://localhost:3000/api/rest' });
    rpc = new RpcClient({ agent, prefix: '/api/rpc' });
  }, 60_000);
  afterAll(async () => {
    await nest.close();
    await close();
  });

  const SQL = { data: [{ type: 'tag', id: 2 }] };
  const ORM = { data: [{ type: 'tag', id: 1 }] };

  it('adds, removes and replaces to-many linkage, and returns the resulting linkage', async () => {
    const path = '/post/1/relationships/tags';
    const answers = [
      await rest.post(path, SQL),
      await rest.delete(path, ORM),
      await rest.patch(path, ORM),
      await rest.patch(path, { data: [] }),
      await rest.patch(path, { data: [...ORM.data, ...SQL.data] }),
    ];
    expect(answers.map(({ status, ids, document }) => [status, ids, document.meta?.['total']])).toEqual([
      [200, [1, 2], 2],
      [200, [2], 1],
      [200, [1], 1],
      [200, [], 0],
      [200, [1, 2], 2],
    ]);
    expect((await rest.get(path)).ids).toEqual([1, 2]);
    expect((await rest.post('/tag/9/relationships/posts', { data: [] })).status).toBe(404);
  });

  it('returns _count of relations with written rows', async () => {
    const counted = { include: { _count: { select: { posts: true } } } };
    const created = await rpc.call('tag/create', { data: { name: 'new', posts: { connect: { id: 1 } } }, ...counted });
    expect([created.status, created.data]).toEqual([201, { id: expect.any(Number), name: 'new', _count: { posts: 1 } }]);
    const { id } = created.data as { readonly id: number };
    const updated = await rpc.call('tag/update', { where: { id }, data: { posts: { connect: { id: 2 } } }, ...counted });
    expect(updated.data).toEqual({ id, name: 'new', _count: { posts: 2 } });
    const upserted = await rpc.call('tag/upsert', { where: { id }, create: { name: 'new' }, update: { name: 'newer' }, ...counted });
    expect(upserted.data).toEqual({ id, name: 'newer', _count: { posts: 2 } });
    expect((await rpc.call('tag/delete', { where: { id }, ...counted })).data).toEqual({ id, name: 'newer', _count: { posts: 2 } });
    expect((await rpc.call('tag/findUnique', { where: { id } })).data).toBeNull();
  });

  it('answers a value that a validation attribute rejects with 422, the message and its pointer', async () => {
    const before = (await rest.get('/tag')).document.meta?.['total'];
    const created = await rest.post('/tag', { data: { type: 'tag', attributes: { name: '' } } });
    expect([created.status, created.errors]).toMatchObject([
      422,
      [{ code: 'validation-error', detail: expect.stringMatching(/^Too small: .*\.$/), source: { pointer: '/data/attributes/name' } }],
    ]);
    const tag = { type: 'tag', id: 1, attributes: { name: 'x'.repeat(41) } };
    const updated = await rest.patch('/tag/1', { data: tag });
    expect([updated.status, updated.errors.map(({ source }) => source)]).toEqual([422, [{ pointer: '/data/attributes/name' }]]);
    const upsert = { data: { type: 'tag', attributes: { name: '' } }, meta: { operation: 'upsert', matchFields: ['name'] } };
    const upserted = await rest.post('/tag', upsert);
    expect([upserted.status, upserted.errors.map(({ source }) => source)]).toEqual([422, [{ pointer: '/data/attributes/name' }]]);
    expect((await rest.get('/tag')).document.meta?.['total']).toBe(before);
  });

  it.each([
    ['tag/create', { data: { name: '' } }, 'data.name'],
    ['tag/createMany', { data: [{ name: 'fine' }, { name: '' }] }, 'data.1.name'],
    ['tag/update', { where: { id: 1 }, data: { name: '' } }, 'data.name'],
    ['tag/upsert', { where: { id: 1 }, create: { name: 'fine' }, update: { name: '' } }, 'update.name'],
    ['post/update', { where: { id: 1 }, data: { tags: { create: [{ name: 'fine' }, { name: '' }] } } }, 'data.tags.create.1.name'],
    [
      'post/update',
      { where: { id: 1 }, data: { tags: { connectOrCreate: { where: { id: 1 }, create: { name: '' } } } } },
      'data.tags.connectOrCreate.create.name',
    ],
  ])('answers such a value in RPC with 400, the message and its path: %s %j', async (path, args, at) => {
    const answer = await rpc.call(path, args);
    expect([answer.status, answer.error.orm]).toEqual([400, true]);
    expect(answer.error.message).toMatch(new RegExp(`^${at}: Too small: [^:]*\\.$`));
    const [, operation = ''] = path.split('/');
    const [model = ''] = path.split('/');
    const batch = await rpc.sequential([
      { model: 'tag', op: 'count', args: {} },
      { model, op: operation, args },
    ]);
    expect(batch.error.message).toBe(`operations[1]: ${answer.error.message}`);
  });

  it('does not name a hidden field whose value a validation attribute rejects', async () => {
    const user = { type: 'user', attributes: { email: 'nobody', name: 'x' } };
    // The plugin of the application sets a value that is too short.
    const filled = await rest.post('/user', { data: user });
    expect([filled.status, filled.errors[0]?.detail]).toEqual([422, 'The data layer refused these values.']);
    const { status, error } = await rpc.call('user/create', { data: user.attributes });
    expect([status, error.message]).toEqual([400, 'The data layer refused these values.']);
    expect(JSON.stringify([filled.document, error])).not.toContain('passwordHash');
  });

  it('sorts by the id of the row of a to-one relationship', async () => {
    expect((await rest.get('/comment?sort=-post')).ids).toEqual([3, 2, 1]);
    expect((await rest.get('/comment?sort=author,-post')).ids).toEqual([3, 2, 1]);
  });

  it('answers an upsert that creates with 201, and one that updates with 200', async () => {
    const upsert = { data: { type: 'tag', attributes: { name: 'upserted' } }, meta: { operation: 'upsert', matchFields: ['name'] } };
    const [first, second] = [await rest.post('/tag', upsert), await rest.post('/tag', upsert)];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.one.id).toBe(first.one.id);
  });
});
