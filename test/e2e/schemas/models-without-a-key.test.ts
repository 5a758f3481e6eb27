import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RESOURCE_MODEL, ResourceApiModule, type ResourceModel, type ResourceSchema } from 'nestjs-resource-api';
import { z } from 'zod';
import { closeAll, endpoint, PLATFORMS, startTinyApp } from '../../support/tiny-app.js';

afterEach(closeAll);
afterEach(() => {
  jest.restoreAllMocks();
});

/** A model, and a view of it as Prisma 7 has them: read only, without any unique key. */
const schema: ResourceSchema = {
  version: 2,
  provider: 'postgresql',
  enums: {},
  models: {
    User: {
      fields: {
        id: { kind: 'scalar', type: 'Int' },
        name: { kind: 'scalar', type: 'String' },
        totals: { kind: 'relation', type: 'Total', list: true, relation: 'TotalToUser', opposite: 'user' },
      },
      primaryKey: { name: 'id', fields: ['id'] },
      uniqueKeys: [],
    },
    Total: {
      fields: {
        userId: { kind: 'scalar', type: 'Int' },
        posts: { kind: 'scalar', type: 'Int' },
        user: {
          kind: 'relation',
          type: 'User',
          relation: 'TotalToUser',
          opposite: 'totals',
          foreignKey: { fields: ['userId'], references: ['id'] },
        },
      },
      uniqueKeys: [],
      actions: ['read'],
    },
  },
};

const row = { userId: 1, posts: 3 };

/** Returns a client whose results contain the arguments, if a test compares them. */
function client() {
  return {
    user: {
      findMany: jest.fn((_args: unknown) => Promise.resolve([{ id: 1, name: 'Ann', totals: [row] }])),
      count: () => Promise.resolve(1),
      create: jest.fn(({ data }: { readonly data: object }) => Promise.resolve({ id: 2, ...data })),
    },
    total: {
      findMany: jest.fn((_args: unknown) => Promise.resolve([row])),
      findFirst: () => Promise.resolve(row),
      count: () => Promise.resolve(1),
      aggregate: () => Promise.resolve({ _sum: { posts: 3 } }),
      groupBy: () => Promise.resolve([{ userId: 1, _sum: { posts: 3 } }]),
    },
  };
}

describe.each(PLATFORMS)('a view without a key on %s', (platform) => {
  async function start(data = client()) {
    const options = { schema, getClient: () => data, rest: { prefix: 'rest', endpoint }, rpc: { prefix: 'rpc' } };
    const validate = { create: z.object({ id: z.number(), name: z.string().min(3) }) };
    return startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, resources: { User: { clientIds: 'allowed', validate } } })]);
  }

  it.each([
    ['findMany', {}, [row]],
    ['findMany', { where: { posts: { gt: 1 } }, orderBy: { posts: 'desc' }, take: 5, select: { posts: true } }, [{ posts: 3 }]],
    ['findFirst', { where: { user: { is: { name: 'Ann' } } } }, row],
    ['count', {}, 1],
    ['aggregate', { _sum: { posts: true } }, { _sum: { posts: 3 } }],
    ['groupBy', { by: ['userId'], _sum: { posts: true } }, [{ userId: 1, _sum: { posts: 3 } }]],
  ])('can be read in RPC: %s %j', async (operation, args, data) => {
    const { http } = await start();
    const { body } = await http.get(`/rpc/total/${operation}`).query({ q: JSON.stringify(args) });
    expect(body).toEqual({ data });
  });

  it('can be included in RPC', async () => {
    const data = client();
    const { http } = await start(data);
    const { body } = await http.get('/rpc/user/findMany').query({ q: JSON.stringify({ include: { totals: true } }) });
    expect(body.data).toEqual([{ id: 1, name: 'Ann', totals: [row] }]);
  });

  it('has no operation in RPC that needs a key', async () => {
    const { http } = await start();
    const { body } = await http
      .get('/rpc/total/findUnique')
      .query({ q: JSON.stringify({ where: { userId: 1 } }) })
      .expect(400);
    expect(body.message).toEqual(expect.any(String));
    await http.post('/rpc/total/create').send({ data: row }).expect(403);
  });

  it('does not exist in REST, nor do the relations to it', async () => {
    const data = client();
    const { http } = await start(data);
    await http.get('/rest/total').expect(404);
    await http.get('/rest/user?include=totals').expect(400);
    await http.get('/rest/user/1/totals').expect(404);
    const { body } = await http.get('/rest/user').expect(200);
    expect(body.data).toEqual([{ type: 'user', id: 1, attributes: { name: 'Ann' }, links: expect.any(Object) }]);
    expect(JSON.stringify(data.user.findMany.mock.calls)).not.toContain('totals');
  });

  it('does not affect the validators of other models, in either style', async () => {
    const data = client();
    const { http } = await start(data);
    const resource = { data: { type: 'user', id: 3, attributes: { name: 'Al' } } };
    await http.post('/rest/user').set('Content-Type', 'application/vnd.api+json').send(JSON.stringify(resource)).expect(422);
    await http
      .post('/rpc/user/create')
      .send({ data: { id: 3, name: 'Al' } })
      .expect(400);
    expect(data.user.create).not.toHaveBeenCalled();
  });
});

describe('the boot log', () => {
  function warningsOf(styles: object): Promise<readonly unknown[]> {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const api = ResourceApiModule.forRoot({
      schema,
      getClient: client,
      resources: { User: { clientIds: 'allowed' } },
      access: 'public',
      ...styles,
    });
    return startTinyApp('express', [api]).then(() => warn.mock.calls.map(([line]) => line));
  }

  it('has one line that REST does not serve it', async () => {
    expect(await warningsOf({ rest: { prefix: 'rest', endpoint }, rpc: { prefix: 'rpc' } })).toEqual([
      "/rest, /rpc: The model 'Total' has no primary key to serve as the id, so REST leaves it out; RPC serves it. Add @id or @unique to it in the Prisma schema, or set resources.Total to 'hidden'.",
    ]);
  });

  it('has no such line without REST', async () => {
    expect(await warningsOf({ rpc: true })).toEqual([]);
  });

  it('has no such line without RPC, where the model is not exposed at all', async () => {
    const { app } = await startTinyApp('express', [ResourceApiModule.forRoot({ schema, getClient: client, rest: { endpoint } })]);
    expect(app.get<ResourceModel>(RESOURCE_MODEL, { strict: false }).resources.map(({ model }) => model)).toEqual(['User']);
  });
});
