import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ResourceApiOptions, withSqlReads } from '../../../lib/index.js';
import { LogLines } from '../../support/log-lines.js';
import { resourceSchema } from '../../support/generated/keys/resource-schema.js';
import { sample } from '../../support/sample.js';
import { type KeysDatabase, openKeysDatabase } from '../../support/keys-database.js';
import { onPlatforms, ENDPOINT, startTestApp, type TestApp } from '../../support/test-app.js';

const log = new LogLines();

describe.each(['Prisma', 'SQL'])('an upsert by a key with only a partial unique index, by %s', (engine) => {
  let database: KeysDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openKeysDatabase();
    const client = engine === 'SQL' ? withSqlReads(database.prisma) : database.prisma;
    app = await startTestApp({ platform: 'fastify', options: { schema: resourceSchema, getClient: () => client } });
    Logger.overrideLogger(log);
  });
  afterAll(async () => {
    Logger.overrideLogger(false);
    await app.close();
    await database.close();
  });

  it.each([
    [
      'REST',
      () =>
        app.rest.post('/draft', {
          data: { type: 'draft', attributes: { slug: 's', title: 'x' } },
          meta: { operation: 'upsert', matchFields: ['slug'] },
        }),
    ],
    ['RPC', () => app.rpc.call('draft/upsert', { where: { slug: 's' }, create: { slug: 's', title: 'x' }, update: { title: 'x' } })],
  ])('is a 500 in %s, and is logged with cause and solution', async (_, send) => {
    log.clear();
    expect((await send()).status).toBe(500);
    expect(log.errors).toEqual([
      expect.stringMatching(/no unique constraint on the fields that an upsert matches by.* Create a unique index/),
    ]);
  });
});

type Options = Partial<Omit<ResourceApiOptions, 'rest'>>;
type Draft = Readonly<Record<string, unknown>> & { readonly id: number };

const SOFT_DELETE = { resources: { Draft: { softDelete: { field: 'deletedAt', show: 'admin' } } } } as const satisfies Options;

/** The readers of drafts. A partial key is unique only for the last one. */
const READERS: readonly (readonly [name: string, options: Options, isLiveOnly: boolean])[] = [
  ['everybody, without soft delete', {}, false],
  ['a caller who sees soft-deleted rows', { ...SOFT_DELETE, grants: { admin: () => true } }, false],
  ['a caller who sees live rows', { ...SOFT_DELETE, grants: { admin: () => false } }, true],
];

const SIZE = 2;

/** How one page after the other is read. Each returns the ids that it found. */
const WALKS: Readonly<Record<string, (app: TestApp, isDescending: boolean) => Promise<readonly number[]>>> = {
  'REST, cursor': (app, isDescending) => followLinks(app, `/draft?sort=${isDescending ? '-' : ''}slug&page[size]=${SIZE}`),
  'REST, offset': (app, isDescending) => followLinks(app, `/draft?sort=${isDescending ? '-' : ''}slug&page[limit]=${SIZE}`),
  'RPC, cursor': (app, isDescending) => callForPages(app, isDescending, (found) => ({ cursor: { id: found.at(-1)?.id }, skip: 1 })),
  'RPC, skip': (app, isDescending) => callForPages(app, isDescending, (found) => ({ skip: found.length })),
};

const MAX_PAGES = 12;

async function followLinks({ rest }: TestApp, first: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (let link: string | null | undefined = first, pages = 0; link && pages < MAX_PAGES; pages++) {
    const { ids, document } = await rest.get(link);
    found.push(...ids.map(Number));
    const next: string | null | undefined = document.links?.['next'];
    link = next?.slice(ENDPOINT.length);
  }
  return found;
}

async function callForPages(
  { rpc }: TestApp,
  isDescending: boolean,
  placeBehind: (found: readonly Draft[]) => object,
): Promise<readonly number[]> {
  const found: Draft[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const place = found.length === 0 ? {} : placeBehind(found);
    const { data } = await rpc.call('draft/findMany', { orderBy: { slug: isDescending ? 'desc' : 'asc' }, take: SIZE, ...place });
    const page = data as readonly Draft[];
    found.push(...page);
    if (page.length < SIZE) break;
  }
  return found.map(({ id }) => id);
}

onPlatforms('pages in the order of a key with only a partial unique index', (platform) => {
  let database: KeysDatabase;
  const apps = new Map<string, TestApp>();
  beforeAll(async () => {
    database = await openKeysDatabase();
    const clients = { Prisma: database.prisma, SQL: withSqlReads(database.prisma) };
    for (const [engine, client] of Object.entries(clients)) {
      for (const [reader, options] of READERS) {
        const app = await startTestApp({ platform, options: { schema: resourceSchema, getClient: () => client, ...options } });
        apps.set(`${engine}, ${reader}`, app);
      }
    }
    await database.prisma.draft.deleteMany();
    const slugs = ['b', 'a', 'b', 'c', 'b', 'a', 'b', 'c', 'b', 'b', 'a'];
    const live = new Set([4, 5, 7]);
    const rows = slugs.map((slug, index) => ({ id: (index * 7) % 11, slug, deletedAt: live.has(index) ? null : new Date(index) }));
    await database.prisma.draft.createMany({ data: rows });
  }, 60_000);
  afterAll(async () => {
    await Promise.all([...apps.values()].map((app) => app.close()));
    await database.close();
  });

  const cases = ['Prisma', 'SQL'].flatMap((engine) =>
    READERS.flatMap(([reader, , isLiveOnly]) => Object.keys(WALKS).map((walk) => ({ engine, reader, isLiveOnly, walk }))),
  );

  it.each(sample.oneIn(3, cases))(
    'CP-21: contain each row once: $walk, by $engine, for $reader',
    async ({ engine, reader, isLiveOnly, walk }) => {
      const where = isLiveOnly ? { deletedAt: null } : {};
      const app = apps.get(`${engine}, ${reader}`);
      if (!app) throw new Error('No such app.');
      for (const isDescending of [false, true]) {
        const orderBy = [{ slug: isDescending ? ('desc' as const) : ('asc' as const) }, { id: 'asc' as const }];
        const whole = await database.prisma.draft.findMany({ where, orderBy });
        expect(whole.length).toBe(isLiveOnly ? 3 : 11);
        expect(await WALKS[walk]?.(app, isDescending)).toEqual(whole.map(({ id }) => id));
      }
    },
  );

  it.each(['Prisma', 'SQL'])('start at the visible row of the cursor, by %s', async (engine) => {
    const app = apps.get(`${engine}, a caller who sees live rows`);
    const { status, data } = (await app?.rpc.call('draft/findMany', { cursor: { slug: 'b' }, orderBy: { slug: 'asc' }, take: 3 })) ?? {};
    expect([status, (data as readonly { slug: string }[]).map(({ slug }) => slug)]).toEqual([200, ['b', 'c']]);
  });
});
