import { Module } from '@nestjs/common';
import { type ActionOf, bindRules, ResourceAction, ResourceActions, ResourceClients } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/tasks/prisma/client.js';
import { resourceSchema } from '../../support/generated/tasks/resource-schema.js';
import { openTasksDatabase, type TasksDatabase } from '../../support/tasks-database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { CHANGE } from './contested-writes.js';
import { ENGINES, type Engine, RacingSuite, type Send } from './racing-suite.js';

type Of = ActionOf<PrismaClient, 'Task'>;

@ResourceActions('Task')
class TaskActions {
  @ResourceAction()
  rename({ record, client }: Of): unknown {
    return client.task.update({ where: { id: record.id }, data: { title: 'ours' } });
  }

  @ResourceAction()
  renameMany({ record, client }: Of): unknown {
    return client.task.updateMany({ where: { id: record.id }, data: { title: 'ours' } });
  }

  @ResourceAction()
  put({ record: { id }, client }: Of): unknown {
    return client.task.upsert({ where: { id }, update: { title: 'ours' }, create: { title: 'ours', ownerId: 1 } });
  }

  @ResourceAction()
  increment({ record, client }: Of): unknown {
    return client.task.update({ where: { id: record.id }, data: { title: 'ours', version: { increment: 1 } } });
  }

  @ResourceAction()
  jump({ record, client }: Of): unknown {
    return client.task.update({ where: { id: record.id }, data: { version: 7 } });
  }

  @ResourceAction({ right: 'delete' })
  async drop({ record, client }: Of): Promise<void> {
    await client.task.delete({ where: { id: record.id } });
  }

  @ResourceAction({ right: 'read' })
  peek({ record }: Of): unknown {
    return { title: record.title };
  }

  @ResourceAction({ on: 'collection' })
  sweep(): void {
    // It changes nothing.
  }
}

@Module({ providers: [TaskActions] })
class ActionsModule {}

type Headers = Readonly<Record<string, string>>;

const STYLES: readonly (readonly [string, (name: string, headers?: Headers, where?: object) => Send])[] = [
  [
    'REST',
    (name, headers = {}) =>
      (app) =>
        app.rest.request('POST', `/task/3/${name}`, { headers }),
  ],
  [
    'RPC',
    (name, headers = {}, where = {}) =>
      (app) =>
        app.rpc.call(`task/${name}`, { where: { id: 3, ...where } }, { method: 'POST', headers }),
  ],
];

onDatabases('postgresql-server').describe('actions of two concurrent writers', () => {
  const suite = new RacingSuite({}, [ActionsModule]);
  let theirs = '';
  beforeAll(async () => {
    theirs = await suite.stateAfter(CHANGE);
  });

  describe.each(Object.keys(ENGINES) as Engine[])('by %s', (engine) => {
    it.each(STYLES.flatMap(([style, send]) => ['rename', 'drop'].map((name) => [name, style, send] as const)))(
      'are a 412 for the second one if If-Match has the version: %s in %s',
      async (name, _, send) => {
        const { status, state } = await suite.race(await suite.app(engine), CHANGE, send(name, { 'If-Match': '"1"' }));
        expect([status, state]).toEqual([412, theirs]);
      },
    );
  });
});

/** The resources of an application whose writes of tasks require a version. */
const REQUIRED = { Task: { concurrency: 'required', softDelete: { field: 'deletedAt', show: 'deleted' } } } as const;

