import { createRpcClient } from '../../../lib/client/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { recordedFetch, searchOf } from './recorded-fetch.js';

const endpoint = '/api/rpc';

function setUp(answer?: unknown, status?: number) {
  const { fetch, requests } = recordedFetch(answer, status);
  return { api: createRpcClient<PrismaClient>({ endpoint, fetch }), requests };
}

/** Waits until calls that were started without being awaited have reached `fetch`. */
function idle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a call', () => {
  it('is not sent before it is awaited', async () => {
    const { api, requests } = setUp();
    const call = api.tag.count();
    await idle();
    expect(requests).toEqual([]);
    await call;
    expect(requests).toHaveLength(1);
  });

  it('is sent once, however often it is awaited', async () => {
    const { api, requests } = setUp({ data: 3 });
    const call = api.tag.count();
    expect(await Promise.all([call, call.then((count) => count + 1), call.finally(() => undefined)])).toEqual([3, 4, 3]);
    expect(await call).toBe(3);
    expect(requests).toHaveLength(1);
  });

  it('is sent by catch, whose handler receives the error', async () => {
    const { api } = setUp({ message: 'No.' }, 403);
    expect(await api.tag.findMany().catch((error: unknown) => String(error))).toBe('RpcClientError: No.');
  });

  it('rejects, and does not throw, when its argument cannot be sent', async () => {
    const { api, requests } = setUp();
    const call = api.tag.findMany({ where: { name: (() => 'a') as unknown as string } });
    await expect(call.catch((error: unknown) => Promise.reject(error as Error))).rejects.toThrow(
      new TypeError('tag.findMany cannot send what is at where.name.'),
    );
    expect(requests).toEqual([]);
  });

  it('has the Object.prototype.toString tag of a PrismaPromise', () => {
    expect(Object.prototype.toString.call(setUp().api.tag.count())).toBe('[object PrismaPromise]');
  });
});

describe('fluent methods', () => {
  it('read a relation in one request', async () => {
    const { api, requests } = setUp({ data: { author: { email: 'a@b.c' } } });
    expect(await api.post.findUnique({ where: { id: 1 } }).author()).toEqual({ email: 'a@b.c' });
    expect(requests.map(({ url }) => searchOf(url))).toEqual([{ q: { where: { id: 1 }, select: { author: true } } }]);
  });

  it('take arguments, and follow each other', async () => {
    const { api, requests } = setUp({ data: { author: { posts: [{ id: 2 }] } } });
    const call = api.post
      .findUnique({ where: { id: 1 } })
      .author({ omit: { name: true } })
      .posts({ where: { published: true }, select: { id: true } });
    expect(await call).toEqual([{ id: 2 }]);
    const posts = { where: { published: true }, select: { id: true } };
    expect(searchOf(requests[0]?.url ?? '')).toEqual({
      q: { where: { id: 1 }, select: { author: { omit: { name: true }, select: { posts } } } },
    });
  });

  it('add to what the call selected', async () => {
    const { api, requests } = setUp({ data: { author: null } });
    await api.post.create({ data: { title: 'a', authorId: 1 }, select: { id: true } }).author();
    expect(requests[0]?.body).toEqual({ data: { title: 'a', authorId: 1 }, select: { id: true, author: true } });
  });

  it.each([
    ['the record is missing', null],
    ['the relation is empty', { author: null }],
  ])('give null when %s', async (_, data) => {
    const { api } = setUp({ data });
    expect(await api.post.findFirst().author().profile()).toBeNull();
  });

  it('leave the call that they start from as it was', async () => {
    const { api, requests } = setUp();
    const call = api.post.findUnique({ where: { id: 1 } });
    await call.author();
    await call;
    expect(requests.map(({ url }) => searchOf(url)['q'])).toEqual([{ where: { id: 1 }, select: { author: true } }, { where: { id: 1 } }]);
  });

  it.each(['findMany', 'count', 'createMany', 'updateManyAndReturn'] as const)(
    'do not exist on %s, which returns no single record',
    (operation) => {
      const { api } = setUp();
      const call = (api.post[operation] as (args: object) => object)({ data: [] });
      expect(Reflect.get(call, 'author')).toBeUndefined();
    },
  );
});

