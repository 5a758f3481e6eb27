import type { INestApplication, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { ResourceApiOptions, ResourcesOption, RulesOption } from 'nestjs-resource-api';
import type { Server } from 'node:net';
import supertest from 'supertest';
import { sample } from '../../support/sample.js';
import { long } from '../../support/long.js';
import { RestClient } from '../../support/rest-client.js';
import { adapterOf, type Platform } from '../../support/test-app.js';
import { serveBlog } from './blog-app.js';
import { FEWER_CALLERS } from './callers.js';
import type { PolicedBlog } from './policed-blog.js';
import { describeReads } from './read-suite.js';
import type { VisibleRows } from './visible-rows.js';
import { describeWrites, statuses } from './write-suite.js';

const SAMPLE = new URL('../../../sample/rules/src/', import.meta.url);

/** The exports of the sample, which is a separate package with its own type check. */
interface Sample {
  readonly AppModule: Type;
  readonly CallerGuard: Type;
  readonly rules: RulesOption;
  readonly resources: ResourcesOption;
  readonly resourceSchema: ResourceApiOptions['schema'];
  readonly prisma: {
    readonly $queryRawUnsafe: (sql: string) => Promise<never[]>;
    readonly $executeRawUnsafe: (sql: string) => Promise<number>;
  };
}

async function loadSample(): Promise<Sample> {
  const loaded: object[] = [];
  for (const file of ['app.module', 'caller.guard', 'rules', 'resources', 'generated/resource-schema', 'database']) {
    loaded.push((await import(new URL(`${file}.ts`, SAMPLE).pathname)) as object);
  }
  return Object.assign({}, ...loaded) as Sample;
}

/** The tables, referenced ones first. */
const TABLES = ['User', 'Profile', 'Post', 'Comment', 'Tag', '_PostToTag'];

sample.omitted.describe('the blog with row rules on SQLite (sample/rules)', () => {
  let loaded: Sample;
  let application: INestApplication;

  beforeAll(async () => {
    loaded = await loadSample();
    const module = await Test.createTestingModule({ imports: [loaded.AppModule] }).compile();
    application = module.createNestApplication(adapterOf('express'), { logger: false });
    await application.listen(0, '127.0.0.1');
    for (const table of TABLES) await loaded.prisma.$executeRawUnsafe(`CREATE TABLE "seed_${table}" AS SELECT * FROM "${table}"`);
  }, 60_000);
  afterAll(() => application.close());

  it('migrates and seeds its database, and enforces its rules', async () => {
    const agent = supertest.agent(application.getHttpServer() as Server);
    const rest = new RestClient({ agent, prefix: '/api/rest', strict: false, endpoint: 'http://localhost:3000/api/rest' });
    expect((await rest.get('/post?page[limit]=1')).document.meta?.['total']).toBe(35);
    expect((await rest.get('/post?page[limit]=1', { 'X-User-Id': '1' })).document.meta?.['total']).toBe(42);
    expect((await rest.get('/user/1')).one.attributes).not.toHaveProperty('passwordHash');
    expect((await rest.post('/user', { data: { type: 'user', attributes: { name: 'x', email: 'x' } } })).status).toBe(403);
  });

  describe('on Express', () => {
    describeBlog('express');
  });

  long.describe('on Fastify', () => {
    describeBlog('fastify');
  });

  function describeBlog(platform: Platform): void {
    describe('writes', () => {
      describeWrites(() => openBlog(platform), {
        // `resources` makes this side read-only. Under row-level security, the join table has a policy instead.
        'a post, put under a tag from the other side': {
          restStatuses: statuses(403, 403, 403, 403),
          rpcStatuses: statuses(400, 400, 400, 400),
        },
      });
    });

    describe('reads', () => {
      describeReads(() => openBlog(platform), 'refused', FEWER_CALLERS);
    });
  }

  async function openBlog(platform: Platform): Promise<PolicedBlog> {
    const { resourceSchema, CallerGuard, prisma, rules, resources } = loaded;
    const app = await serveBlog({ schema: resourceSchema, guards: [CallerGuard], getClient: () => prisma, rules, resources }, platform);
    const query = <Row>(sql: string): Promise<readonly Row[]> => prisma.$queryRawUnsafe(sql);
    return { app, dump: () => dump(query), reset: () => reset(loaded), visibleTo: (id) => readVisible(query, id), close: app.close };
  }
});

type Query = <Row>(sql: string) => Promise<readonly Row[]>;

async function dump(query: Query): Promise<string> {
  const rows: unknown[] = [];
  for (const table of TABLES) rows.push(await query(`SELECT * FROM "${table}" ORDER BY 1, 2`));
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

async function reset({ prisma }: Sample): Promise<void> {
  for (const table of TABLES.toReversed()) await prisma.$executeRawUnsafe(`DELETE FROM "${table}"`);
  for (const table of TABLES) await prisma.$executeRawUnsafe(`INSERT INTO "${table}" SELECT * FROM "seed_${table}"`);
}

/** Reads the rows that the rules make visible, with SQL on a database without policies. */
async function readVisible(query: Query, callerId = 0): Promise<VisibleRows> {
  const posts = callerId === ADMIN ? 'true' : `(p.published OR p."authorId" = ${callerId})`;
  const read = async <Row>(sql: string): Promise<readonly Row[]> => (await query<Row>(sql)).map(withNumbers);
  return {
    user: await read('SELECT id FROM "User" ORDER BY id'),
    profile: await read('SELECT id, "userId" FROM "Profile" ORDER BY id'),
    post: await read(`SELECT id, "authorId", published, title, "viewCount" FROM "Post" p WHERE ${posts} ORDER BY id`),
    comment: await read(
      `SELECT c.id, "postId", c."authorId" FROM "Comment" c JOIN "Post" p ON p.id = "postId" WHERE ${posts} ORDER BY c.id`,
    ),
    tag: await read('SELECT id FROM "Tag" ORDER BY id'),
    tagged: await read(
      `SELECT "A" AS "postId", "B" AS "tagId" FROM "_PostToTag" JOIN "Post" p ON p.id = "A" WHERE ${posts} ORDER BY "B", "A"`,
    ),
  };
}

const ADMIN = 1;

/** Converts keys to numbers, because the driver returns all integers as `bigint`. */
function withNumbers<Row>(row: Row): Row {
  const entries = Object.entries(row as object).map(([name, value]: readonly [string, unknown]) => [
    name,
    typeof value === 'bigint' && name !== 'viewCount' ? Number(value) : value,
  ]);
  return Object.fromEntries(entries) as Row;
}
