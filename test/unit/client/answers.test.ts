import { Decimal } from 'decimal.js';
import { createRpcClient, RpcClientError } from '../../../lib/client/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { recordedFetch } from './recorded-fetch.js';

const endpoint = '/api/rpc';

function findMany(answer: unknown, status = 200): Promise<unknown> {
  return createRpcClient<PrismaClient>({ endpoint, fetch: recordedFetch(answer, status).fetch }).post.findMany();
}

async function failureOf(answer: unknown, status: number): Promise<RpcClientError> {
  const error: unknown = await findMany(answer, status).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RpcClientError);
  return error as RpcClientError;
}

describe('a result', () => {
  it.each([[[]], [null], [0], [false], [''], [{ count: 0 }], [[{ id: 1, tags: [] }]]])('is returned unchanged: %j', async (data) => {
    expect(await findMany({ data })).toEqual(data);
  });

  it('has values of the types in its metadata', async () => {
    const row = { date: '2026-01-02T03:04:05.678Z', big: '9007199254740993', price: '1.10', blob: 'AP8=', list: [[1, 2]], gone: null };
    const values = {
      '0.date': ['Date'],
      '0.big': ['bigint'],
      '0.price': [['custom', 'Decimal']],
      '0.blob': [['custom', 'Bytes']],
      '0.list.0': [['typed-array', 'Uint8Array']],
      '0.gone': ['undefined'],
    };
    const [revived] = (await findMany({ data: [row], meta: { serialization: { values } } })) as [Record<string, unknown>];
    expect(revived).toStrictEqual({
      date: new Date('2026-01-02T03:04:05.678Z'),
      big: 9007199254740993n,
      price: new Decimal('1.1'),
      blob: Uint8Array.of(0, 255),
      list: [Uint8Array.of(1, 2)],
      gone: undefined,
    });
  });

  it('may be a single value with metadata', async () => {
    expect(await findMany({ data: '12', meta: { serialization: { values: ['bigint'] } } })).toBe(12n);
  });

  it('is an error where its metadata has an unsafe type', async () => {
    const error = await failureOf({ data: 'x', meta: { serialization: { values: [['class', 'Evil']] } } }, 200);
    expect(error.message).toMatch(/^The serialization metadata gives the whole value the type 'class\/Evil'/);
  });
});

describe('an error', () => {
  it('has the message, the status and the code of the response', async () => {
    const flat = { message: 'Unique constraint failed.', orm: true, code: 'P2002' };
    expect(await failureOf({ ...flat, error: flat }, 400)).toMatchObject({
      name: 'RpcClientError',
      status: 400,
      message: 'Unique constraint failed.',
      orm: true,
      rejectedByPolicy: false,
      code: 'P2002',
      reason: undefined,
      fields: [],
      retryAfter: undefined,
    });
  });

  it('has the problems of a failed call, and an empty list where the response has none of that form', async () => {
    const problems = [{ path: 'data.title', message: 'must not be null.', code: 'invalid-value' }];
    expect(await failureOf({ message: 'No.', problems: [...problems, 5, { path: 'data' }] }, 400)).toMatchObject({ problems });
    expect(await failureOf({ message: 'No.', problems: 'none' }, 400)).toMatchObject({ problems: [] });
    expect(await failureOf({ message: 'No.' }, 400)).toMatchObject({ problems: [] });
  });

  it('has the fields whose constraint the call violated', async () => {
    const flat = { message: 'Taken.', orm: true, code: 'P2002', fields: ['email'] };
    expect(await failureOf({ ...flat, error: flat }, 400)).toMatchObject({ fields: ['email'] });
  });

  it.each([
    ['30', 30],
    ['0', 0],
    [new Date(Date.now() - 60_000).toUTCString(), 0],
    ['soon', undefined],
    ['-1', undefined],
  ])('has the seconds of Retry-After: %s', async (header, seconds) => {
    const answer = new Response('{"message":"Busy."}', { status: 503, headers: { 'Retry-After': header } });
    const api = createRpcClient<PrismaClient>({ endpoint, fetch: () => Promise.resolve(answer) });
    await expect(api.post.findMany()).rejects.toMatchObject({ status: 503, retryAfter: seconds });
  });

  it('has rejectedByPolicy and the reason where a policy refused the call', async () => {
    const error = await failureOf({ message: 'No.', rejectedByPolicy: true, reason: 'RESULT_NOT_READABLE' }, 403);
    expect(error).toMatchObject({ status: 403, orm: false, rejectedByPolicy: true, code: undefined, reason: 'RESULT_NOT_READABLE' });
  });

  it('may be an error of the framework', async () => {
    expect(await failureOf({ statusCode: 401, message: 'Unauthorized' }, 401)).toMatchObject({ status: 401, message: 'Unauthorized' });
  });

  it.each([
    ['the page of a proxy', '<html><title>502 Bad Gateway</title></html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[1]'],
    ['members of other types', { message: ['a'], orm: 'yes', rejectedByPolicy: 1, code: 7, reason: {}, fields: 'name' }],
  ])('has the status alone where the body is %s', async (_, answer) => {
    const error = await failureOf(answer, 502);
    expect(error).toMatchObject({ status: 502, orm: false, rejectedByPolicy: false, code: undefined, reason: undefined, fields: [] });
    expect(error.message).toBe('The call failed with status 502, and the answer does not say why.');
  });

  it.each([
    ['a login page', '<html>'],
    ['an empty object', {}],
    ['another API', { posts: [] }],
    ['an inherited member', '{"__proto__":{"data":1}}'],
  ])('is thrown for the status 200 where the body is %s', async (_, answer) => {
    expect(await failureOf(answer, 200)).toMatchObject({ status: 200, message: 'The answer (200) is none of an RPC API.' });
  });
});

describe('a failed request', () => {
  it('rejects with an error whose cause is the error of fetch', async () => {
    const failure = new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
    const api = createRpcClient<PrismaClient>({ endpoint, fetch: () => Promise.reject(failure) });
    await expect(api.post.findMany()).rejects.toBe(failure);
  });

  it('rejects with the error of reading the body', async () => {
    const failure = new TypeError('terminated');
    const api = createRpcClient<PrismaClient>({
      endpoint,
      fetch: () => Promise.resolve({ ok: true, status: 200, text: () => Promise.reject(failure) }),
    });
    await expect(api.post.findMany()).rejects.toBe(failure);
  });

  it('passes the signal to fetch', async () => {
    const { fetch, requests } = recordedFetch();
    const { signal } = new AbortController();
    const api = createRpcClient<PrismaClient>({ endpoint, fetch });
    await api.$with({ signal }).post.findMany();
    await api.post.findMany();
    expect(requests.map((request) => request.signal)).toEqual([signal, undefined]);
  });

  it('keeps the signal beside further headers, and replaces it by a further signal', async () => {
    const { fetch, requests } = recordedFetch();
    const [first, second] = [new AbortController().signal, new AbortController().signal];
    const api = createRpcClient<PrismaClient>({ endpoint, fetch }).$with({ signal: first });
    await api.$with({ headers: { a: '1' } }).post.findMany();
    await api.$with({ signal: second }).post.findMany();
    expect(requests[0]?.signal).toBe(first);
    expect(requests[1]?.signal).toBe(second);
  });
});
