import { withRowLevelSecurity } from '../../../lib/row-level-security/with-row-level-security.js';
import { sample } from '../../support/sample.js';
import type { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';
import { type BlogDatabase, openBlogDatabase } from './blog-database.js';
import { ENGINES } from './engines.js';

type Hook = (operation: { readonly query: (args: unknown, internals?: unknown) => unknown }) => unknown;
interface Extension {
  readonly query?: Readonly<Record<string, Hook>>;
}

interface Extendable {
  readonly $extends: (extension: Extension) => Extendable;
}

/** Returns a Prisma client whose query hooks ignore the second argument, and so the transaction that it names. */
function disobedient(prisma: Extendable): PrismaClient {
  const extend = ({ query = {}, ...others }: Extension): unknown => {
    const deaf = Object.entries(query).map(([name, hook]) => {
      const heard: Hook = (operation) => hook({ ...operation, query: (args) => operation.query(args) });
      return [name, heard] as const;
    });
    return disobedient(prisma.$extends({ ...others, query: Object.fromEntries(deaf) }));
  };
  // The test reads only members of Prisma itself.
  return new Proxy(prisma as unknown as PrismaClient, {
    get: (target, name): unknown => (name === '$extends' ? extend : Reflect.get(target, name)),
    has: (target, name) => Reflect.has(target, name),
  });
}

sample.omitted.describe.each(ENGINES)(
  'withRowLevelSecurity on a Prisma client that ignores the transaction of an operation, on %s',
  (engine) => {
    let database: BlogDatabase;
    let client: Pick<PrismaClient, 'post' | '$transaction'>;

    beforeAll(async () => {
      database = await openBlogDatabase(engine);
      // The type of `$extends` of a generated client depends on the extension.
      client = withRowLevelSecurity(disobedient(database.prisma as unknown as Extendable), {
        role: 'blog_app',
        settings: { 'app.user_id': 2 },
      });
    }, 60_000);
    beforeEach(() => {
      database.statements.clear();
    });
    afterAll(() => database.close());

    const calls: readonly (readonly [what: string, run: () => Promise<unknown>])[] = [
      ['operation', () => client.post.findMany()],
      ['operation again', () => client.post.findMany()],
      ['batch', () => client.$transaction([client.post.findMany()])],
    ];

    // Each waits five seconds for Prisma.
    it.each(calls)('does not execute %s of a bound client', async (_, run) => {
      await expect(run()).rejects.toThrow('outside of the transaction that withRowLevelSecurity puts them into');
      expect(database.statements.all.filter((sql) => sql.includes('"Post"'))).toEqual([]);
    });

    it('executes an interactive transaction, which needs no second argument', async () => {
      const drafts = { where: { published: false }, select: { authorId: true } } as const;
      const found = await client.$transaction((transaction) => transaction.post.findMany(drafts));
      expect(new Set(found.map(({ authorId }) => authorId))).toEqual(new Set([2]));
    });
  },
);
