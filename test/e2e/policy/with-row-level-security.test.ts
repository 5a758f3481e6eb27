import type { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';
import { type RowLevelSecurityClient, withRowLevelSecurity } from '../../../lib/row-level-security/with-row-level-security.js';
import { type BlogDatabase, openBlogDatabase } from './blog-database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { ENGINES } from './engines.js';

const DRAFTS = { where: { published: false } };
/** Of user 2 there are four drafts, posts 6, 18, 30 and 42; of user 4 three. */
const DRAFTS_OF = { 2: 4, 4: 3 } as const;

type BoundClient = Omit<PrismaClient, '$on'>;

/** An extension that executes every operation twice, like one that retries, and returns both results. */
const REPEATING = {
  query: {
    $allModels: {
      $allOperations: async ({ args, query }: { args: unknown; query: (args: never) => Promise<unknown> }) => {
        // The type of the arguments differs by operation.
        const first = await query(args as never).catch(() => undefined);
        return [first, await query(args as never).catch(() => undefined)];
      },
    },
  },
};

const bindTo = <Client extends RowLevelSecurityClient>(id: number, prisma: Client) =>
  withRowLevelSecurity(prisma, { role: 'blog_app', settings: { 'app.user_id': id } });

/** Returns the client of a caller, with the types that an application would use. */
function clientOf(prisma: PrismaClient, userId?: number): BoundClient {
  return withRowLevelSecurity(prisma, { role: 'blog_app', settings: { 'app.user_id': userId } });
}

const whoAmI = (client: Pick<PrismaClient, '$queryRaw'>): PromiseLike<unknown> =>
  client.$queryRaw`SELECT current_user::text AS role, NULLIF(current_setting('app.user_id', true), '') AS id`;

const BINDING = 'SELECT set_config($1, $2, true), set_config($3, $4, true)';

describe.each(ENGINES)('withRowLevelSecurity on %s', (engine) => {
  let database: BlogDatabase;
  let prisma: PrismaClient;

  // With one connection, each operation runs with the settings that the previous one has left on it.
  beforeAll(async () => {
    database = await openBlogDatabase(engine, 1);
    ({ prisma } = database);
    // The first operation checks that the client can be bound.
    await clientOf(prisma).post.count();
  }, 60_000);
  beforeEach(() => {
    database.statements.clear();
  });
  afterEach(async () => {
    expect(await whoAmI(prisma)).toEqual([{ role: 'postgres', id: null }]);
  });
  afterAll(() => database.close());

  it('binds every kind of operation to the caller', async () => {
    const client = clientOf(prisma, 2);
    expect(await client.post.count(DRAFTS)).toBe(DRAFTS_OF[2]);
    expect(await client.post.findMany({ ...DRAFTS, select: { authorId: true } })).toEqual(Array(DRAFTS_OF[2]).fill({ authorId: 2 }));
    expect(await client.post.findUnique({ where: { id: 6 } }).author()).toMatchObject({ id: 2 });
    expect(await client.post.findUnique({ where: { id: 12 } })).toBeNull();
    expect(await client.post.groupBy({ by: ['authorId'], ...DRAFTS, _count: true })).toEqual([{ authorId: 2, _count: DRAFTS_OF[2] }]);
    expect(await client.tag.findMany({ select: { posts: { ...DRAFTS, select: { authorId: true } } } })).not.toContainEqual({
      posts: expect.arrayContaining([{ authorId: 4 }]),
    });
    expect(await whoAmI(client)).toEqual([{ role: 'blog_app', id: '2' }]);
    expect(await client.$queryRawUnsafe('SELECT count(*)::int FROM "Post" WHERE NOT published')).toEqual([{ count: DRAFTS_OF[2] }]);
    expect(await client.$executeRaw`UPDATE "Comment" SET body = body WHERE false`).toBe(0);
  });

  it('returns only public rows to an anonymous caller', async () => {
    expect(await clientOf(prisma).post.count(DRAFTS)).toBe(0);
    expect(await clientOf(prisma).post.count()).toBe(35);
  });

  it('adds only BEGIN, the settings and COMMIT to a single operation', async () => {
    await clientOf(prisma, 2).post.findMany(DRAFTS);
    expect(database.statements.all).toEqual(['BEGIN', BINDING, expect.stringMatching(/^SELECT "public"."Post"/), 'COMMIT']);
  });

  it('adds one statement to a batch, in the same transaction', async () => {
    const client = clientOf(prisma, 2);
    expect(await client.$transaction([client.post.count(DRAFTS), client.post.count()])).toEqual([DRAFTS_OF[2], 39]);
    expect(database.statements.all).toEqual(['BEGIN', BINDING, expect.anything(), expect.anything(), 'COMMIT']);
  });

  it('adds one statement to an interactive transaction, in the same transaction', async () => {
    const counts = await clientOf(prisma, 2).$transaction(async (transaction) => {
      return [await transaction.post.count(DRAFTS), await transaction.post.count(), await whoAmI(transaction)];
    });
    expect(counts).toEqual([DRAFTS_OF[2], 39, [{ role: 'blog_app', id: '2' }]]);
    expect(database.statements.all).toEqual(['BEGIN', BINDING, expect.anything(), expect.anything(), expect.anything(), 'COMMIT']);
  });

  it('reads the role from a getter of a class, and the settings at the time of the binding', async () => {
    const settings = { 'app.user_id': 2 };
    class Caller {
      readonly settings = settings;
      readonly #role = 'blog_app';
      get role(): string {
        return this.#role;
      }
    }
    const client = withRowLevelSecurity(prisma, new Caller());
    settings['app.user_id'] = 4;
    expect(await client.$transaction([client.post.count(DRAFTS)], { timeout: 5000 })).toEqual([DRAFTS_OF[2]]);
  });

  it('runs an empty batch without a statement', async () => {
    expect(await clientOf(prisma, 2).$transaction([])).toEqual([]);
    expect(database.statements.all).toEqual([]);
  });

  it('rolls back a whole batch if a policy rejects one operation', async () => {
    const client = clientOf(prisma, 2);
    const before = await database.dump();
    const mine = client.post.update({ where: { id: 2 }, data: { title: 'Mine' } });
    const theirs = client.post.update({ where: { id: 3 }, data: { title: 'Not mine' } });
    await expect(client.$transaction([mine, theirs])).rejects.toThrow('42501');
    expect(await database.dump()).toBe(before);
    expect(await client.$transaction([client.post.count()])).toEqual([39]);
  });

  it('rolls back an interactive transaction whose callback throws', async () => {
    const before = await database.dump();
    const work = clientOf(prisma, 2).$transaction(async (transaction) => {
      await transaction.post.update({ where: { id: 2 }, data: { title: 'Mine' } });
      throw new Error('Changed my mind.');
    });
    await expect(work).rejects.toThrow('Changed my mind.');
    expect(await database.dump()).toBe(before);
  });

  it('leaves no settings on the connection after a timeout', async () => {
    const work = clientOf(prisma, 2).$transaction(
      async (transaction) => {
        await transaction.post.count();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return transaction.post.count();
      },
      { timeout: 100 },
    );
    await expect(work).rejects.toMatchObject({ code: 'P2028' });
  });

  it('returns to each of 24 concurrent callers only the rows of that caller', async () => {
    const users = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? 2 : 4));
    const drafts = await Promise.all(users.map((id) => clientOf(prisma, id).post.findMany({ ...DRAFTS, select: { authorId: true } })));
    expect(drafts).toEqual(users.map((authorId) => Array(DRAFTS_OF[authorId]).fill({ authorId })));
  });

  it('stays bound and runs extensions that are added before and after it, also in transactions', async () => {
    const seen: string[] = [];
    const noting = (name: string) => ({
      query: {
        $allModels: {
          $allOperations: ({ args, query, operation }: { args: unknown; query: (args: never) => Promise<unknown>; operation: string }) => {
            seen.push(`${name} ${operation}`);
            // The type of the arguments differs by operation.
            return query(args as never);
          },
        },
      },
    });
    const before = prisma.$extends(noting('before'));
    const client = withRowLevelSecurity(before, { role: 'blog_app', settings: { 'app.user_id': 2 } }).$extends(noting('after'));
    expect(await client.post.count(DRAFTS)).toBe(DRAFTS_OF[2]);
    expect(await client.$transaction((transaction) => transaction.post.count(DRAFTS))).toBe(DRAFTS_OF[2]);
    expect(await client.$transaction([client.post.count(DRAFTS)])).toEqual([DRAFTS_OF[2]]);
    expect(seen).toEqual(Array.from({ length: 3 }, () => ['before count', 'after count']).flat());
  });

  it.each(['before', 'after'])('binds operations that an extension repeats, if the extension is added %s it', async (order) => {
    const client = order === 'before' ? bindTo(2, prisma.$extends(REPEATING)) : bindTo(2, prisma).$extends(REPEATING);
    const twice = [DRAFTS_OF[2], DRAFTS_OF[2]];
    expect(await client.post.count(DRAFTS)).toEqual(twice);
    expect(await client.$transaction([client.post.count(DRAFTS)])).toEqual([twice]);
    expect(await client.$transaction((transaction) => transaction.post.count(DRAFTS))).toEqual(twice);
    const before = await database.dump();
    await client.comment.create({ data: { body: 'not mine', postId: 2, authorId: 3 } });
    expect(await database.dump()).toBe(before);
  });

  it("rejects an operation in another client's batch, where another caller would be bound", async () => {
    const [mine, yours] = [clientOf(prisma, 2), clientOf(prisma, 4)];
    await expect(prisma.$transaction([mine.post.count()])).rejects.toThrow('$transaction([…]) of another client');
    await expect(yours.$transaction([mine.post.count()])).rejects.toThrow('$transaction([…]) of another client');
  });

  it('throws a ConfigurationError if the role does not exist', async () => {
    const client = withRowLevelSecurity(prisma, { role: 'no_such_role' });
    const error = expect.objectContaining({ name: 'ConfigurationError' });
    await expect(client.post.count()).rejects.toEqual(error);
    await expect(client.$transaction([client.post.count()])).rejects.toEqual(error);
    await expect(client.$transaction((transaction) => transaction.post.count())).rejects.toEqual(error);
  });

  it('escapes the text of a setting', async () => {
    const client = withRowLevelSecurity(prisma, { role: 'blog_app', settings: { 'app.name': "', true); RESET ROLE; --" } });
    expect(await client.$queryRaw`SELECT current_user::text AS role, current_setting('app.name') AS name`).toEqual([
      { role: 'blog_app', name: "', true); RESET ROLE; --" },
    ]);
  });

  it('returns a client with the types of the original one', async () => {
    const client = clientOf(prisma, 2);
    const post: PrismaClient['post'] = client.post;
    const [first] = await post.findMany({ where: { id: 6 }, select: { title: true, author: { select: { name: true } } } });
    const title: string | undefined = first?.title;
    // @ts-expect-error there is no such field
    const nothing: unknown = first?.titel;
    expect([typeof title, nothing]).toEqual(['string', undefined]);
    // @ts-expect-error an extended client has none
    expect(client.$on).toBeUndefined();
  });
});

