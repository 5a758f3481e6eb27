import { jest } from '@jest/globals';
import {
  type CallHandler,
  ClassSerializerInterceptor,
  Controller,
  type ExecutionContext,
  Get,
  Logger,
  Module,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import { type ApiReply, ResourceApiModule, resourceOperation } from 'nestjs-resource-api';
import { EMPTY, lastValueFrom, map, mergeMap, type Observable, of, tap, throwError, timeout } from 'rxjs';
import { sample } from '../../support/sample.js';
import { closeAll, endpoint, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

@Controller('hello')
class HostController {
  @Get()
  hello(): { text: string } {
    return { text: 'world' };
  }
}

@Module({ controllers: [HostController] })
class ApplicationModule {}

type Stored = ReadonlyMap<string, string>;

/** Behaves like CacheInterceptor of `@nestjs/cache-manager` with a store of JSON, such as Redis or Keyv. */
class CacheInterceptor implements NestInterceptor {
  constructor(
    private readonly adapter: HttpAdapterHost,
    readonly store: Stored & Pick<Map<string, string>, 'set'> = new Map<string, string>(),
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { httpAdapter } = this.adapter;
    const request: unknown = context.switchToHttp().getRequest();
    if (httpAdapter.getRequestMethod(request) !== 'GET') return next.handle();
    const key: string = httpAdapter.getRequestUrl(request);
    const cached = this.store.get(key);
    httpAdapter.setHeader(context.switchToHttp().getResponse(), 'X-Cache', cached === undefined ? 'MISS' : 'HIT');
    if (cached !== undefined) return of(JSON.parse(cached));
    return next.handle().pipe(
      mergeMap((value: unknown) => {
        if (!(value instanceof StreamableFile)) this.store.set(key, JSON.stringify(value));
        return Promise.resolve(value);
      }),
    );
  }
}

const envelope: NestInterceptor = { intercept: (_, next) => next.handle().pipe(map((data: unknown) => ({ data }))) };
const spread: NestInterceptor = {
  intercept: (_, next) => next.handle().pipe(map((data: unknown) => ({ ...(data as object), time: 1 }))),
};

const KINDS = {
  cache: (adapter: HttpAdapterHost) => new CacheInterceptor(adapter),
  serializer: () => new ClassSerializerInterceptor(new Reflector()),
  envelope: () => envelope,
  spread: () => spread,
  timeout: (): NestInterceptor => ({ intercept: (_, next) => next.handle().pipe(timeout(5000)) }),
  awaiting: (): NestInterceptor => ({ intercept: async (_, next) => of(await lastValueFrom(next.handle())) }),
} as const;

type Kind = keyof typeof KINDS;

const CHAINS: readonly (readonly Kind[])[] = [
  ...permutationsOf(['cache', 'serializer', 'envelope'] as const),
  ['cache'],
  ['cache', 'envelope'],
  ['envelope', 'cache'],
  ['serializer', 'envelope'],
  ['envelope', 'serializer'],
  ['cache', 'spread'],
  ['cache', 'serializer', 'spread'],
  ['timeout', 'awaiting', 'envelope'],
];

describe.each(PLATFORMS)('global interceptors on %s', (platform) => {
  let title: string;
  let creates: number;

  async function start(interceptors: (adapter: HttpAdapterHost) => NestInterceptor[]) {
    creates = 0;
    title = 'Hello';
    const row = () => ({ id: 1, title, authorId: 2 });
    const client = {
      user: { findMany: () => Promise.resolve([{ id: 1 }]) },
      post: {
        findMany: () => Promise.resolve([row()]),
        findUnique: () => Promise.resolve(row()),
        count: () => Promise.resolve(1),
        create: () => Promise.resolve({ ...row(), id: ++creates }),
      },
    };
    const api = ResourceApiModule.forRoot({
      access: 'public',
      schema: tinySchema,
      getClient: () => client,
      rest: { prefix: 'rest', endpoint },
      rpc: { prefix: 'rpc' },
    });
    return startTinyApp(platform, [ApplicationModule, api], {
      configure: (app) => app.useGlobalInterceptors(...interceptors(app.get(HttpAdapterHost))),
    });
  }

  it.each(sample.oneIn(2, CHAINS))('neither hang, fail nor log: %s %s %s', async (...kinds) => {
    const log = (['error', 'warn'] as const).map((level) => jest.spyOn(Logger.prototype, level).mockImplementation(() => undefined));
    const { http } = await start((adapter) => kinds.filter((kind) => kind in KINDS).map((kind) => KINDS[kind](adapter)));
    for (title of ['first', 'second', 'third']) {
      const rest = await http.get('/rest/post/1').expect(200).expect('Content-Type', 'application/vnd.api+json');
      expect(rest.body.data.attributes.title).toBe(title);
      const rpc = await http.get('/rpc/post/findMany').expect(200);
      expect(rpc.body.data).toEqual([{ id: 1, title, authorId: 2 }]);
      await http.head('/rest/post').expect(200);
      await http.get('/rest/nothing').expect(404).expect('Content-Type', 'application/vnd.api+json');
      await http.get('/hello').expect(200);
    }
    await http
      .post('/rpc/post/create')
      .send({ data: { title: 'x', authorId: 1 } })
      .expect(201);
    expect(creates).toBe(1);
    for (const spy of log) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  it('receive a value after the operation has run', async () => {
    const seen: unknown[] = [];
    const watch: NestInterceptor = {
      intercept: (context, next) => next.handle().pipe(tap((value) => seen.push(resourceOperation(context)?.operation, typeof value))),
    };
    const { http } = await start(() => [watch]);
    await http.get('/rest/post').expect(200);
    expect(seen).toEqual(['fetchCollection', 'object']);
  });

  it('reject a request by throwing, before its operation or after it', async () => {
    const before: NestInterceptor = { intercept: () => throwError(() => new Error('boom')) };
    const after: NestInterceptor = {
      intercept: (_, next) =>
        next.handle().pipe(
          map(() => {
            throw new Error('boom');
          }),
        ),
    };
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    for (const interceptor of [before, after]) {
      const { http } = await start(() => [interceptor]);
      const { body } = await http.get('/rest/post').expect(500).expect('Content-Type', 'application/vnd.api+json');
      expect(body.errors[0].code).toBe('unknown-error');
    }
    jest.restoreAllMocks();
  });

  it('may return a reply instead of running the operation', async () => {
    const { http } = await start(() => [{ intercept: () => of({ message: 'Closed until noon' }) }]);
    await http
      .get('/rest/post')
      .expect(200, { message: 'Closed until noon' })
      .expect('Content-Type', /^application\/json/);
    await http
      .post('/rpc/post/create')
      .send({ data: { title: 'x', authorId: 1 } })
      .expect({ message: 'Closed until noon' });
    expect(creates).toBe(0);
  });

  it('may send the response themselves', async () => {
    const { http } = await start(() => [
      {
        intercept: (context) => {
          const response = context.switchToHttp().getResponse();
          response.status(418).send('tea');
          return EMPTY;
        },
      },
    ]);
    await http.get('/rest/post').expect(418, 'tea');
  });

  it('cannot replay a write from a stored value', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    let stored: string | undefined;
    const replaying: NestInterceptor = {
      intercept: (_, next) => {
        if (stored !== undefined) return of(JSON.parse(stored));
        return next.handle().pipe(tap((value) => (stored = JSON.stringify({ value }))));
      },
    };
    const { http } = await start(() => [replaying]);
    const create = () => http.post('/rpc/post/create').send({ data: { title: 'x', authorId: 1 } });
    await create().expect(201);
    await create().expect(500);
    expect(creates).toBe(1);
    expect(error).toHaveBeenCalledWith(expect.stringMatching(/interceptor/i), expect.anything());
    error.mockRestore();
  });

  it('do not receive the reply, which interceptors of the module receive once per request', async () => {
    let runs = 0;
    const stamp: NestInterceptor<ApiReply, ApiReply> = {
      intercept: (context, next) => {
        runs++;
        const { operation } = resourceOperation(context) ?? {};
        return next.handle().pipe(map((reply) => ({ ...reply, headers: { ...reply.headers, 'X-Stamp': String(operation) } })));
      },
    };
    const api = ResourceApiModule.forRoot({
      access: 'public',
      schema: tinySchema,
      getClient: () => ({ post: { findMany: () => Promise.resolve([]), count: () => Promise.resolve(0) } }),
      rest: { prefix: 'rest', endpoint },
      interceptors: [stamp],
    });
    const { http } = await startTinyApp(platform, [api], {
      configure: (app) => app.useGlobalInterceptors(new CacheInterceptor(app.get(HttpAdapterHost)), envelope),
    });
    for (let request = 1; request <= 2; request++) {
      await http.get('/rest/post').expect(200).expect('X-Stamp', 'fetchCollection');
      expect(runs).toBe(request);
    }
  });
});

function permutationsOf(kinds: readonly Kind[]): readonly (readonly Kind[])[] {
  if (kinds.length <= 1) return [kinds];
  return kinds.flatMap((kind) => permutationsOf(kinds.filter((other) => other !== kind)).map((rest) => [kind, ...rest]));
}
