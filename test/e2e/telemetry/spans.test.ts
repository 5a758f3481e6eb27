import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanStatusCode } from '@opentelemetry/api';
import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { granted, type ResourceApiOptions, withSql } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { THIS_DATABASE } from '../../support/databases/this-database.js';
import { startTelemetry, type TestTelemetry } from '../../support/telemetry.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { NDJSON, take, until } from '../rest/export-suite.js';
import { operationsOf, sendOperations } from '../rest/operations-suite.js';

let telemetry: TestTelemetry;
let database: TestDatabase;
const apps: TestApp[] = [];

beforeAll(async () => {
  telemetry = startTelemetry();
  database = await openTestDatabase();
}, 60_000);
beforeEach(async () => {
  await database.reset();
  await telemetry.reset();
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await database.close();
  await telemetry.close();
});

const ENGINES = { prisma: () => database.prisma, sql: () => withSql(database.prisma) } as const;

onPlatforms.all('the spans of operations', (platform) => {
  const start = async ({ rest, ...options }: Partial<Omit<ResourceApiOptions, 'rest'>> & { rest?: object } = {}): Promise<TestApp> => {
    const all = { ...options, rest: { operations: true, export: true, ...rest } };
    const app = await startTestApp({ platform, database, options: all });
    apps.push(app);
    return app;
  };

  describe.each(['prisma', 'sql'] as const)('through %s', (engine) => {
    let app: TestApp;

    beforeAll(async () => {
      app = await start({ getClient: () => ENGINES[engine]() });
    });

    it.each<[string, (app: TestApp) => Promise<unknown>, string, Attributes, route: string]>([
      ['a page', ({ rest }) => rest.get('/post?page[limit]=2'), 'resource.read Post', { rows: 2, cost: 1 }, 'rest/:type'],
      [
        'a filter',
        ({ rest }) => rest.get('/post?filter[author][name]=Ada%20Lovelace&sort=title&page[limit]=1'),
        'resource.read Post',
        { rows: 1, cost: 5 },
        'rest/:type',
      ],
      ['a record', ({ rest }) => rest.get('/post/1'), 'resource.read Post', { rows: 1 }, 'rest/:type/:id'],
      ['related records', ({ rest }) => rest.get('/post/1/comments'), 'resource.read Post', {}, 'rest/:type/:id/:relationship'],
      ['findMany', ({ rpc }) => rpc.call('post/findMany', { take: 3 }), 'resource.read Post', { rows: 3 }, 'rpc/:model/:operation'],
      ['count', ({ rpc }) => rpc.call('tag/count'), 'resource.read Tag', { rows: 0 }, 'rpc/:model/:operation'],
    ])('%s has its model, action, engine, rows and cost', async (_, send, name, costs, route) => {
      await send(app);
      const span = onlySpan();
      expect([span.name, span.status.code]).toEqual([name, SpanStatusCode.UNSET]);
      const style = route.split('/')[0];
      expect(span.attributes).toMatchObject({
        'resource_api.style': style,
        'resource_api.model': name.split(' ')[1],
        'resource_api.action': 'read',
        'resource_api.engine': engine,
        'resource_api.shared': false,
        ...Object.fromEntries(Object.entries(costs).map(([key, value]) => [`resource_api.${key}`, value])),
      });
      expect(span.attributes['resource_api.statements']).toBe(engine === 'sql' ? 1 : undefined);
      expect(serverOf(span)).toMatchObject({ name: expect.stringMatching(/ \/api/), attributes: { 'http.route': `/api/${route}` } });
    });

    it.each<[string, string, string, Attributes, (app: TestApp) => Promise<unknown>]>([
      ['a create', 'rest', 'resource.create Tag', { rows: 1 }, ({ rest }) => rest.post('/tag', tagDocument('new'))],
      [
        'an update',
        'rpc',
        'resource.update Tag',
        { rows: 1 },
        ({ rpc }) => rpc.call('tag/update', { where: { id: 1 }, data: { name: 'x' } }),
      ],
      ['a bulk delete', 'rpc', 'resource.delete Comment', { rows: 20 }, ({ rpc }) => rpc.call('comment/deleteMany', { where: {} })],
      [
        'a batch',
        'rpc',
        'resource.batch',
        { 'rows': 3, 'batch.size': 2 },
        ({ rpc }) => rpc.sequential([findTags(2), { model: 'post', op: 'findUnique', args: { where: { id: 1 } } }]),
      ],
      [
        'atomic operations',
        'rest',
        'resource.batch',
        { 'rows': 1, 'batch.size': 1 },
        (one) => sendOperations(one, operationsOf(addTag('new'))),
      ],
    ])('%s has these attributes, too', async (_, style, name, costs, send) => {
      await send(app);
      const span = onlySpan();
      expect(span.name).toBe(name);
      expect(span.attributes).toMatchObject({
        'resource_api.style': style,
        ...Object.fromEntries(Object.entries(costs).map(([key, value]) => [`resource_api.${key}`, value])),
      });
      expect(Object.keys(span.attributes)).not.toContain('error.type');
    });

    it('a conflict has the error code of the API and the SQLSTATE, and is not an error span', async () => {
      for (const send of [
        () => app.rest.post('/tag', tagDocument('graphs')),
        () => app.rpc.call('tag/create', { data: { name: 'graphs' } }),
        () => app.rpc.sequential([{ model: 'tag', op: 'create', args: { data: { name: 'graphs' } } }]),
      ]) {
        await database.prisma.tag.upsert({ where: { name: 'graphs' }, create: { name: 'graphs' }, update: {} });
        await telemetry.reset();
        await send();
        const { attributes, status } = onlySpan();
        expect([attributes['error.type'], status.code]).toEqual(['unique-conflict', SpanStatusCode.UNSET]);
        if (THIS_DATABASE === 'postgresql') expect(attributes['db.response.status_code']).toBe('23505');
      }
    });

    it('an export ends with its stream', async () => {
      await take(app, '/comment');
      await until(() => telemetry.spans().length > 0);
      expect(onlySpan().attributes).toMatchObject({ 'resource_api.rows': 20, 'resource_api.engine': engine });
    });
  });

  describe('of failed requests', () => {
    it.each([
      ['/post/4711', 'resource.read Post', 'not-found'],
      ['/post?sort=secret', 'resource.read Post', 'invalid-sort'],
      ['/unknown-a1b2', 'resource.read', 'unsupported-model'],
      ['/apiToken', 'resource.read', 'unsupported-model'],
    ])('%s has the code of the error, and a model only if it is exposed', async (path, name, code) => {
      const app = await start();
      await app.rest.get(path);
      const span = onlySpan();
      expect([span.name, span.attributes['error.type'], span.status.code]).toEqual([name, code, SpanStatusCode.UNSET]);
      expect(textOf(span)).not.toMatch(/unknown-a1b2|ApiToken|4711|secret/i);
    });

    it('have no name of a model that needs a grant if the caller does not have it', async () => {
      const app = await start({
        resources: { Country: { actions: { read: granted('geo') } } },
        grants: { geo: (request) => (request as { headers: Record<string, unknown> }).headers['x-grant'] === 'geo' },
      });
      await app.agent.get('/api/rest/country');
      expect(textOf(onlySpan())).not.toContain('Country');
      await telemetry.reset();
      await app.agent.get('/api/rest/country').set('X-Grant', 'geo');
      expect(onlySpan()).toMatchObject({ name: 'resource.read Country', attributes: { 'resource_api.model': 'Country' } });
    });

    it('are error spans from status 500 on', async () => {
      const slow = { tag: { findMany: () => sleep(300, []), count: () => 0 } };
      const broken = { tag: { findMany: () => Promise.reject(new Error('value-a1b2')), count: () => Promise.resolve(0) } };
      const late = await start({ getClient: () => slow, limits: { maxDuration: 50 } });
      expect(await late.rest.get('/tag')).toMatchObject({ status: 503 });
      const failing = await start({ getClient: () => broken });
      expect(await failing.rpc.call('tag/findMany')).toMatchObject({ status: 500 });
      expect(telemetry.spans().map(({ name, attributes, status }) => [name, attributes['error.type'], status])).toEqual([
        ['resource.read Tag', 'unavailable', { code: SpanStatusCode.ERROR }],
        ['resource.read Tag', 'unknown-error', { code: SpanStatusCode.ERROR }],
      ]);
      expect(telemetry.spans().map(textOf).join()).not.toContain('value-a1b2');
    });

    it('have an attribute for a client that has disconnected during an export', async () => {
      const row = { id: 1, type: 'x'.repeat(50_000), payload: {}, createdAt: new Date(1) };
      const rows = ({ take: most }: { take: number }): Promise<object[]> =>
        Promise.resolve(Array.from({ length: most }, (_, index) => ({ ...row, id: index + 1 })));
      const app = await start({ getClient: () => ({ auditEvent: { findMany: rows } }) });
      const sent = get(`${app.url}/api/rest/auditEvent`, { headers: { Accept: NDJSON }, agent: false });
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.on('error', () => undefined);
      await once(response, 'data');
      expect(telemetry.spans()).toEqual([]);
      response.destroy();
      expect(await until(() => telemetry.spans().length > 0)).toBe(true);
      const { attributes, status } = onlySpan();
      expect([attributes['error.type'], status.code]).toEqual(['client-disconnected', SpanStatusCode.UNSET]);
    });

    it('have an attribute for a client that has disconnected before the response', async () => {
      let notify: () => void = () => undefined;
      const isQueried = new Promise<void>((resolve) => (notify = resolve));
      const findMany = (): Promise<object[]> => {
        notify();
        return sleep(200, []);
      };
      const app = await start({
        getClient: () => ({ $transaction: (work: (open: object) => unknown) => work({ tag: { findMany } }), tag: { findMany } }),
      });
      const sent = request(`${app.url}/api/rpc/$transaction/sequential`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        agent: false,
      });
      sent.on('error', () => undefined);
      sent.end(
        JSON.stringify([
          { model: 'tag', op: 'findMany' },
          { model: 'tag', op: 'findMany' },
        ]),
      );
      await isQueried;
      sent.destroy();
      expect(await until(() => telemetry.spans().length > 0)).toBe(true);
      const { attributes, status } = onlySpan();
      expect([attributes['error.type'], status.code]).toEqual(['client-disconnected', SpanStatusCode.UNSET]);
    });
  });

  it('have no value of a request', async () => {
    const app = await start();
    const tokens = Array.from({ length: 12 }, () => `v${randomUUID().replaceAll('-', '')}`);
    const [a, b, c, d, e, f, g, h, i, j, k, l] = tokens;
    await app.rest.get(`/post/${a}`);
    await app.rest.get(`/post?filter[title]=${b}&page[after]=${c}`);
    await app.rest.get(`/${d}?sort=${e}`);
    await app.rest.post('/tag', tagDocument(String(f)), { 'Idempotency-Key': String(k) });
    await app.rest.post('/tag', tagDocument(String(f)));
    await app.rest.patch('/tag/1', { data: { type: g, id: '1', attributes: { [String(h)]: h } } });
    await app.rpc.call('user/findFirst', { where: { name: i, email: { in: [j] } } });
    await app.rpc.call(`user/${l}`, {});
    await app.rpc.sequential([{ model: 'tag', op: 'create', args: { data: { name: f } } }]);
    await sendOperations(app, operationsOf(addTag(String(f)), { op: a, ref: { type: b, id: c } }));
    expect(telemetry.spans().length).toBe(10);
    const text = telemetry.spans().map(textOf).join('\n') + JSON.stringify(await telemetry.durations());
    expect(tokens.filter((token) => text.includes(token))).toEqual([]);
  });

  it('have durations in seconds by style, model, action and error', async () => {
    const app = await start();
    for (const path of ['/tag', '/tag?page[limit]=1', '/tag/4711', '/nothing']) await app.rest.get(path);
    await app.rpc.sequential([findTags(1)]);
    const points = await telemetry.durations();
    expect(new Map(points.map(({ attributes, value }) => [JSON.stringify(attributes), value.count]))).toEqual(
      new Map([
        ['{"resource_api.style":"rest","resource_api.model":"Tag","resource_api.action":"read"}', 2],
        ['{"resource_api.style":"rest","resource_api.model":"Tag","resource_api.action":"read","error.type":"not-found"}', 1],
        ['{"resource_api.style":"rest","resource_api.action":"read","error.type":"unsupported-model"}', 1],
        ['{"resource_api.style":"rpc","resource_api.action":"batch"}', 1],
      ]),
    );
    expect(points[0]?.value.buckets.boundaries[0]).toBe(0.005);
    expect(points.every(({ value }) => Number(value.max) > 0 && Number(value.max) < 10)).toBe(true);
  });
});

function onlySpan(): ReadableSpan {
  const [span, ...others] = telemetry.spans();
  if (!span || others.length > 0) throw new Error(`There are ${others.length + (span ? 1 : 0)} spans.`);
  return span;
}

function serverOf({ parentSpanContext }: ReadableSpan): ReadableSpan | undefined {
  return telemetry.servers().find((server) => server.spanContext().spanId === parentSpanContext?.spanId);
}

function textOf({ name, attributes, events, status, links }: ReadableSpan): string {
  return JSON.stringify({ name, attributes, events, status, links });
}

const tagDocument = (name: string): object => ({ data: { type: 'tag', attributes: { name } } });
const addTag = (name: string): object => ({ op: 'add', ...tagDocument(name) });
const findTags = (count: number): { model: string; op: string; args: object } => ({ model: 'tag', op: 'findMany', args: { take: count } });