onPlatforms('the version of a record that an action changes', (platform) => {
  let database: TasksDatabase;
  const apps: TestApp[] = [];
  const rules = { '*': { read: { id: { gt: 0 } }, create: true, update: { id: { gt: 0 } }, delete: true } };
  const start = async (options: object): Promise<TestApp> => {
    const app = await startTestApp({
      platform,
      options: { schema: resourceSchema, getClient: () => database.prisma, grants: { deleted: () => true }, ...options },
      imports: [ActionsModule],
    });
    apps.push(app);
    return app;
  };
  let plain: TestApp;
  let ruled: TestApp;
  let required: TestApp;
  beforeAll(async () => {
    database = await openTasksDatabase();
    plain = await start({});
    ruled = await start({ rules });
    required = await start({ rules, resources: REQUIRED });
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    for (const app of apps) await app.close();
    await database.close();
  });
  const versionOf = async (): Promise<number> => (await database.prisma.task.findUniqueOrThrow({ where: { id: 3 } })).version;

  describe.each(STYLES)('in %s', (_, send) => {
    it.each(['rename', 'renameMany', 'put', 'increment'])('is incremented once, with and without rules: %s', async (name) => {
      for (const app of [plain, ruled]) {
        await database.reset();
        expect([(await send(name)(app)).status, await versionOf()]).toEqual([200, 2]);
        expect((await send(name, { 'If-Match': '"1"' })(app)).status).toBe(412);
        expect(await versionOf()).toBe(2);
      }
    });

    it('is the value that the action itself writes', async () => {
      for (const app of [plain, ruled]) {
        await database.reset();
        expect([(await send('jump')(app)).status, await versionOf()]).toEqual([200, 7]);
      }
    });

    it.each([
      ['rename', {}, 428],
      ['rename', { 'If-Match': '"1"' }, 200],
      ['rename', { 'If-Match': '"2"' }, 412],
      ['rename', { 'If-Match': '*' }, 200],
      ['drop', {}, 428],
      ['peek', {}, 200],
      ['peek', { 'If-Match': '"2"' }, 412],
      ['restore', {}, 428],
      ['restore', { 'If-Match': '"1"' }, 200],
      ['restore', { 'If-Match': '"2"' }, 412],
    ])('is required with concurrency: required: %s %j is %i', async (name, headers: Headers, status) => {
      if (name === 'restore') await database.prisma.task.update({ where: { id: 3 }, data: { deletedAt: new Date(0) } });
      expect((await send(name, headers)(required)).status).toBe(status);
      expect(await versionOf()).toBe(name !== 'peek' && status === 200 ? 2 : 1);
    });

    it('is not compared for a missing record', async () => {
      await database.prisma.task.update({ where: { id: 3 }, data: { deletedAt: new Date(0) } });
      expect((await send('rename', { 'If-Match': '"2"' })(required)).status).toBe(404);
    });
  });

  it('may be in where in RPC', async () => {
    const rename = (version: number) => required.rpc.call('task/rename', { where: { id: 3, version } }, { method: 'POST' });
    expect([(await rename(2)).status, (await rename(1)).status, (await rename(1)).status]).toEqual([412, 200, 412]);
    const other = await plain.rpc.call('task/rename', { where: { id: 3, title: 'none' } }, { method: 'POST' });
    expect(other.status).toBe(404);
    await database.prisma.task.update({ where: { id: 3 }, data: { deletedAt: new Date(0) } });
    const restore = (version: number) => required.rpc.call('task/restore', { where: { id: 3, version } }, { method: 'POST' });
    expect([(await restore(1)).status, (await restore(2)).status, (await restore(2)).status]).toEqual([412, 200, 404]);
  });

  it('is not required for an action on the collection', async () => {
    const headers = { 'If-Match': '"1"' };
    expect((await plain.rest.request('POST', '/task/sweep', { headers })).status).toBe(400);
    expect((await plain.rpc.call('task/sweep', {}, { method: 'POST', headers })).status).toBe(400);
  });

  it('is incremented by the client of ResourceClients, too', async () => {
    const client = bindRules(database.prisma, rules, {}, { schema: resourceSchema });
    await client.task.update({ where: { id: 3 }, data: { title: 'ours' } });
    await client.person.update({ where: { id: 1 }, data: { tasks: { update: { where: { id: 3 }, data: { title: 'ours' } } } } });
    await client.person.update({ where: { id: 1 }, data: { reviews: { connect: { id: 3 } } } });
    await client.task.updateMany({ where: { id: 3 }, data: { version: { increment: 1 } } });
    expect(await versionOf()).toBe(5);
    const own = await ruled.nest.get(ResourceClients, { strict: false }).ruled<PrismaClient>({ headers: {} } as never);
    await own.task.update({ where: { id: 3, version: 5 }, data: { title: 'ours' } });
    expect(await versionOf()).toBe(6);
  });
});
