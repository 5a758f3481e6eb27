import { Decimal } from 'decimal.js';
import { createRpcClient, type RpcClientOptions } from '../../../lib/client/index.js';
import { RPC_OPERATIONS, type RpcOperationName } from '../../../lib/rpc/protocol/rpc-operations.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { recordedFetch, type RecordedRequest, searchOf } from './recorded-fetch.js';

const ENDPOINT = 'http://api.test/api/rpc';

type Api = ReturnType<typeof createRpcClient<PrismaClient>>;

async function requestOf(call: (api: Api) => unknown, options: Partial<RpcClientOptions> = {}): Promise<RecordedRequest> {
  const { fetch, requests } = recordedFetch();
  await call(createRpcClient<PrismaClient>({ endpoint: ENDPOINT, fetch, ...options }));
  const [request, ...further] = requests;
  if (request === undefined || further.length > 0) throw new Error(`The call made ${requests.length} requests.`);
  return request;
}

function callAny(api: object, operation: string, args: unknown): unknown {
  return (api as Record<string, Record<string, (args: unknown) => unknown>>)['post']?.[operation]?.(args);
}

describe('the request of a call', () => {
  const where = { id: 1 };

  it.each<[RpcOperationName, string]>([
    ['findMany', 'GET'],
    ['findUnique', 'GET'],
    ['findUniqueOrThrow', 'GET'],
    ['findFirst', 'GET'],
    ['findFirstOrThrow', 'GET'],
    ['count', 'GET'],
    ['aggregate', 'GET'],
    ['groupBy', 'GET'],
    ['delete', 'DELETE'],
    ['deleteMany', 'DELETE'],
  ])('%s is a %s with its argument in q', async (operation, method) => {
    const request = await requestOf((api) => callAny(api, operation, { where }));
    expect(request).toMatchObject({ method, body: undefined });
    expect(request.url).toBe(`${ENDPOINT}/post/${operation}?q=%7B%22where%22%3A%7B%22id%22%3A1%7D%7D`);
    expect(request.headers).toEqual({ accept: 'application/json' });
  });

  it.each<[RpcOperationName, string]>([
    ['create', 'POST'],
    ['createMany', 'POST'],
    ['createManyAndReturn', 'POST'],
    ['upsert', 'POST'],
    ['update', 'PATCH'],
    ['updateMany', 'PATCH'],
    ['updateManyAndReturn', 'PATCH'],
  ])('%s is a %s with its argument as the body', async (operation, method) => {
    const request = await requestOf((api) => callAny(api, operation, { where, data: { title: 'a' } }));
    expect(request).toMatchObject({ method, url: `${ENDPOINT}/post/${operation}`, body: { where, data: { title: 'a' } } });
    expect(request.headers).toEqual({ 'accept': 'application/json', 'content-type': 'application/json' });
  });

  it('exists for every operation of the table', () => {
    const { fetch } = recordedFetch();
    const { post } = createRpcClient<PrismaClient>({ endpoint: ENDPOINT, fetch });
    expect(Object.keys(post)).toEqual(Object.keys(RPC_OPERATIONS));
  });

  it('has no q when there is no argument', async () => {
    expect((await requestOf((api) => api.post.findMany())).url).toBe(`${ENDPOINT}/post/findMany`);
    expect((await requestOf((api) => api.post.deleteMany())).url).toBe(`${ENDPOINT}/post/deleteMany`);
  });

  it('keeps an empty argument, so that deleteMany is sent with {} and not without an argument', async () => {
    expect((await requestOf((api) => api.post.deleteMany({ where: {} }))).url).toBe(
      `${ENDPOINT}/post/deleteMany?q=%7B%22where%22%3A%7B%7D%7D`,
    );
  });

  it('names the model in lower camel case', async () => {
    expect((await requestOf((api) => api.orderLine.findMany())).url).toBe(`${ENDPOINT}/orderLine/findMany`);
  });

  it.each([
    ['http://api.test/api/rpc/', 'http://api.test/api/rpc'],
    ['http://api.test/api/rpc//', 'http://api.test/api/rpc'],
    ['http://api.test/', 'http://api.test'],
    [new URL('http://api.test'), 'http://api.test'],
    ['/api/rpc', '/api/rpc'],
    ['api/rpc/', 'api/rpc'],
    ['/', ''],
    ['', ''],
  ])('starts with the endpoint %s', async (endpoint, start) => {
    expect((await requestOf((api) => api.tag.count(), { endpoint })).url).toBe(`${start}/tag/count`);
  });

  it('has in meta the types of the values of q that JSON lacks', async () => {
    const createdAt = new Date('2026-01-02T03:04:05.678Z');
    const { url } = await requestOf((api) => api.post.findMany({ where: { createdAt: { gt: createdAt }, rating: new Decimal('4.5') } }));
    expect(searchOf(url)).toEqual({
      q: { where: { createdAt: { gt: '2026-01-02T03:04:05.678Z' }, rating: '4.5' } },
      meta: { serialization: { values: { 'where.createdAt.gt': ['Date'], 'where.rating': [['custom', 'Decimal']] } } },
    });
  });

  it('has their types in the meta of a body, too', async () => {
    const { body } = await requestOf((api) => api.profile.update({ where: { id: 1 }, data: { avatar: Uint8Array.of(0, 255) } }));
    expect(body).toEqual({
      where: { id: 1 },
      data: { avatar: 'AP8=' },
      meta: { serialization: { values: { 'data.avatar': [['custom', 'Bytes']] } } },
    });
  });

  it.each<[RpcOperationName, string]>([
    ['findMany', 'GET'],
    ['deleteMany', 'DELETE'],
  ])('sends a long argument of %s as the body of a POST that overrides its method to %s', async (operation, method) => {
    const args = { where: { title: 'x'.repeat(100_000), createdAt: new Date(0) } };
    const request = await requestOf((api) => callAny(api, operation, args));
    expect(request).toMatchObject({
      method: 'POST',
      url: `${ENDPOINT}/post/${operation}`,
      headers: { 'content-type': 'application/json', 'x-http-method-override': method },
      body: {
        where: { title: args.where.title, createdAt: '1970-01-01T00:00:00.000Z' },
        meta: { serialization: { values: { 'where.createdAt': ['Date'] } } },
      },
    });
  });

  it('uses the whole length that a URL may have', async () => {
    const call = (api: Api): unknown => api.tag.findMany({ where: { name: 'é' } });
    const { url } = await requestOf(call);
    expect(await requestOf(call, { maxUrlLength: url.length })).toMatchObject({ method: 'GET', url });
    expect(await requestOf(call, { maxUrlLength: url.length - 1 })).toMatchObject({ method: 'POST', url: `${ENDPOINT}/tag/findMany` });
  });

  it('never moves the argument of a call that has none', async () => {
    expect(await requestOf((api) => api.tag.findMany(), { maxUrlLength: 1 })).toMatchObject({ method: 'GET' });
  });

  it('encodes a model name from a user as one segment of the path', async () => {
    const { fetch, requests } = recordedFetch();
    const api: object = createRpcClient<PrismaClient>({ endpoint: ENDPOINT, fetch });
    await (api as Record<string, Api['post']>)['post/findMany?q=']?.count();
    expect(requests[0]?.url).toBe(`${ENDPOINT}/post%2FfindMany%3Fq%3D/count`);
  });
});

