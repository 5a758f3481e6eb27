import type { LoggerService } from '@nestjs/common';
import { ResourceApiModule, type RulesOption } from '../../../lib/index.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { callerOf } from './rules-suite.js';
import { closeAll, startTinyApp, tinySchema } from '../../support/tiny-app.js';

type Fault = (request: object) => unknown;

const FAULTS: readonly (readonly [name: string, fault: Fault, logged: string])[] = [
  [
    'throws',
    () => {
      throw new Error('no session');
    },
    'threw: no session',
  ],
  ['rejects', () => Promise.reject(new Error('no session')), 'threw: no session'],
  ['gives undefined', () => undefined, 'gave undefined'],
  ['has undefined in its where', () => ({ id: { in: [undefined] } }), "gave undefined at 'id.in.0'"],
  ['gives an AND of nothing', () => ({ NOT: { AND: [] } }), "gave [] at 'NOT.AND'"],
  ['gives something else', () => 'all', 'gave a string'],
];

const inPost = (data: object): readonly [string, object] => ['post/update', { where: { id: 1 }, data }];

/** An action, or `update.using` and `update.check`. */
function ruleAt(action: string, rule: Fault): object {
  const [name = '', part] = action.split('.');
  return { [name]: part === undefined ? rule : { using: { id: { gt: 0 } }, check: { id: { gt: 0 } }, [part]: rule } };
}

/** A call for each position at which a rule is evaluated, with the model of the faulty rule, and the action or the part of an update. */
const POSITIONS: readonly (readonly [model: string, action: string, operation: string, args: object])[] = [
  ['Post', 'read', 'post/findMany', {}],
  ['Post', 'read', 'post/findUnique', { where: { id: 1 } }],
  ['Post', 'read', 'post/count', {}],
  ['Post', 'read', 'post/aggregate', { _count: true }],
  ['Post', 'read', 'post/groupBy', { by: ['published'], _count: true }],
  ['Post', 'read', 'post/findMany', { cursor: { id: 1 } }],
  ['Post', 'read', 'user/findMany', { include: { posts: { cursor: { id: 1 } } } }],
  ['Post', 'read', 'user/findMany', { orderBy: { posts: { _count: 'asc' } } }],
  ['Comment', 'read', 'user/findMany', { select: { posts: { where: { comments: { some: {} } } } } }],
  ['Post', 'read', 'user/findMany', { select: { posts: true } }],
  ['Post', 'read', 'user/findMany', { select: { _count: { select: { posts: true } } } }],
  ['Post', 'read', 'user/findMany', { where: { NOT: { posts: { every: {} } } } }],
  ['User', 'read', 'post/findMany', { include: { author: true } }],
  ['User', 'read', 'post/findMany', { orderBy: { author: { name: 'asc' } } }],
  ['User', 'read', 'comment/findMany', { where: { post: { author: { name: 'x' } } } }],
  ['Post', 'create', 'post/create', { data: { title: 'x', authorId: 1 } }],
  ['Post', 'create', 'post/createMany', { data: [{ title: 'x', authorId: 1 }] }],
  ['Post', 'create', 'post/upsert', { where: { id: 99 }, update: {}, create: { title: 'x', authorId: 1 } }],
  ['Post', 'update', ...inPost({ title: 'x' })],
  ['Post', 'update.using', ...inPost({ title: 'x' })],
  ['Post', 'update.check', ...inPost({ title: 'x' })],
  ['Post', 'read', ...inPost({ title: 'x' })],
  ['Post', 'update', 'post/updateMany', { where: {}, data: { title: 'x' } }],
  ['Post', 'update.check', 'post/updateMany', { where: {}, data: { title: 'x' } }],
  ['Post', 'update', 'post/upsert', { where: { id: 1 }, update: {}, create: { title: 'x', authorId: 1 } }],
  ['Post', 'delete', 'post/delete', { where: { id: 1 } }],
  ['Post', 'delete', 'post/deleteMany', { where: {} }],
  ['User', 'read', 'post/create', { data: { title: 'x', author: { connect: { id: 1 } } } }],
  ['User', 'read', 'post/create', { data: { title: 'x', authorId: 1 } }],
  ['User', 'update', ...inPost({ author: { update: { name: 'x' } } })],
  ['Comment', 'create', ...inPost({ comments: { create: { body: 'x' } } })],
  ['Comment', 'create', ...inPost({ comments: { createMany: { data: [{ body: 'x' }] } } })],
  ['Comment', 'create', ...inPost({ comments: { connectOrCreate: { where: { id: 1 }, create: { body: 'x' } } } })],
  ['Comment', 'update', ...inPost({ comments: { connectOrCreate: { where: { id: 1 }, create: { body: 'x' } } } })],
  ['Comment', 'update', ...inPost({ comments: { connect: { id: 1 } } })],
  ['Comment', 'update', ...inPost({ comments: { updateMany: { where: {}, data: { body: 'x' } } } })],
  ['Comment', 'update', ...inPost({ comments: { upsert: { where: { id: 1 }, update: {}, create: { body: 'x' } } } })],
  ['Comment', 'delete', ...inPost({ comments: { delete: { id: 1 } } })],
  ['Comment', 'delete', ...inPost({ comments: { deleteMany: {} } })],
  ['Tag', 'read', ...inPost({ tags: { connect: { id: 1 } } })],
  ['Tag', 'read', ...inPost({ tags: { disconnect: { id: 1 } } })],
  ['Tag', 'read', ...inPost({ tags: { set: [{ id: 1 }] } })],
  ['Post', 'update', 'category/update', { where: { id: 1 }, data: { posts: { set: [] } } }],
  ['Post', 'update', 'category/update', { where: { id: 1 }, data: { posts: { disconnect: { id: 1 } } } }],
  ['Comment', 'read', 'post/update', { where: { id: 1 }, data: { title: 'x' }, include: { comments: true } }],
];