onDatabases('postgresql-server').describe('withRowLevelSecurity on a pool', () => {
  it('binds nested transactions, and the outer one after a nested one was rolled back', async () => {
    const database = await openBlogDatabase('PostgreSQL', 1);
    try {
      const drafts = await clientOf(database.prisma, 2).$transaction(async (transaction) => {
        const failed = transaction.$transaction(async (nested) => {
          await nested.post.count();
          throw new Error('Undo.');
        });
        await expect(failed).rejects.toThrow('Undo.');
        return [await transaction.$transaction((nested) => nested.post.count(DRAFTS)), await transaction.post.count(DRAFTS)];
      });
      expect(drafts).toEqual([DRAFTS_OF[2], DRAFTS_OF[2]]);
    } finally {
      await database.close();
    }
  });

  it('binds concurrent transactions that share an options object each to its own caller', async () => {
    const database = await openBlogDatabase('PostgreSQL', 2);
    const options = { maxWait: 5000 };
    try {
      const second = await clientOf(database.prisma, 2).$transaction(async (transaction) => {
        await transaction.$transaction((nested) => nested.post.count(), options);
        const fourth = await clientOf(database.prisma, 4).$transaction((own) => own.post.count(DRAFTS), options);
        expect(fourth).toBe(DRAFTS_OF[4]);
        return transaction.post.count(DRAFTS);
      });
      expect(second).toBe(DRAFTS_OF[2]);
      expect(options).toEqual({ maxWait: 5000 });
    } finally {
      await database.close();
    }
  });
});
