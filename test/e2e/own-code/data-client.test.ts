import { jest } from '@jest/globals';
import { type CanActivate, Controller, type ExecutionContext, Get, Global, Injectable, Logger, Module, Scope } from '@nestjs/common';
import {
  DATA_CLIENT,
  InjectDataClient,
  type PlatformRequest,
  RESOURCE_MODEL,
  ResourceApiModule,
  type ResourceModel,
} from 'nestjs-resource-api';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

const path = '/post/findMany';

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    request.user = request.headers['x-user'] ?? 'nobody';
    return true;
  }
}

@Controller('mine')
class HostController {
  constructor(@InjectDataClient() private readonly client: ReturnType<typeof fakeClient>) {}

  @Get()
  async list(): Promise<unknown> {
    return this.client.post['findMany']?.();
  }
}

@Module({ controllers: [HostController] })
class ApplicationModule {}

@Global()
@Module({ providers: [{ provide: DATA_CLIENT, useValue: fakeClient('from elsewhere') }], exports: [DATA_CLIENT] })
class ClientModule {}

describe.each(PLATFORMS)('DATA_CLIENT on %s', (platform) => {
  it('is requested from getClient once per request, with the properties that a guard has set', async () => {
    const users: unknown[] = [];
    const getClient = (request: PlatformRequest & { readonly user?: string }): object => {
      users.push(request.user);
      return fakeClient(request.user);
    };
    const options = { schema: tinySchema, getClient, guards: [UserGuard] };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)]);
    const { body } = await http.get(path).set('X-User', 'ann').expect(200);
    expect(body.data[0].title).toBe('ann');
    await http.get(path).expect(200);
    expect(users).toEqual(['ann', 'nobody']);
  });

  it.each([
    ['null', () => Promise.resolve(null)],
    ['undefined', () => undefined],
    ['string', () => Promise.resolve('postgres://')],
  ])('that is %s makes the request a 500, and is logged', async (given, getClient) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    // The types reject this, but an application in JavaScript can return it.
    const options = { schema: tinySchema, getClient: getClient as never };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)]);
    await http.get(path).expect(500);
    expect(log).toHaveBeenCalledWith(expect.stringContaining(`getClient gave ${given}, and no data client.`), expect.anything());
    log.mockRestore();
  });

  it('is requested once for a batch with a request-scoped guard that injects it', async () => {
    const getClient = jest.fn((_request: PlatformRequest) => fakeClient());
    const seen = new Set<unknown>();
    @Injectable({ scope: Scope.REQUEST })
    class ClientGuard implements CanActivate {
      constructor(@InjectDataClient() private readonly client: object) {}
      canActivate(): boolean {
        seen.add(this.client);
        return true;
      }
    }
    const options = { schema: tinySchema, getClient, guards: [ClientGuard], rest: { prefix: 'rest', endpoint }, rpc: { prefix: 'rpc' } };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)]);
    const read = { model: 'post', op: 'findMany' };
    await http.post('/rpc/$transaction/sequential').send([read, read, read]).expect(200);
    expect([getClient.mock.calls.length, seen.size]).toEqual([1, 1]);
    await http.get('/rpc/post/findMany').expect(200);
    await http.get('/rest/post').expect(200);
    expect([getClient.mock.calls.length, seen.size]).toEqual([3, 3]);
  });

  it('is not requested for an invalid request', async () => {
    const getClient = jest.fn((_request: PlatformRequest) => fakeClient());
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ schema: tinySchema, getClient })]);
    await http.get(`${path}?q={`).expect(400);
    await http.get('/nothing/findMany').expect(400);
    expect(getClient).not.toHaveBeenCalled();
  });

  it('can be overridden by a plain fake with overrideProvider', async () => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot({ schema: tinySchema, getClient: () => fakeClient() })], {
      build: (builder) =>
        builder
          .overrideProvider(DATA_CLIENT)
          .useValue({ post: { findMany: async () => Promise.resolve([{ id: 9, title: 'Fake', authorId: 1 }]) } }),
    });
    await http.get(path).expect(200, { data: [{ id: 9, title: 'Fake', authorId: 1 }] });
  });

  it('can be overridden by a factory, also with forRootAsync', async () => {
    const mount = ResourceApiModule.forRootAsync({ useFactory: () => ({ schema: tinySchema, getClient: () => fakeClient() }) });
    const { http } = await startTinyApp(platform, [mount], {
      build: (builder) => builder.overrideProvider(DATA_CLIENT).useFactory({ factory: () => fakeClient('from a factory') }),
    });
    const { body } = await http.get(path).expect(200);
    expect(body.data[0].title).toBe('from a factory');
  });

  it('is injected into providers of other modules if the module is global', async () => {
    const options = { schema: tinySchema, getClient: () => fakeClient(), isGlobal: true, rpc: { prefix: 'rpc' } };
    const { http, app } = await startTinyApp(platform, [ResourceApiModule.forRoot(options), ApplicationModule]);
    await http.get('/mine').expect(200, [{ id: 1, title: 'Hello', authorId: 2 }]);
    expect(app.get<ResourceModel>(RESOURCE_MODEL).byModel.has('Post')).toBe(true);
  });

  it('may come from a global module instead of getClient', async () => {
    const { http } = await startTinyApp(platform, [ClientModule, ResourceApiModule.forRoot({ schema: tinySchema })]);
    const { body } = await http.get(path).expect(200);
    expect(body.data[0].title).toBe('from elsewhere');
  });

  it('is a configuration error at boot without getClient', async () => {
    await expect(startTinyApp(platform, [ResourceApiModule.forRoot({ schema: tinySchema })])).rejects.toThrow(/getClient/);
  });
});
