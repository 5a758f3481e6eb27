import fc from 'fast-check';
import { withRowLevelSecurity, withSqlReads } from '../../../lib/index.js';
import { AppSuite, withOptions } from '../../support/app-suite.js';
import { onDatabases, THIS_DATABASE } from '../../support/databases/this-database.js';
import { sample } from '../../support/sample.js';
import type { RestResponse } from '../../support/rest-client.js';
import { day } from '../../support/seed.js';
import { onPlatforms, ENDPOINT } from '../../support/test-app.js';

/** The sort keys: fields with ties and nulls, and paths over relations that may be null. */
const KEYS: readonly string[] = [
  'title',
  'content',
  'published',
  'publishedAt',
  'viewCount',
  // SQLite stores decimals as binary numbers, which cannot be in cursors.
  ...(THIS_DATABASE === 'sqlite' ? [] : ['rating']),
  'author.name',
  'reviewer.name',
  'reviewer',
  'category.parent.name',
  'author.profile.bio',
  'id',
];

interface PostValues {
  readonly title: string;
  readonly content: string | null;
  readonly published: boolean;
  readonly publishedAt: Date | null;
  readonly viewCount: number;
  readonly rating: string | null;
  readonly authorId: number;
  readonly reviewerId: number | null;
  readonly categoryId: number | null;
}

const POST = fc.record<PostValues>({
  title: fc.constantFrom('a', 'b', 'B', 'ä', ''),
  content: fc.option(fc.constantFrom('x', 'y')),
  published: fc.boolean(),
  publishedAt: fc.option(fc.constantFrom(day(1), new Date(day(1).getTime() + 1), day(2))),
  viewCount: fc.constantFrom(0, 1, 2),
  rating: fc.option(fc.constantFrom('0.5', '1', '4.99')),
  authorId: fc.integer({ min: 1, max: 5 }),
  reviewerId: fc.option(fc.integer({ min: 1, max: 3 })),
  categoryId: fc.option(fc.integer({ min: 1, max: 4 })),
});

const WALK = fc.record({
  keys: fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), fc.boolean()), { minLength: 1, maxLength: 3, selector: ([key]) => key }),
  size: fc.integer({ min: 1, max: 5 }),
  isForward: fc.boolean(),
  posts: fc.array(POST, { minLength: 4, maxLength: 14 }),
  /** The row that is inserted, and the one that is deleted, between two pages. */
  changes: fc.array(fc.record({ inserted: POST, removed: fc.nat() }), { maxLength: 12 }),
  /** One of so many posts may be deleted. */
  every: fc.integer({ min: 2, max: 4 }),
});

type Walk = typeof WALK extends fc.Arbitrary<infer Value> ? Value : never;

const pathOf = (url: string): string => url.slice(ENDPOINT.length);

onPlatforms('following the links of cursor pages', (platform) => {
  const suite = new AppSuite(platform, withOptions, undefined);

  const insert = async (posts: readonly PostValues[]): Promise<readonly number[]> => {
    const ids: number[] = [];
    for (const data of posts) ids.push((await suite.database.prisma.post.create({ data, select: { id: true } })).id);
    return ids;
  };

  /** Follows the links of all pages, and calls `between` after each. */
  async function walk(first: string, isForward: boolean, between: () => Promise<void>, { rest } = suite.app): Promise<readonly number[]> {
    const found: number[] = [];
    for (let link: string | null | undefined = first, pages = 0; link; pages += 1) {
      if (pages > 100) throw new Error('The walk does not end.');
      const page: RestResponse = await rest.get(link);
      const ids = page.ids.map(Number);
      if (isForward) found.push(...ids);
      else found.unshift(...ids);
      const next: string | null | undefined = page.document.links?.[isForward ? 'next' : 'prev'];
      link = next && pathOf(next);
      await between();
    }
    return found;
  }

  async function check({ keys, size, isForward, posts, changes, every }: Walk): Promise<void> {
    await suite.database.prisma.comment.deleteMany();
    await suite.database.prisma.post.deleteMany();
    const ids = await insert(posts);
    const staying = new Set(ids.filter((_, index) => index % every !== 0));
    const goers = ids.filter((id) => !staying.has(id));
    const sort = keys.map(([key, isAscending]) => (isAscending ? key : `-${key}`)).join(',');
    const byOffset = await suite.app.rest.get(`/post?sort=${sort}&page[limit]=100&fields[post]=title`);
    const query = `/post?sort=${sort}&page[size]=${size}&fields[post]=title`;
    const start = isForward ? query : pathOf((await suite.app.rest.get(query)).document.links?.['last'] ?? '');
    const rest = [...changes];
    const found = await walk(start, isForward, async () => {
      const change = rest.shift();
      if (!change) return;
      goers.push(...(await insert([change.inserted])));
      const [gone] = goers.splice(change.removed % goers.length, 1);
      await suite.database.prisma.post.delete({ where: { id: gone ?? 0 } });
    });
    expect(found.filter((id) => staying.has(id))).toEqual(byOffset.ids.map(Number).filter((id) => staying.has(id)));
    expect(new Set(found).size).toBe(found.length);
  }

  it('CP-01, CP-21, CP-22, CP-23, CP-26, CP-30: returns every remaining row once, in the order of pages by offset, while others are inserted and deleted', async () => {
    await fc.assert(fc.asyncProperty(WALK, check), { numRuns: sample.choose(3, 40) });
  }, 600_000);

  onDatabases('postgresql').it(
    'CP-20, CP-30: returns the rows that row-level security makes visible, also sorted by paths over hidden rows',
    async () => {
      const { prisma } = suite.database;
      await prisma.comment.deleteMany();
      await prisma.post.deleteMany();
      await insert(fc.sample(POST, { numRuns: 12, seed: 1 }));
      for (const table of ['User', 'Post']) await prisma.$executeRawUnsafe(`ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY`);
      await prisma.$executeRawUnsafe('CREATE POLICY visible ON "User" USING (id < 3)');
      await prisma.$executeRawUnsafe('CREATE POLICY visible ON "Post" USING ("viewCount" > 0)');
      for (const client of [prisma, withSqlReads(prisma)]) {
        const policed = await suite.start({
          getClient: () => withRowLevelSecurity(client, { role: 'pg_read_all_data', settings: {} }),
        });
        for (const sort of ['author.name', '-author.name', '-author.profile.bio', 'reviewer.name,-content', '-published']) {
          const query = `/post?sort=${sort}&fields[post]=title`;
          const whole = (await policed.rest.get(`${query}&page[limit]=100`)).ids;
          expect(whole.length).toBeGreaterThan(3);
          const last = pathOf((await policed.rest.get(`${query}&page[size]=2`)).document.links?.['last'] ?? '');
          expect([sort, await walk(`${query}&page[size]=2`, true, nothing, policed)]).toEqual([sort, whole]);
          expect([sort, await walk(last, false, nothing, policed)]).toEqual([sort, whole]);
        }
      }
    },
    120_000,
  );
});

const nothing = (): Promise<void> => Promise.resolve();
