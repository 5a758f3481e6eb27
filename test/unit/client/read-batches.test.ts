import { createRpcClient, type RpcClientOptions, type RpcFetch } from '../../../lib/client/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { recordedFetch, type RecordedRequest } from './recorded-fetch.js';

const BATCH_URL = '/api/rpc/$transaction/sequential';

type Answers = (request: RecordedRequest) => { readonly status?: number; readonly body: unknown };

function setUp(answers: Answers, options: Partial<RpcClientOptions> = {}) {
  const requests: RecordedRequest[] = [];
  const fetch: RpcFetch = async (url, init) => {
    const recorded = recordedFetch();
    await recorded.fetch(url, init);
    const [request] = recorded.requests;
    if (!request) throw new Error('Nothing was recorded.');
    requests.push(request);
    const { status = 200, body } = answers(request);
    return new Response(JSON.stringify(body), { status });
  };
  return { api: createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch, batch: true, ...options }), requests };
}

/** Returns for each call its model and operation. */
const echo: Answers = ({ url, body }) => {
  if (url !== BATCH_URL) return { body: { data: url.split('/').slice(-2).join('.').split('?')[0] } };
  return { body: { data: (body as readonly { model: string; op: string }[]).map(({ model, op }) => `${model}.${op}`) } };
};

/** Refuses a batch, and accepts calls that are sent alone. */
function refuseBatch(status: number): Answers {
  return (request) => (request.url === BATCH_URL ? { status, body: { message: 'operations[1]: No.' } } : echo(request));
}

function urlsOf(requests: readonly RecordedRequest[]): readonly string[] {
  return requests.map(({ url }) => url);
}

async function reasonOf(call: PromiseLike<unknown>): Promise<unknown> {
  return call.then(
    () => 'no error',
    (error: unknown) => error,
  );
}

describe('the reads of one tick', () => {
  it('are one request, and each has its own result', async () => {
    const date = '2026-01-02T00:00:00.000Z';
    const answer = {
      data: [{ createdAt: date }, { author: { id: 2 } }, 7],
      meta: { serialization: { values: { '0.createdAt': ['Date'] } } },
    };
    const { api, requests } = setUp(() => ({ body: answer }));
    const where = { createdAt: new Date(date) };
    const results = await Promise.all([
      api.post.findFirst({ where }),
      api.post.findUnique({ where: { id: 1 } }).author(),
      (async () => Promise.resolve().then(() => api.post.count()))(),
    ]);
    expect(results).toEqual([{ createdAt: new Date(date) }, { id: 2 }, 7]);
    expect(requests).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: BATCH_URL,
        body: [
          {
            model: 'post',
            op: 'findFirst',
            args: { where: { createdAt: date }, meta: { serialization: { values: { 'where.createdAt': ['Date'] } } } },
          },
          { model: 'post', op: 'findUnique', args: { where: { id: 1 }, select: { author: true } } },
          { model: 'post', op: 'count', args: {} },
        ],
      }),
    ]);
  });

  it('are one request each with batch: false', async () => {
    const { api, requests } = setUp(echo, { batch: false });
    await Promise.all([api.post.count(), api.tag.count()]);
    expect(urlsOf(requests)).toEqual(['/api/rpc/post/count', '/api/rpc/tag/count']);
  });

  it('are a plain request where there is a single one', async () => {
    const { api, requests } = setUp(echo);
    expect(await api.post.count()).toBe('post.count');
    expect(await api.tag.count()).toBe('tag.count');
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api/rpc/post/count', 'GET /api/rpc/tag/count']);
  });

  it('are sent without the writes of that tick', async () => {
    const { api, requests } = setUp(echo);
    const write = api.tag.create({ data: { name: 'a' } });
    expect(await Promise.all([api.post.count(), write, api.tag.count()])).toEqual(['post.count', 'tag.create', 'tag.count']);
    expect(urlsOf(requests).toSorted()).toEqual([BATCH_URL, '/api/rpc/tag/create']);
  });

  it('are split by maxSize', async () => {
    const { api, requests } = setUp(echo, { batch: { maxSize: 2 } });
    const results = await Promise.all([api.post.count(), api.tag.count(), api.user.count()]);
    expect(results).toEqual(['post.count', 'tag.count', 'user.count']);
    expect(urlsOf(requests).toSorted()).toEqual([BATCH_URL, '/api/rpc/user/count']);
  });

  it.each([0, 1.5, NaN])('refuse a maxSize of %s', (maxSize) => {
    expect(() => setUp(echo, { batch: { maxSize } })).toThrow(RangeError);
  });

  it('share a request only with reads of the same headers, which are computed once', async () => {
    let computed = 0;
    const { api, requests } = setUp(echo, { headers: () => ({ a: String((computed += 1)) }) });
    const other = api.$with({ headers: { a: 'mine' } });
    await Promise.all([api.post.count(), other.post.count(), api.tag.count(), other.tag.count()]);
    expect(requests.map(({ url, headers }) => [url, headers['a']])).toEqual([
      [BATCH_URL, '1'],
      [BATCH_URL, 'mine'],
    ]);
    expect(computed).toBe(2);
  });

  it('go without a call whose argument cannot be sent, which rejects alone', async () => {
    const { api, requests } = setUp(echo);
    const broken = reasonOf(api.tag.findMany({ where: { name: (() => 'a') as unknown as string } }));
    expect(await Promise.all([api.post.count(), api.tag.count()])).toEqual(['post.count', 'tag.count']);
    expect(await broken).toEqual(new TypeError('tag.findMany cannot send what is at where.name.'));
    expect(urlsOf(requests)).toEqual([BATCH_URL]);
  });

  it('cannot be passed to $transaction, because they are sent', async () => {
    const { api } = setUp(echo);
    const call = api.post.count();
    const count = call.then((value) => value);
    await expect(api.$transaction([call])).rejects.toThrow('calls[0] is sent already');
    expect(await count).toBe('post.count');
  });
});