type Position = readonly [operation: string, args: object];

/** The positions of each rule, which share one application. */
const PLACES = [...new Set(POSITIONS.map(([model, action]) => `${model}.${action}`))].map((place) => {
  const [model = '', ...action] = place.split('.');
  const here = POSITIONS.filter((position) => place === `${position[0]}.${position[1]}`);
  return [model, action.join('.'), here.map(([, , operation, args]): Position => [operation, args])] as const;
});

onPlatforms('a rule that returns no valid condition', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  let logged: string[];

  beforeAll(async () => {
    database = await openTestDatabase();
  }, 60_000);
  afterAll(() => database.close());

  async function start(model: string, action: string, fault: Fault): Promise<void> {
    logged = [];
    const note = (text: unknown): void => void logged.push(String(text));
    const logger: LoggerService = { log: () => undefined, warn: note, error: note };
    const rules = { '*': true, [model]: { '*': { id: { gt: 0 } }, ...ruleAt(action, fault) } } as RulesOption;
    app = await startTestApp({ platform, database, logger, options: { rules, limits: { maxDuration: Infinity } } });
    database.statements.clear();
  }

  describe.each(PLACES)('rules.%s.%s', (model, action, positions) => {
    const faulty: { fault: Fault } = { fault: () => true };

    beforeAll(() => start(model, action, (request) => faulty.fault(request)));
    afterAll(() => app.close());

    it.each(sample.oneIn(2, positions))(
      'makes the request a 500 before any SQL, and is logged with its path in the option: in %s %j',
      async (operation, args) => {
        for (const [, fault, text] of FAULTS) {
          faulty.fault = fault;
          logged.length = 0;
          const answer = await app.rpc.call(operation, args);
          expect([answer.status, answer.error.message]).toEqual([500, 'An unexpected error occurred.']);
          expect(logged.join()).toContain(`rules.${model}.${action} ${text}`);
          expect(database.statements.all).toEqual([]);
        }
      },
    );
  });

  describe('of a read', () => {
    afterEach(() => app.close());

    it('makes requests of REST, and whole batches, a 500 before any SQL', async () => {
      await start('Post', 'read', () => ({ authorId: undefined }));
      const { rest } = app;
      for (const path of ['/post', '/post/1', '/user/1/posts', '/user?include=posts', '/user?filter[posts][title]=x']) {
        expect((await rest.get(path)).status).toBe(500);
      }
      expect((await rest.patch('/post/1', { data: { type: 'post', id: 1, attributes: { title: 'x' } } })).status).toBe(500);
      expect((await rest.delete('/post/1')).status).toBe(500);
      for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
        const { status, errors } = await rest.request(method, '/tag/1/relationships/posts', { body: { data: [{ type: 'post', id: 1 }] } });
        expect([status, errors[0]?.code]).toEqual([500, 'unknown-error']);
      }
      expect(
        (
          await callerOf(app).batch([
            { model: 'tag', op: 'create', args: { data: { name: 'x' } } },
            { model: 'post', op: 'count' },
          ])
        ).status,
      ).toBe(500);
      expect(database.statements.all).toEqual([]);
    });

    it.each<readonly [model: string, where: object]>([
      ['Post', { id: 2 ** 31 }],
      ['Post', { id: { in: [1, -(2 ** 31) - 1] } }],
      ['Post', { id: 2n ** 40n }],
      ['Post', { id: { lt: 1.5 } }],
      ['Post', { author: { is: { id: { not: 2 ** 31 } } } }],
      ['Post', { rating: 'NaN' }],
      ['Post', { rating: { gt: 'many' } }],
      ['Post', { publishedAt: { lt: 'tomorrow' } }],
      ['Post', { publishedAt: '2026-13-01T00:00:00Z' }],
      ['Post', { title: { not: '\0' } }],
      ['Order', { id: 2n ** 63n }],
      ['Order', { id: { gt: 2 ** 60 } }],
      ...onDatabases('postgresql').rows<readonly [string, object]>([
        ['Specimen', { uuid: 'none' }],
        ['Specimen', { uuid: { not: 'none' } }],
      ]),
    ])('makes the request a 500 if it compares with a value that the column cannot have: %s %p', async (model, where) => {
      await start(model, 'read', () => where);
      expect((await app.rest.get(`/${model.toLowerCase()}`)).status).toBe(500);
      expect(logged.join()).toMatch(new RegExp(`rules\\.${model}\\.read gave a where in which '.*' must be `));
      expect(database.statements.all).toEqual([]);
    });

    it('is evaluated once per request, and not if the request reads no row of the model', async () => {
      let evaluated = 0;
      await start('Post', 'read', () => {
        evaluated++;
        return { published: true };
      });
      const { rest } = app;
      await rest.get('/tag');
      await rest.post('/tag', { data: { type: 'tag', attributes: { name: 'evaluated' } } });
      expect(evaluated).toBe(0);
      await rest.get('/user?include=posts,comments.post&filter[posts][title]=x');
      expect(evaluated).toBe(1);
      await callerOf(app).batch([
        { model: 'post', op: 'count' },
        { model: 'post', op: 'findMany' },
        { model: 'user', op: 'findMany', args: { select: { posts: true } } },
      ]);
      expect(evaluated).toBe(2);
      await database.reset();
    });
  });
});

