import { defineRules } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { onPlatforms, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';
import { operationsOf, ATOMIC, refusal, sendOperations } from './operations-suite.js';
import { tag } from './write-suite.js';

const addTag = (name: string, more: object = {}): object => ({ op: 'add', data: { type: 'tag', attributes: { name }, ...more } });

onPlatforms('atomic operations that fail', (platform) => {
  let database: TestDatabase;
  let app: TestApp | undefined;

  async function start(options: NonNullable<TestAppOptions['options']>): Promise<TestApp> {
    return (app = await startTestApp({ platform, database, options: { ...options, rest: { operations: true, ...options.rest } } }));
  }

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => database.reset());
  afterEach(() => app?.close());
  afterAll(() => database.close());

  /** Returns a client whose transactions fail at their end with these errors, one after the other. */
  function failing(errors: readonly (Error | undefined)[]): { readonly client: object; readonly runs: () => number } {
    let runs = 0;
    const client = new Proxy(database.prisma, {
      get: (target, name, receiver): unknown => {
        if (name !== '$transaction') return Reflect.get(target, name, receiver);
        return (work: (open: object) => Promise<unknown>, options: object) =>
          target.$transaction(async (open) => {
            const result = await work(open);
            const error = errors[runs++];
            if (error) throw error;
            return result;
          }, options);
      },
    });
    return { client, runs: () => runs };
  }

  const conflict = (): Error =>
    Object.assign(new Error('conflict'), { name: 'PrismaClientKnownRequestError', code: 'P2034', clientVersion: '7.0.0' });

  it('AO-33: repeats the transaction after a write conflict, and stores it once', async () => {
    const { client, runs } = failing([conflict(), conflict()]);
    const answer = await sendOperations(await start({ getClient: () => client }), operationsOf(addTag('a', { lid: 'a' }), addTag('b')));
    expect([answer.status, runs(), await database.prisma.tag.count()]).toEqual([200, 3, 7]);
  });

  it('AO-33: answers with 503 and Retry-After after the third attempt', async () => {
    const { client, runs } = failing([conflict(), conflict(), conflict(), conflict()]);
    const answer = await sendOperations(await start({ getClient: () => client }), operationsOf(addTag('a')));
    expect([answer.status, answer.headers['retry-after'], runs(), await database.prisma.tag.count()]).toEqual([503, '1', 3, 5]);
  });

  it('AO-33, AO-34, AO-39: does not repeat after other errors, and points an error of COMMIT at all operations', async () => {
    const { client, runs } = failing([Object.assign(conflict(), { code: 'P2003' })]);
    const answer = await sendOperations(await start({ getClient: () => client }), operationsOf(addTag('a')));
    expect([refusal(answer), runs()]).toEqual([[409, 'reference-conflict /atomic:operations'], 1]);
  });

  it('AO-32: answers with 503 after its deadline, and writes nothing', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const slow = database.prisma.$extends({
      query: {
        tag: {
          create: async ({ args, query }) => {
            const created = await query(args);
            await released;
            return created;
          },
        },
      },
    });
    const started = await start({ getClient: () => slow, rest: { operations: { timeout: 100 } } });
    const answer = await sendOperations(started, operationsOf(addTag('a'), addTag('b')));
    expect(answer.status).toBe(503);
    release();
    await started.close();
    app = undefined;
    expect(await database.prisma.tag.count()).toBe(5);
  });

  describe('under row rules', () => {
    const rules = defineRules<PrismaClient, object>()({
      'Tag': { read: { name: { not: 'unseen' } }, create: { name: { not: 'forbidden' } }, update: false, delete: { name: 'nest' } },
      '*': true,
    });

    it.each<[string, readonly object[], readonly (number | string)[]]>([
      ['a rule forbids one', [addTag('a'), addTag('forbidden')], [403, 'forbidden /atomic:operations/1']],
      [
        'a record may not be changed',
        [addTag('a'), { op: 'update', data: { type: 'tag', id: '1', attributes: {} } }],
        [403, 'forbidden /atomic:operations/1'],
      ],
      ['a record may not be removed', [addTag('a'), { op: 'remove', href: '/tag/1' }], [403, 'forbidden /atomic:operations/1']],
      ['a result may not be read', [addTag('a'), addTag('unseen')], [403, 'forbidden /atomic:operations/1']],
    ])('AO-28, AO-30: stores nothing if %s', async (_, operations, expected) => {
      expect(refusal(await sendOperations(await start({ rules }), operationsOf(...operations)))).toEqual(expected);
      expect(await database.prisma.tag.count()).toBe(5);
    });

    it('AO-24: links a resource of an earlier operation', async () => {
      const linking = { op: 'add', href: '/post/1/relationships/tags', data: [{ type: 'tag', lid: 'a' }] };
      const answer = await sendOperations(
        await start({ rules }),
        operationsOf(addTag('a', { lid: 'a' }), linking, { op: 'remove', href: '/tag/3' }),
      );
      expect([answer.status, answer.errors]).toEqual([200, []]);
      expect(await database.prisma.tag.count({ where: { name: 'a', posts: { some: { id: 1 } } } })).toBe(1);
    });
  });

  it('AO-29: runs the validators of all operations before any SQL', async () => {
    const name = { '~standard': { version: 1, vendor: 'test', validate: refuseEmpty } } as const;
    const started = await start({ resources: { Tag: { validate: { create: name, update: name } } } });
    const answer = await sendOperations(
      started,
      operationsOf(addTag('a'), addTag(''), { op: 'update', data: { type: 'tag', id: '1', attributes: { name: '' } } }),
    );
    expect(refusal(answer)).toEqual([
      422,
      'validation-error /atomic:operations/1/data/attributes/name',
      'validation-error /atomic:operations/2/data/attributes/name',
    ]);
    expect(database.statements.all).toEqual([]);
  });
});

