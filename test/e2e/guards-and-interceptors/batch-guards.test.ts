import { type CanActivate, type ExecutionContext, Global, Injectable, Module, Scope } from '@nestjs/common';
import { ResourceApiModule, type ResourceOperation, resourceOperation } from 'nestjs-resource-api';
import { delay, type Observable, of } from 'rxjs';
import { closeAll, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

type Seen = Pick<ResourceOperation, 'model' | 'operation' | 'action'>;

/** Records the operations that the guards receive, and decides which are allowed. */
@Injectable()
class Rules {
  readonly seen: (Seen | undefined)[] = [];
  allows(operation: ResourceOperation | undefined): boolean {
    this.seen.push(operation && { model: operation.model, operation: operation.operation, action: operation.action });
    return operation?.model === 'Post' && operation.action === 'read';
  }
}

@Injectable()
class RulesGuard implements CanActivate {
  constructor(private readonly rules: Rules) {}
  canActivate(context: ExecutionContext): boolean | Promise<boolean> | Observable<boolean> {
    return this.rules.allows(resourceOperation(context));
  }
}

@Injectable()
class PromisingGuard extends RulesGuard {
  override canActivate(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(super.canActivate(context) as boolean);
  }
}

@Injectable()
class ObservableGuard extends RulesGuard {
  override canActivate(context: ExecutionContext): Observable<boolean> {
    return of(true, super.canActivate(context) as boolean).pipe(delay(1));
  }
}

let instances = 0;

@Injectable({ scope: Scope.REQUEST })
class RequestGuard extends RulesGuard {
  constructor(rules: Rules) {
    super(rules);
    instances++;
  }
}

@Global()
@Module({ providers: [Rules], exports: [Rules] })
class RulesModule {}

const READ = { model: 'post', op: 'findMany' };
const DELETE = { model: 'user', op: 'deleteMany', args: { where: {} } };
const SEEN_READ: Seen = { model: 'Post', operation: 'findMany', action: 'read' };
const SEEN_DELETE: Seen = { model: 'User', operation: 'deleteMany', action: 'delete' };
const SEEN_NOTHING: Seen = { model: undefined, operation: '$transaction/sequential', action: undefined };

describe.each(PLATFORMS)('guards of batches on %s', (platform) => {
  let calls: string[];

  async function start(...guards: NonNullable<Parameters<typeof ResourceApiModule.forRoot>[0]['guards']>) {
    calls = [];
    const client = {
      post: { findMany: () => Promise.resolve([calls.push('findMany')]) },
      user: { deleteMany: () => Promise.resolve({ count: calls.push('deleteMany') }) },
    };
    const api = ResourceApiModule.forRoot({
      schema: tinySchema,
      getClient: () => client,
      rpc: { prefix: 'rpc' },
      guards,
      limits: { maxBatchSize: 3 },
    });
    const { app, http } = await startTinyApp(platform, [RulesModule, api]);
    const send = (body: unknown, path = '/rpc/$transaction/sequential'): Promise<{ readonly status: number }> =>
      http
        .post(path)
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(body))
        .then(({ status }) => ({ status }));
    return { send, rules: app.get(Rules), http };
  }

  it.each([
    ['a class', RulesGuard],
    ['a guard that returns a promise', PromisingGuard],
    ['one that answers by an observable', ObservableGuard],
    ['one of request scope', RequestGuard],
  ])('run once per operation: %s', async (_, guard) => {
    const { send, rules } = await start(guard);
    expect(await send([READ, READ])).toEqual({ status: 200 });
    expect(rules.seen).toEqual([SEEN_READ, SEEN_READ]);
    expect(calls).toHaveLength(2);
  });

  it.each([
    ['a class', RulesGuard],
    ['a guard that returns a promise', PromisingGuard],
    ['one that answers by an observable', ObservableGuard],
    ['one of request scope', RequestGuard],
  ])('reject the whole batch for one operation: %s', async (_, guard) => {
    const { send, rules } = await start(guard);
    expect(await send([READ, DELETE, READ])).toEqual({ status: 403 });
    expect(rules.seen).toEqual([SEEN_READ, SEEN_DELETE]);
    expect(calls).toEqual([]);
  });

  it('are instantiated once per request in request scope', async () => {
    const { send } = await start(RequestGuard);
    instances = 0;
    await send([READ, READ, READ]);
    expect(instances).toBe(1);
  });

  it('may be instances, and all of several run', async () => {
    const log: string[] = [];
    const guard = (name: string): CanActivate => ({
      canActivate: (context) => log.push(`${name} ${resourceOperation(context)?.model}`) > 0,
    });
    const { send } = await start(guard('a'), guard('b'));
    await send([READ, DELETE]);
    expect(log).toEqual(['a Post', 'b Post', 'a User', 'b User']);
  });

  it.each([
    ['an empty batch', []],
    ['an empty object', {}],
    ['no batch', 'text'],
    ['null', null],
  ])('reject %s', async (_, body) => {
    const { send, rules } = await start(RulesGuard);
    expect(await send(body)).toEqual({ status: 403 });
    expect(rules.seen).toEqual([SEEN_NOTHING]);
  });

  it('reject a body that is not JSON', async () => {
    const { http, rules } = await start(RulesGuard);
    await http.post('/rpc/$transaction/sequential').set('Content-Type', 'text/plain').send('[]').expect(403);
    await http.post('/rpc/$transaction/sequential').set('Content-Type', 'application/json').send('[').expect(403);
    expect(rules.seen).toEqual([SEEN_NOTHING, SEEN_NOTHING]);
  });

  it.each([[[1]], [[null]], [[{}]], [[{ model: '__proto__', op: 'constructor' }]]])(
    'receive %j as an operation without a model',
    async (body) => {
      const { send, rules } = await start(RulesGuard);
      expect(await send(body)).toEqual({ status: 403 });
      expect(rules.seen).toEqual([{ model: undefined, operation: undefined, action: undefined }]);
    },
  );

  it('receive only the operations of the array-like form', async () => {
    const { send, rules } = await start(RulesGuard);
    expect(await send({ 1: DELETE, 0: READ, meta: { serialization: { values: {} } } })).toEqual({ status: 403 });
    expect(rules.seen).toEqual([SEEN_READ, SEEN_DELETE]);
    rules.seen.length = 0;
    expect(await send({ 0: READ, meta: { serialization: { values: {} } } })).toEqual({ status: 200 });
    expect(rules.seen).toEqual([SEEN_READ]);
  });

  it('do not run for a batch with too many operations', async () => {
    const { send, rules } = await start(RulesGuard);
    expect(await send([READ, READ, READ, READ])).toEqual({ status: 400 });
    expect(rules.seen).toEqual([]);
  });

  it.each([
    '/rpc/%24transaction/sequential',
    '/rpc/$transaction/sequential/',
    '/RPC/$Transaction/Sequential',
    '/rpc/%24tr%61nsaction/sequential',
  ])('also run for the path %s', async (path) => {
    const { send, rules } = await start(RulesGuard);
    expect([200, 400, 403]).toContain((await send([READ], path)).status);
    rules.seen.length = 0;
    calls.length = 0;
    expect([400, 403]).toContain((await send([DELETE], path)).status);
    expect(calls).toEqual([]);
  });

  it('can be overridden in tests of the application', async () => {
    const api = ResourceApiModule.forRoot({ schema: tinySchema, getClient: () => ({}), rpc: { prefix: 'rpc' }, guards: [RulesGuard] });
    const { http } = await startTinyApp(platform, [RulesModule, api], {
      build: (builder) => builder.overrideGuard(RulesGuard).useValue({ canActivate: () => false }),
    });
    await http.post('/rpc/$transaction/sequential').send([READ]).expect(403);
    const open = await startTinyApp(
      platform,
      [
        RulesModule,
        ResourceApiModule.forRoot({
          schema: tinySchema,
          getClient: () => ({ user: { deleteMany: () => Promise.resolve({ count: 0 }) } }),
          rpc: { prefix: 'rpc' },
          guards: [RulesGuard],
        }),
      ],
      {
        build: (builder) => builder.overrideGuard(RulesGuard).useValue({ canActivate: () => true }),
      },
    );
    await open.http.post('/rpc/$transaction/sequential').send([DELETE]).expect(200);
  });
});
