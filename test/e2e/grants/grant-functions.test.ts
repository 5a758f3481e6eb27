import { type CallHandler, ForbiddenException, Logger } from '@nestjs/common';
import { granted, ResourceApiModule, type ResourceApiOptions } from '../../../lib/index.js';
import { LogLines } from '../../support/log-lines.js';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

const log = new LogLines();

type Grant = NonNullable<ResourceApiOptions['grants']>[string];

let calls = 0;

describe.each(PLATFORMS)('the functions of grants on %s', (platform) => {
  const start = async (hr: Grant, enhancers: Pick<ResourceApiOptions, 'guards' | 'interceptors' | 'pipes'> = {}) => {
    const module = ResourceApiModule.forRoot({
      schema: tinySchema,
      getClient: () => ({ ...fakeClient(), $transaction: (run: (client: object) => unknown) => run(fakeClient()) }),
      access: 'public',
      rest: { prefix: 'api/rest', endpoint },
      rpc: { prefix: 'api/rpc' },
      grants: { hr },
      ...enhancers,
      resources: { Post: { fields: { title: { read: granted('hr') } } } },
    });
    const { http } = await startTinyApp(platform, [module]);
    Logger.overrideLogger(log);
    return http;
  };

  beforeEach(() => {
    log.clear();
    calls = 0;
  });
  afterEach(async () => {
    await closeAll();
    Logger.overrideLogger(false);
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('The directory is down.');
      },
      /grants\.hr threw: The directory is down\./,
    ],
    ['rejects', () => Promise.reject(new Error('The directory is down.')), /grants\.hr threw: The directory is down\./],
    ['returns undefined', () => undefined, /grants\.hr gave undefined/],
    ['returns null', () => null, /grants\.hr gave null/],
    ['returns a string', () => 'yes', /grants\.hr gave string/],
    ['returns a promise of a number', () => Promise.resolve(1), /grants\.hr gave number/],
  ])('answer with 500, and log the fault without sending it, if one %s', async (_, grant, line) => {
    const http = await start(grant as Grant);
    for (const path of ['/api/rest/post', '/api/rpc/post/findMany']) {
      const { status, text } = await http.get(path);
      expect([path, status]).toEqual([path, 500]);
      expect(text).not.toMatch(/grants|hr|directory/);
      expect(log.errors).toEqual([expect.stringMatching(line)]);
      log.clear();
    }
  });

  it('answer with 503 if one rejects because a database is unreachable', async () => {
    const http = await start(() => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })));
    for (const path of ['/api/rest/post', '/api/rpc/post/findMany']) expect((await http.get(path)).status).toBe(503);
  });

  it('answer with the status of an HttpException that one throws, without a log line', async () => {
    const http = await start(() => {
      throw new ForbiddenException();
    });
    expect((await http.get('/api/rest/post')).status).toBe(403);
    expect(log.errors).toEqual([]);
  });

  it('are called once per request, batch, unexposed type or unknown path', async () => {
    const http = await start(() => (calls += 1) > 0);
    const { body } = await http.get('/api/rest/post?sort=title&filter[title]=x&fields[post]=title');
    expect(body.data[0].attributes).toEqual({ title: 'Hello' });
    expect(calls).toBe(1);
    const batch = [1, 2, 3].map(() => ({ model: 'post', op: 'findMany', args: { select: { title: true } } }));
    calls = 0;
    expect((await http.post('/api/rpc/$transaction/sequential').send(batch)).status).toBe(200);
    expect(calls).toBe(1);
    for (const path of ['/api/rest/user', '/api/rest/nothing', '/api/rpc/nothing/findMany']) {
      calls = 0;
      await http.get(path);
      expect([path, calls]).toEqual([path, 1]);
    }
  });

  it('are called after the guards, the interceptors and the pipes', async () => {
    const order: string[] = [];
    const note = <Value>(name: string, value: Value): Value => {
      order.push(name);
      return value;
    };
    const http = await start(() => note('grant', true), {
      guards: [{ canActivate: () => note('guard', true) }],
      interceptors: [{ intercept: (_context: unknown, next: CallHandler) => note('interceptor', next).handle() }],
      pipes: [{ transform: (value: unknown) => note('pipe', value) }],
    });
    expect((await http.get('/api/rest/post')).status).toBe(200);
    expect([...new Set(order)]).toEqual(['guard', 'interceptor', 'pipe', 'grant']);
  });
});
