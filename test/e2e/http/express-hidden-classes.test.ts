import { Controller, Get, type INestApplication, Module, Post, Req } from '@nestjs/common';
import { ResourceApiModule } from 'nestjs-resource-api';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { closeAll, endpoint, fakeClient, startTinyApp, type TinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

/** Used like in middleware for logs or sessions. */
const onFinished = createRequire(import.meta.url)('on-finished') as (message: object, done: () => void) => void;

const { versions } = process;

/** Sets the version of Node.js, on which alone the behavior depends. */
function runAs(node: string): void {
  Object.defineProperty(process, 'versions', { value: { ...versions, node }, configurable: true, enumerable: true });
}

/** A route of the application below the prefix of the API. */
@Controller('api/rest/own')
class OwnController {
  @Get()
  get(@Req() request: object): boolean {
    return 'originalUrl' in request;
  }

  @Post()
  post(@Req() { body }: { readonly body: unknown }): unknown {
    return body;
  }
}

@Module({ controllers: [OwnController] })
class ApplicationModule {}

/** The properties of a message when it reaches Express, and those that are added later. */
interface Seen {
  readonly atFirst: readonly PropertyKey[];
  readonly later: readonly PropertyKey[];
}

/** Each added property changes the hidden class of a message, which invalidates the inline caches for its properties. */
describe('the properties of a request on Express', () => {
  beforeEach(() => {
    runAs('22.12.0');
  });
  afterEach(() => {
    runAs(versions.node);
  });

  let seen: { readonly request: Seen; readonly response: Seen }[];

  function start(configure: (app: INestApplication) => void = () => undefined): Promise<TinyApp> {
    seen = [];
    const api = { schema: tinySchema, getClient: () => fakeClient(), rest: { prefix: 'api/rest', endpoint }, rpc: { prefix: 'api/rpc' } };
    return startTinyApp('express', [ApplicationModule, ResourceApiModule.forRoot(api)], {
      configure: (app) => {
        // This listener runs before Express, and after that of the module, which prepends its own at start.
        serverOf(app).prependListener('request', watch);
        configure(app);
      },
    });
  }

  function watch(request: IncomingMessage, response: ServerResponse): void {
    const seeRequest = look(request);
    const seeResponse = look(response);
    response.on('close', () => seen.push({ request: seeRequest(), response: seeResponse() }));
  }

  function look(message: object): () => Seen {
    const atFirst = Reflect.ownKeys(message);
    // Express adds these before it changes the prototypes.
    const names: readonly PropertyKey[] = [...atFirst, 'req', 'res'];
    return () => ({ atFirst, later: Reflect.ownKeys(message).filter((name) => !names.includes(name)) });
  }

  const serverOf = (app: INestApplication): Server => app.getHttpServer() as Server;

  const REQUESTS: readonly (readonly [string, (http: TinyApp['http']) => Promise<{ readonly status: number }>, number])[] = [
    ['a list', async (http) => http.get('/api/rest/post'), 200],
    ['a call', async (http) => http.get('/api/rpc/post/findMany'), 200],
    ['a body', async (http) => http.post('/api/rpc/post/create').send({ data: { title: 1 } }), 400],
    ['a body that is no JSON', async (http) => http.post('/api/rpc/post/create').type('json').send('{'), 400],
    ['a body that is too large', async (http) => http.post('/api/rpc/post/create').send({ data: { title: 'x'.repeat(3e6) } }), 413],
    ['a refusal', async (http) => http.get('/api/rest/post?sort=nothing'), 400],
    ['an unknown path', async (http) => http.get('/api/rest/post/1/2/3/4/5'), 404],
  ];

  it.each(REQUESTS)('are all set before Express receives it: %s', async (_, send, status) => {
    const { http } = await start((app) => {
      app.use((_request: object, response: object, next: () => void) => {
        onFinished(response, () => undefined);
        next();
      });
    });
    // The first request reveals the property names of the router.
    await http.get('/api/rest/post');
    expect((await send(http)).status).toBe(status);
    expect(seen.slice(1).map(({ request, response }) => [request.later, response.later])).toEqual([[[], []]]);
  });

  it('are not set on routes of the application, also below the prefix', async () => {
    const own: boolean[] = [];
    const { http } = await start((app) => {
      app.use('/api/rest/own', (request: object, _response: object, next: () => void) => {
        own.push('body' in request);
        next();
      });
    });
    await http.get('/api/rest/post');
    expect((await http.get('/api/rest/own')).text).toBe('true');
    expect((await http.post('/api/rest/own').send({ a: 1 })).body).toEqual({ a: 1 });
    const [ours, ...others] = seen.map(({ request }) => request.atFirst.includes('originalUrl'));
    expect([ours, others, own]).toEqual([true, [false, false], [false, false]]);
  });

  it('are not set on versions of Node.js whose V8 shares hidden classes after a change of the prototype', async () => {
    runAs('24.0.0');
    const { http } = await start();
    expect((await http.get('/api/rest/post')).status).toBe(200);
    expect(seen[0]?.request.atFirst).not.toContain('originalUrl');
    expect(seen[0]?.request.later).toContain('originalUrl');
  });

  it.each<[string, (request: object, response: object) => unknown]>([
    ['a getter', (request) => Object.defineProperty(request, 'body', { configurable: true, get: () => ({ data: {} }) })],
    ['read-only', (_, response) => Object.defineProperty(response, 'locals', { value: {}, configurable: true })],
  ])('may be %s, defined by a listener of the application', async (_, define) => {
    const { app, http } = await start();
    // Prepended after the start, so that it runs first.
    serverOf(app).prependListener('request', define);
    expect((await http.get('/api/rest/post')).status).toBe(200);
  });
});
