import { describe, expect, it } from '@jest/globals';
import { defineRules, IdempotencyKeys } from '../../../lib/index.js';
import { createRpcClient, type RpcFetch } from '../../../lib/client/index.js';
import { runSnippet, snippetsOf } from '../../docs/page-snippets.js';
import { sample } from '../../support/sample.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';
import { ADA, KEY, KeyedApps, REST, RPC, send, type Sent, tag } from './idempotency-suite.js';

onPlatforms('outcomes of writes with idempotency keys', (platform) => {
  const apps = new KeyedApps(platform);
  const keyed: KeyedApps['keyed'] = (...given) => apps.keyed(...given);
  const start: KeyedApps['startWith'] = (...given) => apps.startWith(...given);
  const records = (): Promise<number> => apps.records();
  const tags = (): Promise<number> => apps.tags();

  describe('a failed write', () => {
    it('IK-09, IK-20: stores no record, so that a repeated one is executed', async () => {
      const taken = await apps.database.prisma.tag.create({ data: { name: 'new' } });
      expect((await keyed(tag('new'))).status).toBe(409);
      expect(await records()).toBe(0);
      await apps.database.prisma.tag.delete({ where: { id: taken.id } });
      expect(await keyed(tag('new'))).toMatchObject({ status: 201, isReplayed: false });
    });

    it('IK-09: stores nothing if its response cannot be sent', async () => {
      const small = await start({}, { limits: { maxResponseSize: 10 } });
      expect((await keyed(tag('new'), KEY, ADA, small)).code).toBe('limit-exceeded');
      expect([await tags(), await records()]).toEqual([0, 0]);
    });

    it.each<readonly [string, Sent]>([
      ['a body that is refused', { path: `${REST}/tag`, body: { data: { type: 'tag', attributes: { nmae: 'x' } } } }],
      ['a missing record', { method: 'DELETE', path: `${REST}/tag/4711` }],
      ['a batch', { path: `${RPC}/$transaction/sequential`, body: [{ model: 'tag', op: 'delete', args: { where: { id: 4711 } } }] }],
    ])('IK-09: stores no record: %s', async (_, sent) => {
      const [one, other] = [await keyed(sent), await keyed(sent)];
      expect([one.status >= 400, other.isReplayed, other.status === one.status, await records()]).toEqual([true, false, true, 0]);
    });

    it('IK-10: a caller whose rights were revoked receives no stored response', async () => {
      await keyed(tag('new'));
      expect((await keyed(tag('new'), KEY, { ...ADA, 'x-revoked': 'yes' })).status).toBe(403);
    });

    it('IK-10: a stored response is sent before the version is compared', async () => {
      const etag = (await send(apps.app, { method: 'GET', path: `${REST}/post/1` })).headers['etag'] ?? '';
      const sent = {
        method: 'PATCH',
        path: `${REST}/post/1`,
        body: { data: { type: 'post', id: 1, attributes: { title: 'New' } } },
        headers: { 'if-match': etag },
      };
      const first = await keyed(sent);
      expect([first.status, first.headers['etag'] !== etag && first.headers['etag'] !== undefined]).toEqual([200, true]);
      expect(await keyed(sent)).toEqual({ ...first, isReplayed: true });
      expect((await keyed(sent, 'another')).status).toBe(412);
    });
  });

  describe('row rules', () => {
    const rules = defineRules<PrismaClient>()({
      'Tag': { read: { name: { not: 'new unseen' } }, create: true, update: { name: { not: 'new' } }, delete: false },
      '*': false,
    });

    it('IK-14: do not apply to the records of keys, and apply to the write', async () => {
      const ruled = await start({}, { rules });
      const first = await keyed(tag('new'), KEY, ADA, ruled);
      expect([first.status, first.isReplayed]).toEqual([201, false]);
      expect(await keyed(tag('new'), KEY, ADA, ruled)).toEqual({ ...first, isReplayed: true });
      expect((await keyed({ method: 'DELETE', path: `${REST}/tag/1` }, 'delete', ADA, ruled)).status).toBe(403);
      expect((await keyed({ path: `${REST}/tag/1/shout` }, 'shout', ADA, ruled)).status).toBe(200);
      expect((await keyed({ path: `${REST}/tag/1/shout` }, 'shout', ADA, ruled)).isReplayed).toBe(true);
      expect([await tags(), await records()]).toEqual([1, 2]);
    });

    it('IK-09: a write whose result is unreadable is a 403, and is rolled back', async () => {
      const ruled = await start({}, { rules });
      const calls: readonly Sent[] = [
        { path: `${RPC}/tag/create`, body: { data: { name: 'new unseen' } } },
        { path: `${RPC}/$transaction/sequential`, body: [{ model: 'tag', op: 'create', args: { data: { name: 'new unseen' } } }] },
      ];
      for (const call of calls) {
        const { status, code } = await keyed(call, KEY, ADA, ruled);
        expect([status, code, await tags(), await records()]).toEqual([403, undefined, 0, 0]);
      }
    });
  });

  describe('an unconfirmed commit', () => {
    /** Returns a client whose connection is lost as soon as the first transaction commits. */
    const losingOne = (): object => {
      let isLost = false;
      return new Proxy(apps.database.prisma, {
        get: (target, name) => {
          if (name !== '$transaction') return Reflect.get(target, name) as unknown;
          return async (...given: Parameters<typeof target.$transaction>) => {
            const result: unknown = await target.$transaction(...given);
            if (isLost) return result;
            isLost = true;
            throw new Error('Connection terminated unexpectedly');
          };
        },
      });
    };

    it.each<readonly [string, Sent]>([
      ['REST', tag('new')],
      ['RPC', { path: `${RPC}/tag/create`, body: { data: { name: 'new' } } }],
      ['a batch', { path: `${RPC}/$transaction/sequential`, body: [{ model: 'tag', op: 'create', args: { data: { name: 'new' } } }] }],
      [
        'operations',
        { path: `${REST}/operations`, body: { 'atomic:operations': [{ op: 'add', data: { type: 'tag', attributes: { name: 'new' } } }] } },
      ],
      ['an action', { path: `${REST}/tag/slowly` }],
    ])('IK-15: is a 503, and the next attempt receives the stored response: %s', async (_, sent) => {
      const client = losingOne();
      const lossy = await start({}, { getClient: () => client });
      const first = await keyed(sent, KEY, ADA, lossy);
      expect([first.status, first.headers['retry-after']]).toEqual([503, '1']);
      const second = await keyed(sent, KEY, ADA, lossy);
      expect([second.status < 300, second.isReplayed]).toEqual([true, true]);
      expect([await apps.database.prisma.tag.count({ where: { name: { in: ['new', 'slow'] } } }), await records()]).toEqual([1, 1]);
    });

    it('IK-15: a client without transactions is a configuration error at start, or a 500', async () => {
      const { tag: delegate, idempotencyKey } = apps.database.prisma;
      const open = await start({}, { getClient: (_request) => ({ tag: delegate, idempotencyKey }) });
      expect((await keyed(tag('new'), KEY, ADA, open)).status).toBe(500);
      expect([await tags(), await records()]).toEqual([0, 0]);
      await expect(start({}, { getClient: () => ({ tag: delegate, idempotencyKey }) })).rejects.toThrow(/needs transactions/);
    });
  });

  describe('the typed client with retries', () => {
    /** Returns a fetch that fails after the first requests, and then answers with Retry-After. */
    const losing = (lost: number): { readonly fetch: RpcFetch; readonly keys: (string | null)[] } => {
      const keys: (string | null)[] = [];
      const lossy: RpcFetch = async (url, init) => {
        const response = await fetch(url, init);
        keys.push(init.headers.get('idempotency-key'));
        if (keys.length <= lost) throw new TypeError('fetch failed');
        return response;
      };
      return { fetch: lossy, keys };
    };
    const clientOf = (lossy: RpcFetch, retries = 3) =>
      createRpcClient<PrismaClient>({ endpoint: `${apps.app.url}${RPC}`, headers: ADA, fetch: lossy, retries });

    it('IK-21: generates a key for each write, and sends it with each attempt', async () => {
      const { fetch: lossy, keys } = losing(2);
      const api = clientOf(lossy);
      expect(await api.tag.create({ data: { name: 'new' } })).toMatchObject({ name: 'new' });
      await api.$transaction([api.tag.create({ data: { name: 'newer' } }), api.tag.count()]);
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0], keys[0], expect.not.stringContaining(String(keys[0]))]);
      expect([await tags(), await records()]).toEqual([2, 2]);
    });

    it('IK-21: sends none with reads, and none without retries', async () => {
      const { fetch: lossy, keys } = losing(1);
      expect(await clientOf(lossy).tag.count()).toBe(5);
      await clientOf(lossy, 0).tag.create({ data: { name: 'new' } });
      expect(keys).toEqual([null, null, null]);
    });

    it('IK-21: rejects with the error of the last attempt', async () => {
      const { fetch: lossy, keys } = losing(10);
      await expect(clientOf(lossy, 1).tag.create({ data: { name: 'new' } })).rejects.toThrow(new TypeError('fetch failed'));
      await expect(clientOf(losing(0).fetch).tag.delete({ where: { id: 4711 } })).rejects.toMatchObject({ status: 404 });
      expect([keys.length, await tags()]).toEqual([2, 1]);
      expect(() => clientOf(lossy, -1)).toThrow(RangeError);
    });

    it('the recipe of the docs for REST does the same', async () => {
      const recipe = snippetsOf('docs/idempotency.md').find((code) => code.includes('createOnce')) ?? '';
      let isLost = false;
      const lossy = async (url: string, init: RequestInit): Promise<Response> => {
        const response = await fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...ADA } });
        if (isLost) return response;
        isLost = true;
        throw new TypeError('fetch failed');
      };
      const createOnce = runSnippet(recipe, { fetch: lossy }, 'createOnce') as (url: string, document: unknown) => Promise<Response>;
      const { path, body } = tag('new');
      const response = await createOnce(`${apps.app.url}${path}`, body);
      expect([response.status, response.headers.get('idempotency-replayed'), await tags()]).toEqual([201, 'true', 1]);
    });
  });

  describe('required keys', () => {
    let demanding: Promise<TestApp> | undefined;
    const required = { 'Tag': ['create', 'shout'], '*': ['delete'] };

    it.each<readonly [string, Sent, boolean]>([
      ['a create', tag('new'), true],
      ['an update', { method: 'PATCH', path: `${REST}/tag/1`, body: { data: { type: 'tag', id: 1, attributes: { name: 'new' } } } }, false],
      ['a model that is not named', { method: 'DELETE', path: `${REST}/comment/1` }, true],
      ['a model that is', { method: 'DELETE', path: `${REST}/tag/5` }, false],
      ['an action', { path: `${REST}/tag/1/shout` }, true],
      ['an action of RPC', { path: `${RPC}/tag/shout`, body: { where: { id: 1 } } }, true],
      ['an upsert', { path: `${RPC}/tag/upsert`, body: { where: { id: 1 }, create: { name: 'x' }, update: {} } }, true],
      [
        'a batch',
        {
          path: `${RPC}/$transaction/sequential`,
          body: [
            { model: 'tag', op: 'count' },
            { model: 'comment', op: 'delete', args: { where: { id: 1 } } },
          ],
        },
        true,
      ],
      [
        'operations',
        { path: `${REST}/operations`, body: { 'atomic:operations': [{ op: 'add', data: { type: 'tag', attributes: { name: 'new' } } }] } },
        true,
      ],
      ['a read', { method: 'GET', path: `${REST}/tag` }, false],
    ])('IK-06, IK-18: are required for %s', async (_, sent, isRefused) => {
      const strict = await (demanding ??= start({ required }));
      const { status, code } = await send(strict, { ...sent, headers: ADA });
      expect([status === 400 ? code : status < 300]).toEqual([isRefused ? 'idempotency-key-required' : true]);
      if (isRefused) expect((await keyed(sent, KEY, ADA, strict)).status).toBeLessThan(300);
    });
  });

  describe('the lifetime of a record', () => {
    it('IK-16: ends after the TTL, after which the key is new', async () => {
      await keyed(tag('new'));
      await apps.database.prisma.idempotencyKey.updateMany({ data: { expiresAt: new Date(Date.now() - 1000) } });
      expect(await keyed(tag('newer'))).toMatchObject({ status: 201, isReplayed: false });
      expect(await keyed(tag('newer'))).toMatchObject({ status: 201, isReplayed: true });
      expect([await tags(), await records()]).toEqual([2, 1]);
    });

    it('IK-16: is set by the option', async () => {
      const short = await start({ ttl: '30m' });
      await keyed(tag('new'), KEY, ADA, short);
      const { expiresAt } = await apps.database.prisma.idempotencyKey.findFirstOrThrow();
      expect(Math.abs(expiresAt.getTime() - Date.now() - 1_800_000)).toBeLessThan(600_000);
    });

    sample.omitted.it('IK-13, IK-16: ends with a sweep in batches', async () => {
      const row = { fingerprint: '', status: 204, expiresAt: new Date(Date.now() - 1000) };
      const over = Array.from({ length: 2500 }, (_, index) => ({ ...row, scope: 'x', key: String(index) }));
      await apps.database.prisma.idempotencyKey.createMany({ data: over });
      await keyed(tag('new'));
      const keys = apps.app.nest.get(IdempotencyKeys);
      expect(await keys.sweep(apps.database.prisma)).toBe(2500);
      expect([await keys.sweep(apps.database.prisma), await records()]).toEqual([0, 1]);
      expect(await keys.sweep(apps.database.prisma, new Date(Date.now() + 86_400_000 * 2))).toBe(1);
    });

    it('IK-16: ends with an hourly sweep if there is a client at boot, whose timer does not keep the process running', async () => {
      const row = { scope: 'x', fingerprint: '', status: 204 };
      await apps.database.prisma.idempotencyKey.createMany({
        data: [
          { ...row, key: 'over', expiresAt: new Date(0) },
          { ...row, key: 'kept', expiresAt: new Date(Date.now() + 600_000) },
        ],
      });
      const { timer } = apps.app.nest.get<IdempotencyKeys, { readonly timer: NodeJS.Timeout }>(IdempotencyKeys);
      expect([timer.hasRef(), Reflect.get(timer, '_repeat')]).toEqual([false, 3_600_000]);
      Reflect.apply(Reflect.get(timer, '_onTimeout') as () => void, timer, []);
      while ((await records()) > 1) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await apps.database.prisma.idempotencyKey.findMany({ select: { key: true } })).toEqual([{ key: 'kept' }]);
      const asking = await start({}, { getClient: (_request) => apps.database.prisma });
      expect(asking.nest.get(IdempotencyKeys)).toMatchObject({ timer: undefined });
    });
  });
});
