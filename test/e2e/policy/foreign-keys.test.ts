import { type ResourceApiOptions, withRowLevelSecurity } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { sample } from '../../support/sample.js';
import { PRODUCT } from '../../support/seed.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { ORDER, REFERRING_WRITES, UNREADABLE_COMMENT } from '../rules/referring-writes.js';

/** A role that only this suite uses, because roles belong to the whole server. */
const ROLE = 'referring_caller';

/** The visible rows: posts other than 3 and 6, top-level categories, and lines with at most two items. */
const VISIBLE = { Post: 'id NOT IN (3, 6)', Category: '"parentId" IS NULL', OrderLine: 'quantity <= 2' };

/** As under rules (`test/e2e/rules/references.test.ts`), referenced rows are read after the write. */
onPlatforms('foreign keys to rows that row-level security hides', (platform) => {
  let database: TestDatabase;
  let app: TestApp | undefined;

  beforeAll(async () => {
    database = await openTestDatabase();
    for (const statement of [
      `DO $$ BEGIN CREATE ROLE ${ROLE} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
      `GRANT USAGE ON SCHEMA public TO ${ROLE}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE}`,
      `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${ROLE}`,
      ...Object.entries(VISIBLE).flatMap(([table, condition]) => [
        `ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY`,
        `CREATE POLICY shown ON "${table}" FOR SELECT TO ${ROLE} USING (${condition})`,
        `CREATE POLICY added ON "${table}" FOR INSERT TO ${ROLE} WITH CHECK (true)`,
        `CREATE POLICY changed ON "${table}" FOR UPDATE TO ${ROLE} USING (true)`,
      ]),
    ])
      await database.prisma.$executeRawUnsafe(statement);
  }, 60_000);
  beforeEach(async () => {
    await database.reset();
    await database.prisma.orderLine.updateMany({ where: { orderId: ORDER, productId: PRODUCT.atlas }, data: { quantity: 9 } });
  });
  afterEach(() => app?.close());
  afterAll(async () => {
    for (const table of Object.keys(VISIBLE)) {
      for (const policy of ['shown', 'added', 'changed']) await database.prisma.$executeRawUnsafe(`DROP POLICY ${policy} ON "${table}"`);
      await database.prisma.$executeRawUnsafe(`ALTER TABLE "${table}" DISABLE ROW LEVEL SECURITY`);
    }
    await database.close();
  });

  async function start(options: Partial<ResourceApiOptions> = {}): Promise<TestApp> {
    const getClient = () => withoutDataModel(withRowLevelSecurity(database.prisma, { role: ROLE, settings: {} }));
    return (app = await startTestApp({ platform, options: { ...options, getClient } }));
  }

  it.each(sample.oneIn(3, REFERRING_WRITES))('are a 404 in %s, which stores nothing', async (_, operation, args) => {
    const { rpc } = await start();
    const before = await everything();
    expect((await rpc.call(operation, args)).status).toBe(404);
    expect(await everything()).toEqual(before);
  });

  it('are a 404 in a batch and in REST, which store nothing', async () => {
    const { rpc, rest } = await start();
    const before = await everything();
    for (const [, operation = '', args = {}] of sample.oneIn(4, REFERRING_WRITES)) {
      const [model = '', op = ''] = operation.split('/');
      expect(
        (
          await rpc.sequential([
            { model: 'tag', op: 'create', args: { data: { name: 'x' } } },
            { model, op, args },
          ])
        ).status,
      ).toBe(404);
    }
    const document = { data: { type: 'comment', attributes: { body: 'x' }, relationships: { post: { data: { type: 'post', id: 3 } } } } };
    expect((await rest.post('/comment', document)).status).toBe(404);
    expect(await everything()).toEqual(before);
    expect(await database.prisma.tag.count({ where: { name: 'x' } })).toBe(0);
  });

  it('are a 404 through a relation to a model that the API hides', async () => {
    const { rpc, rest } = await start({
      resources: { Category: 'hidden', Post: { fields: { categoryId: { read: true, create: true, update: true } } } },
    });
    const post = { title: 'x', authorId: 1 };
    const before = await everything();
    expect((await rpc.call('post/create', { data: { ...post, categoryId: 2 } })).status).toBe(404);
    expect((await rpc.call('post/updateMany', { where: {}, data: { categoryId: 2 } })).status).toBe(404);
    expect((await rest.post('/post', { data: { type: 'post', attributes: { ...post, categoryId: 2 } } })).status).toBe(404);
    expect(await everything()).toEqual(before);
    expect((await rpc.call('post/create', { data: { ...post, categoryId: 1 } })).status).toBe(201);
  });

  it('are a 404 through a relation that the schema ignores', async () => {
    const { rpc } = await start({ schema: ignoring('Comment', 'post') });
    expect((await rpc.call('comment/create', { data: UNREADABLE_COMMENT })).status).toBe(404);
    expect((await rpc.call('comment/create', { data: { ...UNREADABLE_COMMENT, postId: 1 } })).status).toBe(201);
  });

  it('are a 404 also under row rules', async () => {
    for (const rules of [
      { '*': true },
      { 'Tag': { 'read': { id: 1 }, '*': true }, 'Comment': { 'read': { id: { gt: 0 } }, '*': true }, '*': true },
    ] as const) {
      const ruled = await start({ rules });
      const { rpc } = ruled;
      const before = await everything();
      for (const [, operation, args] of REFERRING_WRITES)
        expect([operation, (await rpc.call(operation, args)).status]).toEqual([operation, 404]);
      expect(await everything()).toEqual(before);
      await ruled.close();
    }
    app = undefined;
  });

  it('differ from those to visible rows and to rows that the call creates, which are stored', async () => {
    const { rpc } = await start();
    const posts = { connectOrCreate: { where: { id: 77 }, create: { id: 77, title: 'x' } } };
    const comments = { create: { body: 'x', postId: 77 } };
    for (const [operation, args, status] of [
      ['user/update', { where: { id: 1 }, data: { posts } }, 200],
      ['user/update', { where: { id: 1 }, data: { comments } }, 200],
      ['refund/create', { data: { amount: '1.00', orderId: 3n, productId: PRODUCT.globe } }, 201],
      ['refund/update', { where: { id: 2 }, data: { productId: PRODUCT.globe } }, 200],
      ['post/update', { where: { id: 1 }, data: { categoryId: null } }, 200],
      ['comment/update', { where: { id: 1 }, data: { body: 'x' } }, 200],
    ] as const)
      expect([operation, (await rpc.call(operation, args)).status]).toEqual([operation, status]);
  });

  it('may remain in a row if an update does not change them', async () => {
    await database.prisma.refund.updateMany({ data: { orderId: ORDER, productId: PRODUCT.atlas } });
    const { rpc } = await start();
    expect((await rpc.call('refund/update', { where: { id: 1 }, data: { amount: '3.00' } })).status).toBe(200);
    expect((await rpc.call('refund/update', { where: { id: 1 }, data: { orderId: ORDER } })).status).toBe(200);
  });

  it('are found by one additional SELECT', async () => {
    const { rpc } = await start();
    const countSelects = async (args: object): Promise<number> => {
      database.statements.clear();
      expect((await rpc.call('comment/create', args)).status).toBe(201);
      return database.statements.all.filter((sql) => /^\s*SELECT\b/i.test(sql) && /FROM "public"."Post"/.test(sql)).length;
    };
    expect(await countSelects({ data: { ...UNREADABLE_COMMENT, postId: 1 }, select: { id: true } })).toBe(1);
  });

  async function everything(): Promise<unknown> {
    const { comment: comments, post, refund } = database.prisma;
    const orderBy = { id: 'asc' } as const;
    return [await comments.findMany({ orderBy }), await post.findMany({ orderBy }), await refund.findMany({ orderBy })];
  }
});

/** Returns the client without Prisma's data model, so that it can be served with another schema. */
function withoutDataModel(client: object): object {
  return new Proxy(client, { get: (target, name) => (name === '_runtimeDataModel' ? undefined : Reflect.get(target, name)) });
}

/** Returns the schema with an ignored relation (`@ignore`). */
function ignoring(model: 'Comment', relation: 'post'): ResourceApiOptions['schema'] {
  const { [relation]: ignored, ...fields } = resourceSchema.models[model].fields;
  return {
    ...resourceSchema,
    models: { ...resourceSchema.models, [model]: { ...resourceSchema.models[model], fields, ignored: { [relation]: ignored } } },
  };
}
