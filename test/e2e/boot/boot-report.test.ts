import { type DynamicModule, type INestApplication, Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { describeSurface, granted, RESOURCE_MODEL, type ResourceModel, ResourceApiModule } from 'nestjs-resource-api';
import { type LogLine, LogLines } from '../../support/log-lines.js';
import { tinySchema } from '../../support/tiny-app.js';

/** Returns the lines about the API, without those of Nest. */
const reported = ({ all }: LogLines): readonly LogLine[] => all.filter(({ details }) => details[0] === 'ResourceApi');
const logged = (logger: LogLines): readonly string[] => reported(logger).flatMap(({ level, text }) => (level === 'log' ? [text] : []));

const api = ResourceApiModule.forRoot({
  schema: tinySchema,
  getClient: () => ({}),
  resources: { Post: { actions: ['read'] }, User: { fields: { name: 'hidden' } } },
});

const open: INestApplication[] = [];

/** Starts an application, because its paths and guards are set only then. */
async function boot(module: DynamicModule, logger: LogLines, configure?: (app: INestApplication) => void): Promise<INestApplication> {
  const built = await Test.createTestingModule({ imports: [module] })
    .setLogger(logger)
    .compile();
  const app = built.createNestApplication(new ExpressAdapter(), { logger });
  open.push(app);
  configure?.(app);
  return app.init();
}

describe('the boot report', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((app) => app.close()));
    Logger.overrideLogger(false);
  });

  it('logs the exposed fields and actions, one line for each model, and no hidden name', async () => {
    const logger = new LogLines();
    await boot(api, logger);
    expect(reported(logger).map(({ level, text }) => `${level} ${text}`)).toEqual([
      expect.stringMatching(/^warn \/: Creating a 'User' fails .* \(1 hidden\)/),
      'log /: Post is open to read as post: id, title, authorId, author (read, filter, sort, create, update)',
      'log /: User is open to read, create, update, delete as user: id, posts (read, filter, sort, create, update)',
      expect.stringMatching(/^warn Nothing guards \/: /),
    ]);
  });

  it('logs the paths that serve a model', async () => {
    const logger = new LogLines();
    const { User, ...models } = tinySchema.models;
    const mounted = ResourceApiModule.forRoot({
      schema: { ...tinySchema, models: { ...models, User: { fields: User.fields, uniqueKeys: [] } } },
      getClient: () => ({}),
      access: 'public',
      rest: { prefix: 'api/rest', endpoint: 'http://api.test' },
      rpc: { prefix: 'api/rpc' },
    });
    await boot(mounted, logger, (app) => app.setGlobalPrefix('v1'));
    expect(logged(logger)).toEqual([
      expect.stringMatching(/^\/v1\/api\/rest, \/v1\/api\/rpc: Post is open /),
      expect.stringMatching(/^\/v1\/api\/rpc: User is open /),
    ]);
    for (const { text } of reported(logger)) expect(text).toMatch(/^\/v1\/api\/r/);
  });

  it('logs what each grant allows, also for models that need a grant to be read', async () => {
    const logger = new LogLines();
    const granting = ResourceApiModule.forRoot({
      schema: tinySchema,
      getClient: () => ({}),
      access: 'public',
      grants: { hr: () => true, admin: () => true },
      resources: {
        Post: { actions: { read: granted('hr') }, fields: { title: { read: granted('admin') }, author: 'hidden', authorId: 'hidden' } },
        User: { fields: { name: { filter: granted('hr') } } },
      },
    });
    await boot(granting, logger);
    expect(logged(logger)).toEqual([
      expect.stringMatching(/^\/: User is open to read, create, update, delete as user: id /),
      expect.stringMatching(/^\/: Grants open of Post: read\(hr\); id read\(hr\), .*; title read\(hr\+admin\), /),
      '/: Grants open of User: name filter(hr); posts read(hr), filter(hr), sort(hr)',
    ]);
  });

  it('logs for each model and action whether row rules allow, restrict or forbid it', async () => {
    const logger = new LogLines();
    const ruled = ResourceApiModule.forRoot({
      schema: tinySchema,
      getClient: () => ({}),
      resources: { Post: { actions: ['read', 'update'] } },
      rules: { 'Post': { read: true, update: () => ({ authorId: 1 }), delete: true }, '*': { read: { id: 1 } } },
    });
    const app = await boot(ruled, logger);
    expect(logged(logger).filter((line) => line.includes('Rows of'))).toEqual([
      '/: Rows of Post: read open; update ruled; create, delete closed',
      '/: Rows of User: read ruled; create, update, delete closed',
    ]);
    expect(describeSurface(app.get<ResourceModel>(RESOURCE_MODEL, { strict: false })).map(({ model, rows }) => [model, rows])).toEqual([
      ['Post', { read: 'open', create: 'closed', update: 'ruled', delete: 'closed' }],
      ['User', { read: 'ruled', create: 'closed', update: 'closed', delete: 'closed' }],
    ]);
  });

  it('is returned by describeSurface from the injected model', async () => {
    const module = await Test.createTestingModule({ imports: [api] }).compile();
    const surface = describeSurface(module.get<ResourceModel>(RESOURCE_MODEL));
    expect(surface.map(({ model, actions }) => [model, ...actions])).toEqual([
      ['Post', 'read'],
      ['User', 'read', 'create', 'update', 'delete'],
    ]);
    expect(JSON.stringify(surface)).not.toContain('name":"name');
  });
});
