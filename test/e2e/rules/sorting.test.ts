import fc from 'fast-check';
import { Pool } from 'pg';
import { defineRules, withSqlReads } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { IS_LONG } from '../../support/long.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const RUNS = Number(process.env['RANDOM_RULES'] ?? (IS_LONG ? 500 : 25));

interface Limits {
  readonly user: number;
  readonly post: number;
  readonly comment: number;
}

/** The greatest readable ids. */
let limits: Limits = { user: 3, post: 8, comment: 20 };

const RULES = defineRules<PrismaClient>()({
  'User': { read: () => ({ id: { lte: limits.user } }) },
  // The rule uses a relation, so that SQL adds joins for it.
  'Post': { read: () => ({ id: { lte: limits.post }, author: { id: { gte: 0 } } }) },
  'Comment': { read: () => ({ id: { lte: limits.comment } }) },
  '*': { read: true },
});

const SORTS: Readonly<Record<string, readonly string[]>> = {
  post: ['author.name', '-author.name', 'reviewer.email', '-comments.$count', 'author.comments.$count', 'tags.$count', 'category.name'],
  comment: ['author.name', 'post.title', '-post.author.name', 'post.comments.$count', '-post.reviewer.name'],
  user: ['posts.$count', '-comments.$count', 'profile.bio'],
};

const ORDERS: Readonly<Record<string, readonly object[]>> = {
  post: [{ author: { name: 'asc' } }, { comments: { _count: 'desc' } }, { reviewer: { posts: { _count: 'asc' } } }],
  comment: [{ post: { author: { name: 'desc' } } }, { author: { comments: { _count: 'asc' } } }],
  user: [{ posts: { _count: 'asc' } }, { comments: { _count: 'desc' } }],
};

const NESTED = [
  { include: { posts: { orderBy: [{ reviewer: { name: 'asc' } }, { id: 'asc' }], take: 2 } } },
  { include: { posts: { orderBy: [{ comments: { _count: 'desc' } }, { id: 'asc' }] } } },
];

const reads: fc.Arbitrary<string> = fc.oneof(
  fc
    .constantFrom('post', 'comment', 'user')
    .chain((type) =>
      fc
        .tuple(
          fc.uniqueArray(fc.constantFrom(...(SORTS[type] ?? [])), { minLength: 1, maxLength: 2, selector: (key) => key.replace('-', '') }),
          fc.constantFrom('', '&page[limit]=3', '&include=author'),
        )
        .map(
          ([keys, more]) => `rest/${type}?sort=${keys.join(',')}${type === 'user' && more.includes('include') ? '&include=posts' : more}`,
        ),
    ),
  fc
    .constantFrom('post', 'comment', 'user')
    .chain((type) => fc.constantFrom(...(ORDERS[type] ?? [])).map((order) => rpc(`${type}/findMany`, { orderBy: [order, { id: 'asc' }] }))),
  fc.constantFrom(...NESTED).map((args) => rpc('user/findMany', { ...args, orderBy: { id: 'asc' } })),
);

function rpc(operation: string, args: object): string {
  return `rpc/${operation}?q=${encodeURIComponent(JSON.stringify(args))}`;
}

const given: fc.Arbitrary<Limits> = fc.record({
  user: fc.integer({ min: 1, max: 5 }),
  post: fc.integer({ min: 2, max: 11 }),
  comment: fc.nat(25),
});

onDatabases('postgresql').describe('sorting by rows of which some are unreadable, in SQL', () => {
  onPlatforms('on', (platform) => {
    let database: TestDatabase;
    let pool: Pool | undefined;
    let app: TestApp;

    beforeAll(async () => {
      database = await openTestDatabase();
      const { prisma, connectionString } = database;
      pool = connectionString === undefined ? undefined : new Pool({ connectionString, max: 2 });
      const client = withSqlReads(prisma, pool ? { pool } : {});
      app = await startTestApp({ platform, options: { rules: RULES, getClient: () => client, rest: { pageSize: 100, export: true } } });
    }, 60_000);
    afterEach(() => database.reset());
    afterAll(async () => {
      await app.close();
      await pool?.end();
      await database.close();
    });

    const textOf = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
      const response = await fetch(`${app.url}/api/${path}`, { headers });
      const text = await response.text();
      expect({ path, status: response.status, text: response.status === 200 ? '' : text }).toEqual({ path, status: 200, text: '' });
      return text;
    };

    /** Changes all values of hidden rows, except keys. */
    async function changeHidden({ user, post, comment }: Limits): Promise<void> {
      const { prisma } = database;
      await prisma.$executeRaw`UPDATE "User" SET name = md5(name), email = md5(email) WHERE id > ${user}`;
      await prisma.$executeRaw`UPDATE "Post" SET title = md5(title), "reviewerId" = NULL WHERE id > ${post}`;
      await prisma.$executeRaw`DELETE FROM "Comment" WHERE id > ${comment}`;
      await prisma.$executeRaw`INSERT INTO "Post" (id, title, "authorId", "updatedAt") VALUES (1000, 'new', 1, now()), (1001, 'new', 2, now())`;
      await prisma.$executeRaw`INSERT INTO "Comment" (id, body, "postId", "authorId") VALUES (1000, 'new', 1, 1), (1001, 'new', 2, 1)`;
    }

    it('returns the same order for two databases that differ only in unreadable rows', async () => {
      const property = fc.asyncProperty(given, reads, async (run, path) => {
        limits = run;
        const before = await textOf(path);
        await changeHidden(run);
        const after = await textOf(path);
        await database.reset();
        expect(after).toBe(before);
      });
      await fc.assert(property, { numRuns: RUNS });
    }, 600_000);

    it('returns the same order in cursor pages and in exports', async () => {
      const sort = fc.constantFrom(
        'post?sort=author.name',
        'post?sort=-author.name,title',
        'comment?sort=-post.author.name',
        'post?sort=-reviewer.email',
      );
      const property = fc.asyncProperty(given, sort, async (run, path) => {
        limits = run;
        const idsOf = (text: string): readonly unknown[] => (JSON.parse(text) as { data: { id: unknown }[] }).data.map(({ id }) => id);
        const whole = idsOf(await textOf(`rest/${path}`));
        const paged: unknown[] = [];
        let next: string | null = `rest/${path}&page[size]=2`;
        while (next !== null) {
          const text = await textOf(next);
          paged.push(...idsOf(text));
          const { links } = JSON.parse(text) as { links: { next?: string | null } };
          next = links.next ? links.next.slice(links.next.indexOf('rest/')) : null;
        }
        expect(paged).toEqual(whole);
        const lines = (await textOf(`rest/${path}`, { Accept: 'application/x-ndjson' })).trim().split('\n');
        const exported = lines.map((line) => JSON.parse(line) as { id?: unknown }).flatMap(({ id }) => (id === undefined ? [] : [id]));
        expect(exported).toEqual(whole);
      });
      await fc.assert(property, { numRuns: Math.ceil(RUNS / 2) });
    }, 600_000);
  });
});