describe('rules that do not match the models', () => {
  afterEach(closeAll);

  it('are listed at start in one error with all other problems of the configuration', async () => {
    const options = {
      schema: tinySchema,
      getClient: 'prisma',
      rules: { Pots: true, Post: { read: { authorId: undefined } } },
      limits: { maxTake: 0 },
    };
    // The types reject these options.
    await expect(startTinyApp('express', [ResourceApiModule.forRoot(options as never)])).rejects.toThrow(
      /^The configuration has 5 problems[^]*- rules names 'Pots'[^]*- rules\.Post\.read gave undefined at 'authorId'[^]*- The model 'User' has no rules\./,
    );
  });

  it('are an error also with forRootAsync, but not if they are missing for a hidden model', async () => {
    const async = (resources: object) =>
      ResourceApiModule.forRootAsync({
        rpc: true,
        useFactory: () => ({ schema: tinySchema, getClient: () => ({}), rules: { Post: true }, resources }),
      });
    await expect(startTinyApp('express', [async({})])).rejects.toThrow("The model 'User' has no rules.");
    await expect(startTinyApp('express', [async({ User: 'hidden' })])).resolves.toBeDefined();
    await expect(
      // The types reject an undefined option.
      startTinyApp('express', [ResourceApiModule.forRoot({ schema: tinySchema, getClient: () => ({}), rules: undefined } as never)]),
    ).rejects.toThrow("rules is 'undefined'");
  });
});
