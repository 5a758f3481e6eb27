import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type IdempotencyClaim,
  IdempotencyKeys,
  type IdempotencyRecord,
  type IdempotencyRecordId,
  type IdempotencyReply,
  type IdempotencyStore,
} from '../../../lib/index.js';
import { runSnippet, snippetsOf } from '../../docs/page-snippets.js';
import { onDatabases } from '../../support/databases/this-database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';
import { ADA, KEY, KeyedApps, RPC, type Sent, tag } from './idempotency-suite.js';

/** Longer than {@link DEADLINE}. */
const SLOW = 700;
const DEADLINE = 300;

/** Stores records in memory, as another store would in Redis. */
class MemoryStore implements IdempotencyStore {
  readonly records = new Map<string, Omit<IdempotencyRecord, 'reply'> & { readonly reply?: IdempotencyReply }>();
  fails: keyof IdempotencyStore | undefined;
  /** The method that returns only after {@link SLOW} milliseconds. */
  slow: 'claim' | 'complete' | undefined;

  find(_: object, { scope }: IdempotencyRecordId): Promise<IdempotencyRecord | undefined> {
    this.#fail('find');
    const { reply, ...record } = this.records.get(scope) ?? {};
    return Promise.resolve(reply && { ...(record as Omit<IdempotencyRecord, 'reply'>), reply });
  }

  async claim(_: object, { id, fingerprint, expiresAt, replaces }: IdempotencyClaim): Promise<'claimed' | 'held'> {
    this.#fail('claim');
    if (this.slow === 'claim') await delay(SLOW);
    if (this.records.has(id.scope) && !replaces) return 'held';
    this.records.set(id.scope, { fingerprint, expiresAt });
    return 'claimed';
  }

  async complete(_: object, { scope }: IdempotencyRecordId, reply: IdempotencyReply): Promise<void> {
    this.#fail('complete');
    const record = this.records.get(scope);
    if (this.slow === 'complete') await delay(SLOW);
    if (record) this.records.set(scope, { ...record, reply });
  }

  release(_: object, { scope }: IdempotencyRecordId): Promise<void> {
    this.#fail('release');
    this.records.delete(scope);
    return Promise.resolve();
  }

  sweep(_: object, now: Date): Promise<number> {
    const old = [...this.records].filter(([, { expiresAt }]) => expiresAt <= now);
    for (const [scope] of old) this.records.delete(scope);
    return Promise.resolve(old.length);
  }

  #fail(method: keyof IdempotencyStore): void {
    if (this.fails === method) throw new Error(`The store cannot ${method}.`);
  }
}

/** The methods of Redis that the store of the docs uses. */
class FakeRedis {
  readonly #texts = new Map<string, string>();

