import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CanActivate, Controller, type ExecutionContext, ForbiddenException, Get, Module, Post, Req, UseGuards } from '@nestjs/common';
import { bindRules, InjectDataClient, type PlatformRequest, ResourceClients, type RulesOption } from '../../../lib/index.js';
import { Prisma, type PrismaClient } from '../../support/generated/prisma/client.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

interface CallerRequest extends PlatformRequest {
  callerId?: number;
}

/** Sets the caller of a request, as the guard of an application does. */
class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    request.callerId = Number(request.headers['x-user-id'] ?? 0);
    return true;
  }
}

/** All callers read published posts, and write their own. */
const RULES: RulesOption = {
  'Post': {
    'read': ({ callerId = 0 }: CallerRequest) => ({ OR: [{ published: true }, { authorId: callerId }] }),
    '*': ({ callerId = 0 }: CallerRequest) => ({ authorId: callerId }),
  },
  'ApiToken': { read: ({ callerId = 0 }: CallerRequest) => ({ userId: callerId }) },
  '*': { read: true },
};

let singletons = 0;

@Controller('own')
@UseGuards(CallerGuard)
class OwnController {
  constructor(private readonly clients: ResourceClients) {
    singletons++;
  }

  @Get('of')
  async all(@Req() request: CallerRequest): Promise<{ count: number }> {
    return { count: await (await this.clients.of<PrismaClient>(request)).post.count() };
  }

  @Get('ruled')
  async ruled(@Req() request: CallerRequest): Promise<{ count: number }> {
    return { count: await (await this.clients.ruled<PrismaClient>(request)).post.count() };
  }

  @Post('publish')
  async publish(@Req() request: CallerRequest): Promise<{ count: number }> {
    const db = await this.clients.ruled<PrismaClient>(request);
    return db.post.updateMany({ data: { published: true } });
  }
}

@Controller('injected')
@UseGuards(CallerGuard)
class InjectedController {
  constructor(@InjectDataClient() private readonly db: PrismaClient) {}

  @Get()
  async list(): Promise<unknown> {
    const email = await this.db.post.findUniqueOrThrow({ where: { id: 1 } }).author();
    const [first, count] = await this.db.$transaction([this.db.post.findFirst({ orderBy: { id: 'asc' } }), this.db.post.count()]);
    const nested = await this.db.$transaction(async (open) => open.user.count());
    return { author: email.id, first: first?.id, count, nested };
  }
}

@Module({ controllers: [OwnController, InjectedController] })
class ApplicationModule {}