describe('the headers of a request', () => {
  const authorization = 'Bearer token';

  it.each<[string, RpcClientOptions['headers']]>([
    ['an object', { authorization }],
    ['an object with upper case', { Authorization: authorization }],
    ['an object with what is undefined', { authorization, 'x-tenant': undefined }],
    ['pairs', [['authorization', authorization]]],
    ['Headers', new Headers({ authorization })],
    ['a function', () => ({ authorization })],
    ['an async function', () => Promise.resolve(new Headers({ authorization }))],
  ])('come from %s', async (_, headers) => {
    const request = await requestOf((api) => api.tag.count(), headers === undefined ? {} : { headers });
    expect(request.headers).toEqual({ accept: 'application/json', authorization: authorization });
  });

  it('are computed once per request', async () => {
    const { fetch, requests } = recordedFetch();
    let calls = 0;
    const api = createRpcClient<PrismaClient>({ endpoint: ENDPOINT, fetch, headers: () => ({ 'x-call': String(++calls) }) });
    await api.tag.count();
    await api.tag.count();
    expect(requests.map(({ headers }) => headers['x-call'])).toEqual(['1', '2']);
  });

  it('reject the call when they cannot be computed', async () => {
    const failure = new Error('no token');
    const headers = () => Promise.reject(failure);
    const { fetch, requests } = recordedFetch();
    await expect(createRpcClient<PrismaClient>({ endpoint: ENDPOINT, fetch, headers }).tag.count()).rejects.toBe(failure);
    expect(requests).toEqual([]);
  });

  it('are added and replaced by $with, for its client only', async () => {
    const { fetch, requests } = recordedFetch();
    const api = createRpcClient<PrismaClient>({ endpoint: ENDPOINT, fetch, headers: { a: '1', b: '1' } });
    await api
      .$with({ headers: { B: '2' } })
      .$with({ headers: () => ({ c: '3' }) })
      .tag.count();
    await api.tag.count();
    expect(requests[0]?.headers).toMatchObject({ a: '1', b: '2', c: '3' });
    expect(requests[1]?.headers).toEqual({ accept: 'application/json', a: '1', b: '1' });
  });

  it('do not replace the content type of the protocol', async () => {
    const request = await requestOf((api) => api.tag.create({ data: { name: 'a' } }), { headers: { 'content-type': 'text/plain' } });
    expect(request.headers['content-type']).toBe('application/json');
  });
});

