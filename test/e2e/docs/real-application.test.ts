import { readFileSync } from 'node:fs';
import { snippetsOf } from '../../docs/page-snippets.js';
import { sample } from '../../support/sample.js';
import { PLATFORMS } from '../../support/test-app.js';
import { withRowLevelSecurity } from 'nestjs-resource-api';
import { ENGINES } from '../policy/engines.js';
import {
  ACME,
  ANN,
  BOB,
  CLEO,
  GLOBEX,
  makeWorker,
  type Message,
  openTaskDatabase,
  PAGE,
  startTaskApp,
  type TaskApp,
  type TaskDatabase,
} from './task-app.js';

const JSON_API = 'application/vnd.api+json';
const query = (args: object): { readonly q: string } => ({ q: JSON.stringify(args) });

sample.omitted.describe(PAGE, () => {
  it('has the models of the tests', () => {
    const [, models = ''] = /```prisma\n[\s\S]*?(enum Role[\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8')) ?? [];
    expect(models).toContain('model OutboxMessage');
    expect(readFileSync('test/docs/real-application/schema.prisma', 'utf8').endsWith(models)).toBe(true);
    expect(snippetsOf(PAGE)).toHaveLength(10);
  });
});

sample.omitted.describe.each(ENGINES)('a real application on %s', (engine) => {
  let database: TaskDatabase;
  beforeAll(async () => {
    database = await openTaskDatabase(engine);
  }, 120_000);
  beforeEach(() => database.reset());
  afterAll(() => database.close());

  // On Express too in the long suites and on a server.
  describe.each(sample.choose(['fastify'] as const, PLATFORMS))('on %s', (platform) => {
    let app: TaskApp;
    beforeAll(async () => {
      app = await startTaskApp(database, platform);
    });
    afterAll(() => app.nest.close());

    const create = (userId: number, organizationId: number, data: object) =>
      app.as(userId, organizationId).post('/api/rpc/task/create').send({ data });
    const tasks = () => database.prisma.task.findMany({ orderBy: { id: 'asc' } });
    const entries = () => database.prisma.auditEntry.findMany({ orderBy: { id: 'asc' } });

    it('returns no row of another organization', async () => {
      const bob = app.as(BOB, ACME);
      const { body } = await bob.get('/api/rest/task?include=project,organization.projects,createdBy').expect(200);
      expect(body.meta).toEqual(expect.objectContaining({ total: 1 }));
      expect(JSON.stringify(body)).not.toMatch(/Reactor|Refuel|Cleo|Globex|bcrypt/);
      await bob.get('/api/rest/task/2').expect(404);
      await bob.get('/api/rest/user/3').expect(404);
      await bob
        .get('/api/rpc/project/count')
        .query(query({ where: { tasks: { some: { title: 'Refuel' } } } }))
        .expect(200, { data: 0 });
      await app
        .as(BOB, GLOBEX)
        .get('/api/rpc/task/findMany')
        .query(query({ select: { id: true } }))
        .expect(200, { data: [{ id: 2 }] });
    });

    it('rejects invalid tokens with 401, and callers without a membership with 403', async () => {
      await app.as(BOB, ACME).get('/api/rest/task').set('Authorization', 'Bearer nonsense').expect(401);
      await app.as(CLEO, ACME).get('/api/rest/task').expect(403);
      await database.prisma.membership.delete({ where: { organizationId_userId: { organizationId: ACME, userId: BOB } } });
      await app.as(BOB, ACME).get('/api/rest/task').expect(403);
      await app.as(BOB, GLOBEX).get('/api/rest/task').expect(200);
    });

    it('sets organization and author in every kind of write', async () => {
      const bob = app.as(BOB, ACME);
      const relationships = { project: { data: { type: 'project', id: 1 } }, assignee: { data: { type: 'user', id: ANN } } };
      const body = JSON.stringify({ data: { type: 'task', attributes: { title: 'a' }, relationships } });
      await bob.post('/api/rest/task').set('Content-Type', JSON_API).send(body).expect(201);
      await create(BOB, ACME, { title: 'b', projectId: 1 }).expect(201);
      await create(BOB, ACME, { title: 'c', project: { connect: { id: 1 } } }).expect(201);
      await bob
        .post('/api/rpc/task/createMany')
        .send({
          data: [
            { title: 'd', projectId: 1 },
            { title: 'e', projectId: 1 },
          ],
        })
        .expect(201);
      const batch = [{ model: 'task', op: 'create', args: { data: { title: 'f', projectId: 1 } } }];
      await bob.post('/api/rpc/$transaction/sequential').send(batch).expect(200);
      const nested = { name: 'New', tasks: { create: [{ title: 'g' }] } };
      await app.as(ANN, ACME).post('/api/rpc/project/create').send({ data: nested }).expect(201);
      const written = (await tasks()).slice(2);
      expect(
        written.map(({ title, organizationId, createdById, updatedById }) => [title, organizationId, createdById, updatedById]),
      ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((title) => [title, ACME, title === 'g' ? ANN : BOB, null]));
      await app
        .as(ANN, ACME)
        .patch('/api/rpc/task/update')
        .send({ where: { id: 3 }, data: { done: true } })
        .expect(200);
      expect((await tasks())[2]).toMatchObject({ done: true, createdById: BOB, updatedById: ANN });
    });

    it('rejects values for organization and author, and links to and changes of foreign rows', async () => {
      const bob = app.as(BOB, ACME);
      const foreign = [
        { title: 'x', projectId: 2 },
        { title: 'x', project: { connect: { id: 2 } } },
        { title: 'x', projectId: 1, assigneeId: CLEO },
        { title: 'x', projectId: 1, organizationId: GLOBEX },
        { title: 'x', projectId: 1, createdById: ANN },
      ];
      const answers = [];
      for (const data of foreign) answers.push((await create(BOB, ACME, data)).status);
      expect(answers).toEqual([404, 404, 404, 400, 400]);
      await bob.delete('/api/rest/task/1').expect(403);
      await bob.delete('/api/rest/task/2').expect(404);
      await bob
        .post('/api/rpc/project/create')
        .send({ data: { name: 'x' } })
        .expect(403);
      const promotion = { where: { organizationId_userId: { organizationId: ACME, userId: BOB } }, data: { role: 'ADMIN' } };
      await bob.patch('/api/rpc/membership/update').send(promotion).expect(403);
      await app.as(ANN, ACME).patch('/api/rpc/membership/update').send(promotion).expect(200);
      expect(await tasks()).toHaveLength(2);
    });

    it('writes one audit entry with the caller for each stored change', async () => {
      const bob = app.as(BOB, ACME);
      await create(BOB, ACME, { title: 'new', projectId: 1 }).expect(201);
      await bob
        .patch('/api/rpc/task/updateMany')
        .send({ where: {}, data: { done: true } })
        .expect(200, { data: { count: 2 } });
      await bob.delete('/api/rest/task/3').expect(204);
      const failing = [
        { model: 'task', op: 'create', args: { data: { title: 'gone', projectId: 1 } } },
        { model: 'task', op: 'update', args: { where: { id: 99 }, data: { done: true } } },
      ];
      await bob.post('/api/rpc/$transaction/sequential').send(failing).expect(404);
      const kept = await entries();
      expect(kept.map(({ model, action, actorId, organizationId }) => [model, action, actorId, organizationId])).toEqual(
        ['insert', 'update', 'update', 'delete'].map((action) => ['Task', action, BOB, ACME]),
      );
      expect(kept[1]).toMatchObject({ before: { done: false }, after: { done: true } });
      expect((await bob.get('/api/rest/auditEntry').expect(200)).body.data).toEqual([]);
      const read = await app.as(ANN, ACME).get('/api/rest/auditEntry?filter[model]=Task&sort=-at').expect(200);
      expect(read.body.meta.total).toBe(4);
      expect((await app.as(CLEO, GLOBEX).get('/api/rest/auditEntry').expect(200)).body.data).toEqual([]);
    });

    it('does not write an entry for an update that changes nothing', async () => {
      await database.prisma.task.update({ where: { id: 1 }, data: { done: false } });
      expect(await entries()).toEqual([]);
    });

    it('stores an outbox message with a change, and none if it is rolled back', async () => {
      await create(BOB, ACME, { title: 'new', projectId: 1, assigneeId: ANN }).expect(201);
      await app
        .as(BOB, ACME)
        .patch('/api/rpc/task/update')
        .send({ where: { id: 3 }, data: { assigneeId: ANN, done: true } })
        .expect(200);
      const failing = [
        { model: 'task', op: 'update', args: { where: { id: 1 }, data: { assigneeId: BOB } } },
        { model: 'task', op: 'delete', args: { where: { id: 99 } } },
      ];
      await app.as(ANN, ACME).post('/api/rpc/$transaction/sequential').send(failing).expect(404);
      const messages = await database.prisma.outboxMessage.findMany();
      expect(messages.map(({ topic, payload }) => [topic, payload])).toEqual([['task.assigned', { taskId: 3, userId: ANN }]]);
    });

    it('exports the readable rows as CSV', async () => {
      for (const title of ['=1+1', 'a "b", c', 'two\nlines']) await create(BOB, ACME, { title, projectId: 1 }).expect(201);
      const path = /'http:\/\/localhost:3000(\S+fields\[task\]\S+)'/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
      const list = (accept: string, more = '') => app.as(BOB, ACME).get(`${path}${more}`).set('Accept', accept);
      const { text, headers } = await list('text/csv').expect(200);
      expect(headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
      expect(text).toBe(
        `id,title,done,assignee\r\n1,Pay the invoice,false,\r\n3,'=1+1,false,\r\n4,"a ""b"", c",false,\r\n5,"two\nlines",false,\r\n`,
      );
      expect((await list(JSON_API).expect(200)).body.data).toHaveLength(4);
      expect((await list('text/csv', '&filter[done]=x').expect(400)).body.errors).toEqual([expect.any(Object)]);
    });

    it('searches the text', async () => {
      const search = (path: string) => app.as(BOB, ACME).get(`/api/rest/task?${path}`).expect(200);
      expect((await search('filter[title$search]=invoices%20%26%20pay')).body.data).toHaveLength(1);
      expect((await search('filter[title$search]=rocket')).body.data).toEqual([]);
      expect((await search('filter[title$icontains]=INVO')).body.data).toHaveLength(1);
    });
  });

  it('searches parts of words with the trigram index', async () => {
    const plan = await database.prisma.$transaction(async (transaction) => {
      await transaction.$executeRawUnsafe('SET LOCAL enable_seqscan = off');
      return transaction.$queryRawUnsafe(`EXPLAIN SELECT id FROM "Task" WHERE title ILIKE '%invoice%'`);
    });
    expect(JSON.stringify(plan)).toContain('Task_title_trgm');
  });

  it('restores a deleted row from the audit log, once', async () => {
    const before = await database.prisma.task.findMany();
    await database.prisma.task.delete({ where: { id: 1 } });
    const [entry] = await database.prisma.auditEntry.findMany();
    const restore = (id: bigint | undefined) => database.prisma.$queryRawUnsafe('SELECT * FROM restore_task($1::bigint)', id);
    expect(await restore(entry?.id)).toEqual([expect.objectContaining({ id: 1, title: 'Pay the invoice' })]);
    expect(await database.prisma.task.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
    const entries = await database.prisma.auditEntry.findMany({ where: { action: { not: 'delete' } } });
    for (const { id } of entries) expect(await restore(id)).toEqual([]);
  });

  it('sends each outbox message once, and repeats a failed one a minute later', async () => {
    const { prisma } = database;
    await prisma.outboxMessage.createMany({ data: ['a', 'b', 'c'].map((topic) => ({ topic, payload: {} })) });
    const sent: string[] = [];
    const send = ({ topic }: Message): Promise<void> => {
      if (topic === 'b') return Promise.reject(new Error('not now'));
      sent.push(topic);
      return Promise.resolve();
    };
    await Promise.all([makeWorker(prisma, send).sendAll(), makeWorker(prisma, send).sendAll()]);
    expect(sent.toSorted()).toEqual(['a', 'c']);
    const [left, ...none] = await prisma.outboxMessage.findMany();
    expect([left?.topic, none]).toEqual(['b', []]);
    expect(left?.dueAt.getTime()).toBeGreaterThan(Date.now() + 50_000);
  });

  describe('with policies that read other tables', () => {
    const bound = (userId: number | undefined) =>
      withRowLevelSecurity(database.db, { role: 'app_caller', settings: { 'app.user_id': userId } });

    it('return to the bound client only rows of the organizations of the caller', async () => {
      const ids = async (userId: number | undefined) => (await bound(userId).task.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);
      expect([await ids(ANN), await ids(BOB), await ids(CLEO), await ids(undefined)]).toEqual([[1], [1, 2], [2], []]);
      expect(await bound(ANN).membership.count()).toBe(2);
      expect(await bound(ANN).task.updateMany({ data: { done: true } })).toEqual({ count: 1 });
    });

    it.each(sample.choose(['express'] as const, PLATFORMS))('do not change the results of the API, on %s', async (platform) => {
      const app = await startTaskApp(database, platform, { isPoliced: true });
      const bob = app.as(BOB, ACME);
      expect((await bob.get('/api/rest/task').expect(200)).body.meta.total).toBe(1);
      await bob
        .post('/api/rpc/task/create')
        .send({ data: { title: 'new', projectId: 1, assigneeId: ANN } })
        .expect(201);
      await bob
        .post('/api/rpc/task/create')
        .send({ data: { title: 'new', projectId: 2 } })
        .expect(404);
      expect(await database.prisma.auditEntry.findMany()).toMatchObject([{ actorId: BOB, action: 'insert', organizationId: ACME }]);
      expect(await database.prisma.outboxMessage.count()).toBe(1);
      await app.nest.close();
    });

    it('recurse infinitely without the function', async () => {
      const { prisma } = database;
      const policy = 'CREATE POLICY simple ON "Membership" USING ("organizationId" IN (SELECT "organizationId" FROM "Membership"))';
      await prisma.$executeRawUnsafe(policy);
      try {
        await expect(bound(ANN).membership.count()).rejects.toThrow(/infinite recursion detected in policy/);
      } finally {
        await prisma.$executeRawUnsafe('DROP POLICY simple ON "Membership"');
      }
    });
  });
});
