import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Global,
  Inject,
  Injectable,
  Module,
  UnauthorizedException,
} from '@nestjs/common';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Action, ResourceApiModule, resourceOperation } from 'nestjs-resource-api';
import { closeAll, endpoint, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

// The recipes of docs/guards.md, unchanged.

/** Replaces the JwtService of `@nestjs/jwt`: HS256 with a fixed secret. */
@Injectable()
class JwtService {
  verifyAsync<Payload>(token: string): Promise<Payload> {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = createHmac('sha256', 'secret').update(`${header}.${payload}`).digest();
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return Promise.reject(new Error('invalid signature'));
    return Promise.resolve(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload);
  }
}

interface Caller {
  readonly sub: string;
  readonly roles: readonly string[];
}

interface CallerRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  caller?: Caller;
}

interface HeaderSetter {
  header(name: string, value: string): unknown;
}

@Injectable()
class JwtGuard implements CanActivate {
  constructor(@Inject(JwtService) private readonly jwt: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    request.caller ??= await this.callerOf(request, context.switchToHttp().getResponse<HeaderSetter>());
    return true;
  }

  private async callerOf({ headers }: CallerRequest, response: HeaderSetter): Promise<Caller> {
    const [scheme, token = ''] = (headers['authorization'] ?? '').split(' ');
    try {
      if (scheme?.toLowerCase() === 'bearer') return await this.jwt.verifyAsync<Caller>(token);
    } catch {
      // The response is the same for every fault of the token.
    }
    response.header('WWW-Authenticate', 'Bearer');
    throw new UnauthorizedException('A valid bearer token is needed');
  }
}

type Grants = Readonly<Record<string, Readonly<Record<string, readonly Action[]>>>>;

/** The actions of each role, by model. `*` is any model. All others are rejected. */
const GRANTS: Grants = {
  reader: { '*': ['read'] },
  writer: { Post: ['create'] },
  editor: { Post: ['create', 'update', 'delete'] },
};

@Injectable()
class RolesGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const operation = resourceOperation(context);
    // A path that names no model of the API, and an operation that does not exist: nothing to allow.
    if (operation?.model === undefined || operation.actions.length === 0) return false;
    const { caller } = context.switchToHttp().getRequest<CallerRequest>();
    const grants = (caller?.roles ?? []).flatMap((role) => (Object.hasOwn(GRANTS, role) ? [GRANTS[role]] : []));
    const { model, actions } = operation;
    const isGranted = (action: Action): boolean =>
      grants.some((grant) => [...(grant?.[model] ?? []), ...(grant?.['*'] ?? [])].includes(action));
    // All of them: an upsert creates or updates.
    if (actions.every(isGranted)) return true;
    throw new ForbiddenException(`You may not ${actions.join(' or ')} ${model}`);
  }
}

@Global()
@Module({ providers: [JwtService], exports: [JwtService] })
class AuthModule {}

const client = {
  post: {
    findMany: () => Promise.resolve([]),
    count: () => Promise.resolve(0),
    create: () => Promise.resolve({ id: 1 }),
    upsert: () => Promise.resolve({ id: 1, title: 'x', authorId: 1 }),
  },
  user: { deleteMany: () => Promise.resolve({ count: 0 }) },
};

const reader = bearer({ sub: '1', roles: ['reader'] });
const editor = bearer({ sub: '2', roles: ['reader', 'editor'] });
const stranger = bearer({ sub: '3', roles: ['constructor', '__proto__'] });

afterEach(closeAll);

describe.each(PLATFORMS)('recipes for guards on %s', (platform) => {
  const start = () =>
    startTinyApp(platform, [
      AuthModule,
      ResourceApiModule.forRoot({
        schema: tinySchema,
        getClient: () => client,
        rest: { prefix: 'api/rest', endpoint },
        rpc: { prefix: 'api/rpc' },
        guards: [JwtGuard, RolesGuard],
      }),
    ]);

  it.each(['/api/rest/post', '/api/rest/nothing', '/api/rpc/post/findMany', '/api/rpc/$transaction/sequential'])(
    'require a token at %s',
    async (path) => {
      const { http } = await start();
      const send = (authorization: string) => (path.includes('$') ? http.post(path) : http.get(path)).set('Authorization', authorization);
      for (const authorization of ['', 'Bearer', 'Bearer x.y.z', `${reader}x`, `Basic ${reader.split(' ')[1]}`]) {
        await send(authorization).expect(401).expect('WWW-Authenticate', 'Bearer');
      }
    },
  );

  it.each([
    ['a reader reads', reader, 'GET', '/api/rest/post', 200],
    ['a reader does not create', reader, 'POST', '/api/rest/post', 403],
    ['an editor creates', editor, 'POST', '/api/rpc/post/create', 201],
    ['a reader does not upsert', reader, 'POST', '/api/rpc/post/upsert', 403],
    ['an editor changes no users', editor, 'DELETE', '/api/rest/user/1', 403],
    ['an editor gets no unknown model', editor, 'GET', '/api/rest/nothing', 403],
    ['a made-up role is none', stranger, 'GET', '/api/rest/post', 403],
  ])('allow by role: %s', async (_, authorization, method, path, status) => {
    const { http } = await start();
    const request = method === 'GET' ? http.get(path) : method === 'DELETE' ? http.delete(path) : http.post(path);
    const data = { data: { title: 'x', author: { connect: { id: 1 } } } };
    await (method === 'POST' ? request.set('Authorization', authorization).send(data) : request.set('Authorization', authorization)).expect(
      status,
    );
  });

  it('reject an upsert of a caller who may only create', async () => {
    const writer = bearer({ sub: '4', roles: ['writer'] });
    const { http } = await start();
    const send = (meta: object) => {
      const attributes = { id: 1, title: 'x', authorId: 1 };
      const request = http.post('/api/rest/post').set('Authorization', writer).set('Content-Type', 'application/vnd.api+json');
      return request.send(JSON.stringify({ data: { type: 'post', attributes }, meta }));
    };
    const refused = await send({ operation: 'upsert', matchFields: ['id'] }).expect(403);
    expect(refused.body.errors[0].detail).toBe('You may not create or update Post.');
  });

  it('check each operation of a batch', async () => {
    const { http } = await start();
    const send = (...operations: readonly object[]) =>
      http.post('/api/rpc/$transaction/sequential').set('Authorization', editor).send(operations);
    const read = { model: 'post', op: 'findMany' };
    const create = { model: 'post', op: 'create', args: { data: { title: 'x', author: { connect: { id: 1 } } } } };
    await send(read, create).expect(200);
    const refused = await send(read, { model: 'user', op: 'deleteMany', args: { where: {} } }).expect(403);
    expect(refused.body.message).toBe('You may not delete User.');
    await send().expect(403);
  });
});

function bearer(caller: Caller): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(caller)}`;
  return `Bearer ${signed}.${createHmac('sha256', 'secret').update(signed).digest('base64url')}`;
}