describe('the client as an object', () => {
  const { fetch, requests } = recordedFetch();
  const api = createRpcClient<PrismaClient>({ endpoint: ENDPOINT, fetch });

  it('returns the same delegate every time', () => {
    expect(api.post).toBe(api.post);
    expect(api.post).not.toBe(api.tag);
  });

  it('can be returned by an async function, because it has no then', async () => {
    expect(await Promise.resolve(api)).toBe(api);
  });

  it.each(['then', '$queryRaw', '$connect', '$$typeof', Symbol.iterator, Symbol.toStringTag])('has no member %s', (name) => {
    expect(Reflect.get(api, name)).toBeUndefined();
  });

  it.each(['then', 'toJSON', '$$typeof', Symbol.iterator])('has no operation %s of its models', (name) => {
    expect(Reflect.get(api.post, name)).toBeUndefined();
    expect(JSON.stringify(api.post)).toBe('{}');
  });

  it('sends any other name as an action, which is a POST', async () => {
    const call = (acting: object): unknown => callAny(acting, 'complete', { where: { id: 1n }, args: { note: 'x' } });
    const request = await requestOf(call);
    expect(request).toMatchObject({ method: 'POST', url: `${ENDPOINT}/post/complete`, body: { where: { id: '1' }, args: { note: 'x' } } });
    expect((await requestOf((acting) => callAny(acting, 'archive', undefined))).body).toEqual({});
  });

  it('prints as an object', () => {
    expect(JSON.stringify(api)).toBe('{}');
    expect(Object.prototype.toString.call(api)).toBe('[object Object]');
    expect(requests).toEqual([]);
  });

  it('uses the global fetch as it is at the time of the call', async () => {
    const recorded = recordedFetch({ data: 7 });
    const withGlobal = createRpcClient<PrismaClient>({ endpoint: ENDPOINT });
    const original = globalThis.fetch;
    globalThis.fetch = recorded.fetch as typeof fetch & typeof original;
    try {
      expect(await withGlobal.tag.count()).toBe(7);
    } finally {
      globalThis.fetch = original;
    }
  });
});