  get(key: string): Promise<string | null> {
    return Promise.resolve(this.#texts.get(key) ?? null);
  }

  set(key: string, text: string, { NX = false }: { readonly NX?: boolean }): Promise<'OK' | null> {
    if (NX && this.#texts.has(key)) return Promise.resolve(null);
    this.#texts.set(key, text);
    return Promise.resolve('OK');
  }

  del(key: string): Promise<number> {
    return Promise.resolve(Number(this.#texts.delete(key)));
  }
}

/** The store of docs/idempotency.md. */
function redisStore(): IdempotencyStore {
  const recipe = snippetsOf('docs/idempotency.md').find((code) => code.includes('function redisStore')) ?? '';
  const make = runSnippet(recipe, {}, 'redisStore') as (redis: FakeRedis) => IdempotencyStore;
  return make(new FakeRedis());
}

/** Writes with the given client, into the table of the model. */
const OWN_TABLE: IdempotencyStore<PrismaClient> = {
  find: async (client, { scope, key }) => {
    const row = await client.idempotencyKey.findUnique({ where: { scope_key: { scope, key } } });
    const { fingerprint = '', expiresAt = new Date(), status = null, headers = null, body = null } = row ?? {};
    if (status === null) return undefined;
    return { fingerprint, expiresAt, reply: { status, headers: (headers ?? {}) as Record<string, string>, body } };
  },
  claim: async (client, { id, fingerprint, expiresAt }) => {
    const { count } = await client.idempotencyKey.createMany({ data: [{ ...id, fingerprint, expiresAt }], skipDuplicates: true });
    return count === 1 ? 'claimed' : 'held';
  },
  complete: async (client, { scope, key }, { status, headers, body }) => {
    const data = { status, headers: { ...headers }, body: body && Uint8Array.from(body) };
    await client.idempotencyKey.update({ where: { scope_key: { scope, key } }, data });
  },
  sweep: async (client, now) => (await client.idempotencyKey.deleteMany({ where: { expiresAt: { lte: now } } })).count,
};

onPlatforms('stores of idempotency keys', (platform) => {
  const apps = new KeyedApps(platform);
  const keyed = (app: TestApp, sent: Sent, key = KEY): ReturnType<KeyedApps['keyed']> => apps.keyed(sent, key, ADA, app);

  describe.each([
    ...onDatabases('postgresql', 'mariadb').rows<readonly [string, () => MemoryStore | typeof OWN_TABLE]>([
      ['that writes by the client of the transaction', () => OWN_TABLE],
    ]),
    ['elsewhere', () => new MemoryStore()],
    ['in Redis', redisStore],
  ] as const)('a store %s', (_, make) => {
    it('IK-13: executes a write with a key once, and replays its response', async () => {
      const app = await apps.startWith({ store: make() });
      const first = await keyed(app, tag('new'));
      expect([first.status, first.isReplayed]).toEqual([201, false]);
      expect(await keyed(app, tag('new'))).toEqual({ ...first, isReplayed: true });
      expect((await keyed(app, tag('new other'))).code).toBe('idempotency-key-reused');
      expect(await apps.tags()).toBe(1);
    });

    it('IK-09: has no record of a failed write', async () => {
      const app = await apps.startWith({ store: make() });
      const taken = await apps.database.prisma.tag.create({ data: { name: 'new' } });
      expect((await keyed(app, tag('new'))).status).toBe(409);
      await apps.database.prisma.tag.delete({ where: { id: taken.id } });
      expect(await keyed(app, tag('new'))).toMatchObject({ status: 201, isReplayed: false });
      const batch = { path: `${RPC}/$transaction/sequential`, body: [{ model: 'tag', op: 'delete', args: { where: { id: 4711 } } }] };
      expect([(await keyed(app, batch)).status, (await keyed(app, batch)).status]).toEqual([404, 404]);
    });

    it('IK-11: executes one of concurrent requests with a key', async () => {
      const app = await apps.startWith({ store: make() });
      const answers = await Promise.all(Array.from({ length: 8 }, () => keyed(app, tag('new'))));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect([answers.filter(({ isReplayed }) => !isReplayed).length, await apps.tags()]).toEqual([1, 1]);
    });
  });

  it('IK-13: need no model, which is then exposed like any other', async () => {
    const app = await apps.startWith({ store: new MemoryStore() }, { resources: { IdempotencyKey: {} } });
    expect((await app.rpc.call('idempotencyKey/count', {})).data).toBe(0);
    await keyed(app, tag('new'));
    expect(await apps.records()).toBe(0);
  });

  it.each(['find', 'claim', 'complete'] as const)('IK-13: that fail in %s make the write a 500 that stores nothing', async (method) => {
    const store = new MemoryStore();
    const app = await apps.startWith({ store });
    store.fails = method;
    expect([(await keyed(app, tag('new'))).status, await apps.tags(), store.records.size]).toEqual([500, 0, 0]);
    store.fails = undefined;
    expect((await keyed(app, tag('new'))).status).toBe(201);
  });

  it('IK-13: that fail in release do not change the error of a failed write', async () => {
    const store = new MemoryStore();
    const app = await apps.startWith({ store, waitMs: 50 });
    await apps.database.prisma.tag.create({ data: { name: 'new' } });
    store.fails = 'release';
    expect((await keyed(app, tag('new'))).status).toBe(409);
    expect((await keyed(app, tag('new'))).code).toBe('idempotency-in-progress');
  });

  it.each(['claim', 'complete'] as const)('IK-13: release a key if %s returns after the deadline', async (method) => {
    const store = new MemoryStore();
    const app = await apps.startWith({ store, waitMs: 50 }, { limits: { maxDuration: DEADLINE } });
    store.slow = method;
    expect((await keyed(app, tag('new'))).status).toBeGreaterThanOrEqual(409);
    await delay(SLOW);
    expect([store.records.size, await apps.tags()]).toEqual([0, 0]);
    store.slow = undefined;
    expect(await keyed(app, tag('new'))).toMatchObject({ status: 201, isReplayed: false });
  });

  it('IK-16: sweep expired records, whose keys are then new', async () => {
    const store = new MemoryStore();
    const app = await apps.startWith({ store, ttl: 1 });
    await keyed(app, tag('new'));
    await keyed(app, tag('new other'), 'another');
    expect(await app.nest.get(IdempotencyKeys).sweep({}, new Date(Date.now() + 1000))).toBe(2);
    expect((await keyed(app, tag('new third'))).status).toBe(201);
  });
});
