import { jest } from '@jest/globals';
import { Logger, Module } from '@nestjs/common';
import { ResourceAction, ResourceActions, ResourceApiModule } from 'nestjs-resource-api';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);
afterEach(() => jest.restoreAllMocks());

const PANIC = Object.assign(new Error('entered unreachable code'), { name: 'PrismaClientRustPanicError' });

@ResourceActions('Post')
class PostActions {
  @ResourceAction()
  publish(): void {
    return undefined;
  }

  @ResourceAction({ on: 'collection' })
  list({ client }: { readonly client: ReturnType<typeof fakeClient> }): Promise<unknown> | undefined {
    return client.post['findMany']?.();
  }
}

@Module({ providers: [PostActions] })
class ActionsModule {}

/** A client whose engine has panicked. */
function brokenClient(): { readonly post: object; readonly user: object } {
  const fail = (): Promise<never> => Promise.reject(PANIC);
  // `create` reads the author first.
  return { post: { findMany: fail, count: fail, findUnique: fail, create: fail }, user: { findMany: fail } };
}

describe.each(PLATFORMS)('a data client that has panicked on %s', (platform) => {
  const start = (options: object) =>
    startTinyApp(platform, [
      ResourceApiModule.forRoot({
        schema: tinySchema,
        getClient: () => brokenClient(),
        rest: { prefix: 'api/rest', endpoint },
        rpc: { prefix: 'api/rpc' },
        ...options,
      }),
      ActionsModule,
    ]);

  it('causes a 503 and a call of onClientBroken, which can replace it, so that the next request succeeds', async () => {
    let client: object = brokenClient();
    const reports: unknown[][] = [];
    const { http } = await start({
      getClient: () => client,
      onClientBroken: (...received: unknown[]) => {
        reports.push(received);
        client = fakeClient();
      },
    });
    const first = client;
    const answer = await http.get('/api/rest/post');
    expect([answer.status, answer.headers['retry-after'], answer.body.errors[0].code]).toEqual([503, '1', 'unavailable']);
    expect(reports).toEqual([[first, PANIC]]);
    await http.get('/api/rest/post').expect(200);
  });

  it('is logged as an error and reported to onClientBroken in both styles and in batches', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const onClientBroken = jest.fn();
    const { http } = await start({ onClientBroken });
    const answers = [
      await http.get('/api/rest/post/1'),
      await http.get('/api/rpc/post/findMany'),
      await http.post('/api/rpc/post/create').send({ data: { title: 'x', authorId: 1 } }),
      await http.post('/api/rpc/$transaction/sequential').send([{ model: 'post', op: 'count', args: {} }]),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(answers[1]?.body).toMatchObject({ orm: true, message: expect.stringContaining('Please try again.') });
    expect(JSON.stringify(answers.map(({ body }) => body as object))).not.toMatch(/unreachable/);
    expect(onClientBroken).toHaveBeenCalledTimes(4);
    expect(error.mock.calls.filter(([text]) => String(text).includes('The data client is broken'))).toHaveLength(4);
  });

  it('is reported also by actions, and by reads before a write', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const onClientBroken = jest.fn();
    const { http } = await start({ onClientBroken, resources: { Post: { concurrency: 'offered' } } });
    const document = { data: { type: 'post', id: '1', attributes: { title: 'x' } } };
    const answers = [
      await http.post('/api/rest/post/1/publish'),
      await http.post('/api/rest/post/list'),
      await http.post('/api/rpc/post/publish').send({ where: { id: 1 } }),
      await http.patch('/api/rest/post/1').set({ 'Content-Type': 'application/vnd.api+json', 'If-Match': '"hx"' }).send(document),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(onClientBroken).toHaveBeenCalledTimes(4);
    expect(error.mock.calls.filter(([text]) => String(text).includes('The data client is broken'))).toHaveLength(4);
  });

  it('is reported to onClientBroken, and the request is answered, when the logger of the application throws', async () => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {
      throw new Error('No space left on device.');
    });
    const onClientBroken = jest.fn(() => Promise.reject(new Error('Mine.')));
    const { http } = await start({ onClientBroken });
    await http.get('/api/rpc/post/findMany').expect(500);
    expect(onClientBroken).toHaveBeenCalledTimes(1);
    expect(printed.mock.calls.map(([text]) => String(text))).toContain('ResourceApi: work in the background has failed:');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('Mine.');
      },
    ],
    ['is async and fails', () => Promise.reject(new Error('Mine.'))],
  ])('causes the same 503 if onClientBroken %s', async (_, onClientBroken) => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { http } = await start({ onClientBroken });
    await http.get('/api/rpc/post/findMany').expect(503);
    expect(error).toHaveBeenCalledWith('onClientBroken failed.', expect.stringContaining('Mine.'));
  });

  it('is not broken if it executes other queries: the log names the query, and onClientBroken is not called', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const onClientBroken = jest.fn();
    const { post, user } = brokenClient();
    const { http } = await start({
      onClientBroken,
      getClient: () => ({ post: { ...post, findFirst: () => Promise.resolve(null) }, user }),
    });
    const answers = [await http.get('/api/rest/post'), await http.get('/api/rpc/post/findMany')];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers[0]?.body.errors[0]).toMatchObject({ code: 'query-error', detail: expect.stringContaining('its engine fails on it') });
    expect(onClientBroken).not.toHaveBeenCalled();
    expect(error).toHaveBeenCalledWith(
      expect.stringContaining('A query made the engine of the data client panic. The client still executes other queries'),
      expect.anything(),
    );
  });

  it('is a configuration error at start if onClientBroken is not a function', () => {
    return expect(start({ onClientBroken: 'restart' })).rejects.toThrow(/onClientBroken/);
  });
});
