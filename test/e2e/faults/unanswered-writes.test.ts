import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { NestInterceptor } from '@nestjs/common';
import { map } from 'rxjs';
import type { ApiReply, ResourceApiOptions } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const LONG = 'x'.repeat(3000);
const CHANGED = { where: { name: { in: ['Changed', LONG] } } };

/** Returns a client with a computed field that is no text, or throws, for a changed record. */
function failing({ prisma }: TestDatabase, changed: () => unknown = () => ({ secret: true })) {
  const compute = ({ name }: { readonly name: string }): unknown => (name === 'Changed' ? changed() : name);
  return prisma.$extends({ result: { user: { title: { needs: { name: true }, compute } } } });
}

/** Returns a client within a transaction of the application. */
function inOwnTransaction(client: object): object {
  const lacking: readonly (string | symbol)[] = ['$transaction', '$extends'];
  return new Proxy(client, { get: (target, name): unknown => (lacking.includes(name) ? undefined : Reflect.get(target, name)) });
}

onPlatforms('a write whose response cannot be rendered', (platform) => {
  let database: TestDatabase;
  let app: TestApp | undefined;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => database.reset());
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });
  afterAll(() => database.close());

  async function start(options: Partial<Pick<ResourceApiOptions, 'getClient' | 'limits' | 'interceptors'>>): Promise<TestApp> {
    const resources = { User: { computed: { title: 'String' } } } as const;
    app = await startTestApp({ platform, options: { getClient: () => failing(database), resources, ...options } });
    return app;
  }

  /** Sends the same change in REST, in RPC, in a batch and in atomic operations. */
  async function change({ rest, rpc }: TestApp, name: string) {
    const data = { name };
    const args = { where: { id: 1 }, data };
    return [
      await rest.patch('/user/1', { data: { type: 'user', id: 1, attributes: data } }),
      await rpc.call('user/update', args),
      await rpc.call('user/updateManyAndReturn', args),
      await rpc.sequential([{ model: 'user', op: 'update', args }]),
    ];
  }

  const codesOf = (answers: Awaited<ReturnType<typeof change>>) => answers.map(({ status }) => status);
  const count = () => database.prisma.user.count(CHANGED);

  const FAULTS: readonly (readonly [string, () => unknown])[] = [
    ['a computed field has another type than it says', () => ({ secret: true })],
    [
      'a field cannot be computed',
      () => {
        throw new TypeError('secret');
      },
    ],
  ];

  it.each(FAULTS)('stores nothing if %s', async (_, changed) => {
    const answers = await change(await start({ getClient: () => failing(database, changed) }), 'Changed');
    expect(codesOf(answers)).toEqual([500, 500, 500, 500]);
    for (const { text } of answers) {
      expect(text).toContain('An unexpected error occurred.');
      expect(text).not.toContain('secret');
    }
    expect(await count()).toBe(0);
  });

  it('stores nothing if the response exceeds limits.maxResponseSize, and names the limit', async () => {
    const answers = await change(await start({ limits: { maxResponseSize: '2kb' } }), LONG);
    expect(codesOf(answers)).toEqual([400, 400, 400, 400]);
    for (const { text } of answers) expect(text).toContain('The answer is larger than limits.maxResponseSize allows: 2kb.');
    expect(await count()).toBe(0);
  });

  it('may be stored in a transaction of the application, and is a 500 without Retry-After', async () => {
    const answers = await change(await start({ getClient: () => inOwnTransaction(failing(database)) }), 'Changed');
    expect(codesOf(answers)).toEqual([500, 500, 500, 500]);
    for (const { text, headers } of answers) {
      expect(text).toContain('This write may be stored, but its answer failed. Look before you try it again.');
      expect(headers).not.toHaveProperty('retry-after');
    }
    expect(await count()).toBe(1);
  });

  it('may be stored if an interceptor makes the response larger than the limit', async () => {
    const enlarge: NestInterceptor<ApiReply, ApiReply> = {
      intercept: (_, next) => next.handle().pipe(map((reply) => ({ ...reply, body: { data: LONG } }))),
    };
    const started = await start({ limits: { maxResponseSize: '2kb' }, interceptors: [enlarge] });
    const answers = await change(started, 'Changed too');
    expect(codesOf(answers)).toEqual([500, 500, 500, 500]);
    for (const { text } of answers) expect(text).toContain('This write may be stored');
    expect(await database.prisma.user.count({ where: { name: 'Changed too' } })).toBe(1);
    const reads = await started.rpc.sequential([{ model: 'user', op: 'count', args: {} }]);
    expect([(await started.rest.get('/user/1')).status, reads.status]).toEqual([400, 400]);
    expect(reads.text).toContain('limits.maxResponseSize');
  });

  it('is answered with a reply that an interceptor mutates', async () => {
    const stamp: NestInterceptor<ApiReply, ApiReply> = {
      intercept: (_, next) =>
        next.handle().pipe(
          map((reply) => {
            (reply.body as { meta?: object }).meta = { stamped: true };
            return reply;
          }),
        ),
    };
    const started = await start({ interceptors: [stamp] });
    const { body } = await started.agent.patch('/api/rpc/user/update').send({ where: { id: 1 }, data: { name: 'Stamped' } });
    expect(body).toMatchObject({ data: { name: 'Stamped' }, meta: { stamped: true } });
  });
});