function refuseEmpty(
  value: unknown,
): { readonly value: unknown } | { readonly issues: readonly { readonly message: string; readonly path: readonly string[] }[] } {
  return (value as { readonly name?: string }).name === '' ? { issues: [{ message: 'Empty.', path: ['name'] }] } : { value };
}

onPlatforms('atomic operations in strict mode', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { rest: { operations: true, strict: true } } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('AO-02: need ext in the Content-Type', async () => {
    const body = operationsOf({ op: 'remove', href: '/comment/1' });
    const answer = await sendOperations(app, body, { headers: { 'Content-Type': 'application/vnd.api+json' } });
    expect(refusal(answer)).toEqual([415, 'unsupported-media-type Content-Type']);
    expect((await sendOperations(app, body)).status).toBe(204);
  });

  it('AO-03: are answered with 406 at other URLs for an Accept with the extension alone', async () => {
    expect((await app.rest.get('/tag/1', { Accept: ATOMIC })).status).toBe(406);
  });

  it.each<[string, object, readonly (number | string)[]]>([
    [
      'AO-19: a ref of what is added',
      { op: 'add', ref: { type: 'tag' }, data: { type: 'tag', attributes: { name: 'x' } } },
      [400, 'invalid-payload /atomic:operations/0/ref'],
    ],
    [
      'AO-20: one identifier without an array',
      { op: 'add', href: '/post/1/relationships/tags', data: tag('4') },
      [400, 'invalid-relation-data /atomic:operations/0/data'],
    ],
    ['AO-10: ids that are no strings', { op: 'remove', ref: { type: 'tag', id: 1 } }, [400, 'invalid-payload /atomic:operations/0/ref/id']],
  ])('reject %s', async (_, operation, expected) => {
    expect(refusal(await sendOperations(app, operationsOf(operation)))).toEqual(expected);
  });

  it('AO-24: need no id for resources with a lid', async () => {
    const answer = await sendOperations(
      app,
      operationsOf(addTag('a', { lid: 'a' }), { op: 'update', data: { type: 'tag', lid: 'a', attributes: { name: 'b' } } }),
    );
    expect(answer.results[1]?.data).toMatchObject({ id: expect.any(String), attributes: { name: 'b' } });
  });
});

onPlatforms('the endpoint of atomic operations', (platform) => {
  it('AO-06: is off by default, and the extension is then rejected like an unknown one', async () => {
    const database = await openTestDatabase();
    const app = await startTestApp({ platform, database });
    try {
      expect((await app.rest.post('/operations', operationsOf({ op: 'remove', href: '/comment/1' }))).status).toBe(404);
      expect((await app.rest.get('/tag/1', { Accept: ATOMIC })).status).toBe(406);
    } finally {
      await app.close();
      await database.close();
    }
  });

  it.each<[object | boolean, RegExp]>([
    [{ path: 'post' }, /The atomic operations are at '\/post', and so is the model Post\./],
    [{ path: 'a/b' }, /rest\.operations\.path 'a\/b'/],
    [{ maxOperations: 0 }, /rest\.operations\.maxOperations is '0'/],
    [{ maxOperations: 2000 }, /over limits\.maxBatchSize \(1000\)/],
    [{ timeout: 'long' }, /rest\.operations\.timeout is 'long'/],
    [{ maxOperation: 5 }, /names 'maxOperation'/],
    ['yes' as unknown as boolean, /rest\.operations is 'yes'/],
  ])('AO-06, AO-32: rejects %j at boot', async (operations, message) => {
    await expect(startTestApp({ platform, options: { getClient: () => ({}), rest: { operations } } })).rejects.toThrow(message);
  });
});