onPlatforms('ResourceClients and @InjectDataClient', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  const callers: (number | undefined)[] = [];
  beforeAll(async () => {
    database = await openTestDatabase();
    const getClient = ({ callerId }: CallerRequest): object => {
      callers.push(callerId);
      if (callerId === 99) throw new ForbiddenException('Not you.');
      return database.prisma;
    };
    app = await startTestApp({
      platform,
      options: { getClient, rules: RULES, guards: [CallerGuard], isGlobal: true },
      imports: [ApplicationModule],
    });
  });
  beforeEach(async () => {
    await database.reset();
    callers.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const get = async (path: string, caller: number): Promise<unknown> =>
    (await app.agent.get(path).set('X-User-Id', String(caller)).expect(200)).body as unknown;

  it('return the client of getClient, or the same under the rules, to singletons', async () => {
    const all = await database.prisma.post.count();
    const mine = await database.prisma.post.count({ where: { OR: [{ published: true }, { authorId: 2 }] } });
    expect(mine).toBeLessThan(all);
    const before = singletons;
    expect([await get('/own/of', 2), await get('/own/ruled', 2)]).toEqual([{ count: all }, { count: mine }]);
    expect(callers).toEqual([2, 2]);
    expect(singletons).toBe(before);
  });

  it('return a client under the rules that updates only rows that the rules allow', async () => {
    const own = await database.prisma.post.count({ where: { authorId: 2 } });
    const others = { where: { published: false, authorId: { not: 2 } } };
    const drafts = await database.prisma.post.count(others);
    const { body } = await app.agent.post('/own/publish').set('X-User-Id', '2').expect(201);
    expect(body).toEqual({ count: own });
    expect(await database.prisma.post.count(others)).toBe(drafts);
  });

  it('call getClient once per request, at the first use of the injected client, after the guards', async () => {
    const first = await database.prisma.post.findUniqueOrThrow({ where: { id: 1 } });
    const [count, nested] = [await database.prisma.post.count(), await database.prisma.user.count()];
    expect(await get('/injected', 3)).toEqual({ author: first.authorId, first: 1, count, nested });
    expect(callers).toEqual([3]);
  });

  it('throw the error of getClient where the injected client is used', async () => {
    const { body } = await app.agent.get('/injected').set('X-User-Id', '99').expect(403);
    expect(body).toMatchObject({ message: 'Not you.' });
  });
});

describe('a client bound by bindRules', () => {
  let database: TestDatabase;
  let db: PrismaClient;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await database.reset();
    db = bindRules(database.prisma, RULES, { callerId: 2 }, { schema: resourceSchema });
  });
  afterEach(() => database.reset());
  afterAll(() => database.close());

  const alien = (): Promise<{ id: number }> => database.prisma.post.findFirstOrThrow({ where: { authorId: { not: 2 }, published: true } });
  const draft = (): Promise<{ id: number }> => database.prisma.post.findFirstOrThrow({ where: { authorId: { not: 2 }, published: false } });

  it('reads only rows that the rules allow, including models and fields that the API hides', async () => {
    const { id } = await draft();
    expect(await db.post.findUnique({ where: { id } })).toBeNull();
    await expect(db.post.findUniqueOrThrow({ where: { id } })).rejects.toMatchObject({ code: 'P2025' });
    const own = await database.prisma.apiToken.count({ where: { userId: 2 } });
    expect(await db.apiToken.count()).toBe(own);
    expect(await db.user.findFirst({ where: { id: 2 }, select: { passwordHash: true } })).toEqual({ passwordHash: expect.any(String) });
  });

  it('returns the same results as Prisma', async () => {
    const args = {
      where: { authorId: 2, createdAt: { lt: new Date('2100-01-01') } },
      include: { tags: true, _count: { select: { comments: true } } },
      orderBy: { id: 'asc' },
    } as const;
    expect(await db.post.findMany(args)).toEqual(await database.prisma.post.findMany(args));
    const groups = (client: PrismaClient): Promise<unknown> =>
      client.post.groupBy({ by: ['authorId'], where: { authorId: 2 }, _count: true, orderBy: { authorId: 'asc' } });
    expect(await groups(db)).toEqual(await groups(database.prisma));
    expect(await db.post.create({ data: { title: 'x', authorId: 2, metadata: Prisma.DbNull } })).toMatchObject({
      title: 'x',
      metadata: null,
    });
  });

  it('rejects a forbidden write as forbidden, and rolls it back', async () => {
    const { id } = await alien();
    await expect(db.post.update({ where: { id }, data: { title: 'x' } })).rejects.toMatchObject({ problems: [{ code: 'forbidden' }] });
    await expect(db.post.create({ data: { title: 'x', authorId: 3 } })).rejects.toMatchObject({ problems: [{ code: 'forbidden' }] });
    expect(await database.prisma.post.count({ where: { title: 'x' } })).toBe(0);
  });

  it('has batches and interactive transactions, and executes an operation only when it is awaited or in a batch', async () => {
    const create = db.post.create({ data: { title: 'in an array', authorId: 2 } });
    expect(await database.prisma.post.count({ where: { title: 'in an array' } })).toBe(0);
    const [made, count] = await db.$transaction([create, db.post.count({ where: { title: 'in an array' } })]);
    expect([made.title, count]).toEqual(['in an array', 1]);
    const refused = db.$transaction([
      db.post.create({ data: { title: 'undone', authorId: 2 } }),
      db.post.create({ data: { title: 'undone', authorId: 3 } }),
    ]);
    await expect(refused).rejects.toMatchObject({ problems: [{ code: 'forbidden' }] });
    const whole = db.$transaction(async (open) => {
      await open.post.create({ data: { title: 'undone', authorId: 2 } });
      throw new Error('Never mind.');
    });
    await expect(whole).rejects.toThrow('Never mind.');
    expect(await database.prisma.post.count({ where: { title: 'undone' } })).toBe(0);
  });

  it('rolls back an interactive transaction in which a forbidden write was caught', async () => {
    const caught = db.$transaction(async (open) => {
      await open.post.create({ data: { title: 'caught', authorId: 3 } }).catch(() => undefined);
      return 'done';
    });
    await expect(caught).rejects.toMatchObject({ problems: [{ code: 'forbidden' }] });
    expect(await database.prisma.post.count({ where: { title: 'caught' } })).toBe(0);
  });

  it.each([
    ['an unknown field', () => db.post.findMany({ where: { titel: 'x' } } as object), /titel/],
    ['a value of another type', () => db.post.findMany({ where: { id: 'x' } } as object), /id/],
    ['a call of another client', () => db.$transaction([database.prisma.post.count()]), /calls of this client alone/],
  ])('throws a TypeError for %s', async (_, call, message) => {
    const error: unknown = await call().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(message);
  });

  it('has no methods for raw SQL', () => {
    expect(() => db.$queryRaw`SELECT 1`).toThrow('Rules cannot be kept on $queryRaw');
    expect(() => db.$extends({})).toThrow('Rules cannot be kept on $extends');
  });

  it('cannot be created with rules of unknown models, or from a client without $transaction', () => {
    expect(() => bindRules(database.prisma, { Pots: true }, {}, { schema: resourceSchema })).toThrow("rules names 'Pots'");
    expect(() => bindRules({ post: { update: () => undefined } }, RULES, {}, { schema: resourceSchema })).toThrow(/no \$transaction/);
  });
});