describe('$transaction', () => {
  it('rejects a function, and says that it takes a list of calls', async () => {
    const { fetch, requests } = recordedFetch();
    const api = createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch });
    const interactive = (async () => Promise.resolve()) as never;
    await expect(api.$transaction(interactive)).rejects.toThrow(/^There are no interactive transactions over HTTP: .* a list of calls/);
    await expect(api.$transaction({} as never)).rejects.toThrow(TypeError);
    expect(requests).toEqual([]);
  });

  it('sends its calls as one request, and returns their results', async () => {
    const { api, requests } = setUp({
      data: [{ id: 1 }, '2026-01-01T00:00:00.000Z'],
      meta: { serialization: { values: { '1': ['Date'] } } },
    });
    const date = new Date('2026-01-01T00:00:00.000Z');
    const results = await api.$transaction([api.tag.create({ data: { name: 'a' } }), api.post.findFirst({ where: { createdAt: date } })]);
    expect(results).toEqual([{ id: 1 }, date]);
    expect(requests).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: '/api/rpc/$transaction/sequential',
        body: [
          { model: 'tag', op: 'create', args: { data: { name: 'a' } } },
          {
            model: 'post',
            op: 'findFirst',
            args: { where: { createdAt: date.toISOString() }, meta: { serialization: { values: { 'where.createdAt': ['Date'] } } } },
          },
        ],
      }),
    ]);
  });

  it('sends no request for an empty list', async () => {
    const { api, requests } = setUp({ data: [] });
    expect(await api.$transaction([])).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('sends a call without an argument', async () => {
    const { api, requests } = setUp({ data: [0] });
    expect(await api.$transaction([api.tag.count()])).toEqual([0]);
    expect(requests[0]?.body).toEqual([{ model: 'tag', op: 'count', args: {} }]);
  });

  it('resolves its calls with their results', async () => {
    const { api, requests } = setUp({ data: [1, 2] });
    const calls = [api.tag.count(), api.post.count()] as const;
    await api.$transaction(calls);
    expect(await Promise.all(calls)).toEqual([1, 2]);
    expect(requests).toHaveLength(1);
  });

  it('sends a fluent call, and returns its related record', async () => {
    const { api } = setUp({ data: [{ author: { id: 2 } }] });
    expect(await api.$transaction([api.post.findUniqueOrThrow({ where: { id: 1 } }).author()])).toEqual([{ id: 2 }]);
  });

  it('uses the options of the client that it was called on', async () => {
    const { api, requests } = setUp({ data: [1] });
    await api.$with({ headers: { a: '1' } }).$transaction([api.tag.count()]);
    expect(requests[0]?.headers).toMatchObject({ a: '1' });
  });

  it('fails with all of its calls, and without an unhandled rejection', async () => {
    const { api } = setUp({ message: 'operations[1]: No.' }, 400);
    const call = api.tag.count();
    await expect(api.$transaction([call, api.post.count()])).rejects.toThrow('operations[1]: No.');
    await expect(call).rejects.toThrow('operations[1]: No.');
  });

  it.each([{ data: { id: 1 } }, { data: [1, 2] }, { data: [] }])(
    'fails where the response does not have one result per call: %j',
    async (answer) => {
      const { api } = setUp(answer);
      await expect(api.$transaction([api.tag.count()])).rejects.toThrow('The answer does not hold the results of 1 calls.');
    },
  );

  it('refuses a call that was awaited', async () => {
    const { api, requests } = setUp({ data: 1 });
    const call = api.tag.count();
    await call;
    await expect(api.$transaction([api.post.count(), call])).rejects.toThrow(
      new TypeError('$transaction takes calls that nobody has awaited yet, and calls[1] is sent already.'),
    );
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['a promise', () => Promise.resolve(1)],
    ['a call of an API elsewhere', () => createRpcClient<PrismaClient>({ endpoint: '/other' }).tag.count()],
  ])('refuses %s', async (_, make) => {
    const { api, requests } = setUp();
    await expect(api.$transaction([make() as never])).rejects.toThrow('and calls[0] is not a call of this client.');
    expect(requests).toEqual([]);
  });

  it('refuses one call in two places', async () => {
    const { api } = setUp();
    const call = api.tag.count();
    await expect(api.$transaction([call, call])).rejects.toThrow('and calls[1] is there twice.');
  });

  it('sends none of its calls where one cannot be sent', async () => {
    const { api, requests } = setUp({ data: 1 });
    const call = api.tag.count();
    const bad = api.post.findMany({ where: { createdAt: new Date(NaN) } });
    await expect(api.$transaction([call, bad])).rejects.toThrow('post.findMany cannot send what is at where.createdAt.');
    expect(await call).toBe(1);
    expect(requests).toHaveLength(1);
  });
});