describe('the abort signal of a read among others', () => {
  function withSignals() {
    const controllers = [new AbortController(), new AbortController()] as const;
    let respond = (): void => undefined;
    let sent: (signal: AbortSignal | undefined) => void;
    const request = new Promise<AbortSignal | undefined>((resolve) => (sent = resolve));
    const fetch: RpcFetch = (_, { signal }) => {
      sent(signal);
      return new Promise((resolve) => {
        respond = () => {
          resolve(new Response('{"data":[1,2]}'));
        };
      });
    };
    const api = createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch, batch: true });
    const [first, second] = controllers.map(({ signal }) => api.$with({ signal }));
    return {
      api,
      first: first ?? api,
      second: second ?? api,
      controllers,
      request,
      respond: () => {
        respond();
      },
    };
  }

  it('rejects that read alone, with its reason', async () => {
    const { first, second, controllers, request, respond } = withSignals();
    const calls = [reasonOf(first.post.count()), second.tag.count().then((count) => count)];
    const signal = await request;
    controllers[0].abort('enough');
    expect(await calls[0]).toBe('enough');
    expect(signal?.aborted).toBe(false);
    respond();
    expect(await calls[1]).toBe(2);
  });

  it('aborts the request once all of them have', async () => {
    const { first, second, controllers, request } = withSignals();
    const calls = [reasonOf(first.post.count()), reasonOf(second.tag.count())];
    const signal = await request;
    controllers[0].abort('a');
    controllers[1].abort('b');
    expect(await Promise.all(calls)).toEqual(['a', 'b']);
    expect(signal?.aborted).toBe(true);
  });

  it('does not abort a request for a read that has none', async () => {
    const { api, first, controllers, request, respond } = withSignals();
    const calls = [reasonOf(first.post.count()), api.tag.count().then((count) => count)];
    const signal = await request;
    controllers[0].abort('a');
    expect([await calls[0], signal]).toEqual(['a', undefined]);
    respond();
    expect(await calls[1]).toBe(2);
  });

  it('leaves a read out of the request that was aborted before', async () => {
    const { api, requests } = setUp(echo);
    const controller = new AbortController();
    const calls = [reasonOf(api.$with({ signal: controller.signal }).post.count()), api.tag.count().then((count) => count)];
    await Promise.resolve();
    controller.abort('early');
    const late = reasonOf(api.$with({ signal: controller.signal }).post.count());
    expect(await Promise.all([...calls, late])).toEqual(['early', 'tag.count', 'early']);
    expect(urlsOf(requests)).toEqual(['/api/rpc/tag/count']);
  });
});

describe('a failed request of several reads', () => {
  it.each([400, 401, 403, 404, 413])('with a status below 500 (%s) sends each read again by itself', async (status) => {
    const { api, requests } = setUp((request) => {
      if (request.url === '/api/rpc/tag/count') return { status, body: { message: 'No.' } };
      return refuseBatch(status)(request);
    });
    const [count, failure] = await Promise.all([api.post.count(), reasonOf(api.tag.count())]);
    expect(count).toBe('post.count');
    expect(failure).toMatchObject({ name: 'RpcClientError', status, message: 'No.' });
    expect(urlsOf(requests).toSorted()).toEqual([BATCH_URL, '/api/rpc/post/count', '/api/rpc/tag/count']);
  });

  it('does not send again reads that have been aborted meanwhile', async () => {
    const controller = new AbortController();
    const { api, requests } = setUp((request) => {
      controller.abort('enough');
      return refuseBatch(400)(request);
    });
    const calls = [reasonOf(api.$with({ signal: controller.signal }).post.count()), api.tag.count().then((count) => count)];
    expect(await Promise.all(calls)).toEqual(['enough', 'tag.count']);
    expect(urlsOf(requests)).toEqual([BATCH_URL, '/api/rpc/tag/count']);
  });

  it.each([429, 500, 503])('with %s rejects all reads, and sends none again', async (status) => {
    const { api, requests } = setUp(refuseBatch(status));
    const failures = await Promise.all([reasonOf(api.post.count()), reasonOf(api.tag.count())]);
    expect(failures).toEqual([expect.objectContaining({ status }), expect.objectContaining({ status })]);
    expect(requests).toHaveLength(1);
  });

  it('without a response rejects all reads', async () => {
    const fault = new TypeError('fetch failed');
    const { api, requests } = setUp(() => {
      throw fault;
    });
    expect(await Promise.all([reasonOf(api.post.count()), reasonOf(api.tag.count())])).toEqual([fault, fault]);
    expect(requests).toHaveLength(1);
  });
});
