import { request as httpRequest } from 'node:http';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import { COSTLY_LISTS, type ListRequest } from '../../support/costly-lists.js';
import { COSTLY_REQUESTS, type CostlyRequest, type Operation } from '../../support/costly-requests.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { expectIdle } from '../../support/expect-idle.js';
import { describeWhere } from '../../support/describe-where.js';
import { IS_LONG } from '../../support/long.js';
import { type Measured, type MeasuredServer, startMeasuredServer } from './support/measured-server.js';

const POSTS = 100_000;

/** So many rows that a read of a list for each row of another one would take hours. */
const ROWS = [
  `INSERT INTO "User" (email, name, "passwordHash", "updatedAt")
     SELECT 'reader' || i || '@example.com', 'Reader ' || i, 'x', now() FROM generate_series(1, 1000) i`,
  `INSERT INTO "Tag" (name) SELECT 'tag-' || i FROM generate_series(1, 50) i`,
  `INSERT INTO "Category" (slug, name) SELECT 'shelf-' || i, 'Shelf ' || i FROM generate_series(1, 50) i`,
  `INSERT INTO "Post" (title, content, "updatedAt", "authorId", "categoryId")
     SELECT 'Book ' || i, repeat('word' || i % 97 || ' ', 20), now(), users[1 + i % 1000], shelves[1 + i % 50]
     FROM generate_series(1, ${POSTS}) i,
       (SELECT array_agg(id) users FROM "User" WHERE name LIKE 'Reader %') u,
       (SELECT array_agg(id) shelves FROM "Category" WHERE slug LIKE 'shelf-%') c`,
  `INSERT INTO "Comment" (body, "postId", "authorId")
     SELECT 'Review ' || k, id, "authorId" FROM "Post", generate_series(1, 3) k WHERE title LIKE 'Book %'`,
  `INSERT INTO "_PostToTag" ("A", "B")
     SELECT post.id, tag.id FROM "Post" post, "Tag" tag WHERE title LIKE 'Book %' AND tag.name LIKE 'tag-%' AND (post.id + tag.id) % 25 = 0`,
  `INSERT INTO "User" (email, name, "passwordHash", "updatedAt") VALUES ('long@example.com', repeat('"ü', 250000), 'x', now())`,
  `INSERT INTO "Post" (title, "updatedAt", "authorId")
     SELECT 'Long ' || i, now(), id FROM "User", generate_series(1, 45) i WHERE email = 'long@example.com'`,
  ...['"Post" ("authorId")', '"Post" ("categoryId")', '"Comment" ("postId")', '"Comment" ("authorId")'].map(
    (on) => `CREATE INDEX ON ${on}`,
  ),
  'ANALYZE',
];

/** Rows of a megabyte each in a response. Other requests change them. */
const LONG_TEXTS = `UPDATE "Post" SET content = repeat('"ü', 250000) WHERE title LIKE 'Long %'`;

const LONG = { author: { email: 'long@example.com' } };

/** Responses of nearly `limits.maxResponseSize`, and one that would be twice as large. */
const LONG_ANSWERS: readonly (readonly [name: string, request: ListRequest])[] = [
  ['45 MB of texts, REST', { style: 'rest', model: 'Post', query: 'filter[author][email]=long@example.com&page[limit]=45' }],
  ['45 MB of texts, RPC', { style: 'rpc', model: 'Post', args: { where: LONG } }],
  [
    '90 MB of texts, of which half are the same one, RPC',
    { style: 'rpc', model: 'Post', args: { where: LONG, include: { author: true } } },
  ],
];

/** The allowed growth of memory during a request, in bytes. */
const ROOM = 200_000_000;

/** The longest allowed tick of the event loop, in milliseconds. */
const TICK = 1000;

interface Outcome {
  readonly status: number;
  /** Its beginning. */
  readonly body: string;
}

function measureRequest({ url, measure }: MeasuredServer, request: ListRequest | CostlyRequest): Promise<Measured<Outcome>> {
  const { path, body } = 'operations' in request ? batchOf(request.operations) : { path: pathOf(request), body: undefined };
  expect((body ?? path).length).toBeLessThan(8000);
  return measure(() => answerOf(url + path, body));
}

function batchOf(operations: readonly Operation[]): { readonly path: string; readonly body: string } {
  return { path: '/api/rpc/$transaction/sequential', body: JSON.stringify(operations) };
}

function pathOf(request: ListRequest | Extract<CostlyRequest, { readonly style: 'rest' }>): string {
  const name = request.model.toLowerCase();
  if ('relation' in request) return `/api/rest/${name}/1/${request.relation}?${request.query}`;
  if (request.style === 'rest') return `/api/rest/${name}?${request.query}`;
  return `/api/rpc/${name}/findMany?q=${encodeURIComponent(JSON.stringify(request.args))}`;
}

function answerOf(url: string, sent?: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const posted = sent === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const outgoing = httpRequest(url, { agent: false, ...posted }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body = (body + chunk.toString()).slice(0, 500)));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    outgoing.on('error', reject).end(sent);
  });
}

const URL_OF_SERVER = process.env['TEST_DATABASE_URL'] ?? '';

// Embedded PostgreSQL is in the process that opened it.
describeWhere(
  IS_LONG && URL_OF_SERVER !== '',
  'TEST_PROFILE=full, and a server in TEST_DATABASE_URL',
  'the most expensive requests that the limits let pass',
  () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await openTestDatabase();
      for (const statement of ROWS) await database.prisma.$executeRawUnsafe(statement);
    }, 120_000);
    afterAll(() => database.close());

    // These take minutes: each engine has one of the platforms.
    describe.each([
      ['by Prisma', 'express', false],
      ['in SQL', 'fastify', true],
    ] as const)('%s', (_, platform, isSql) => {
      describe(`over HTTP (${platform})`, () => {
        let server: MeasuredServer;

        beforeAll(async () => {
          await database.prisma.$executeRawUnsafe(LONG_TEXTS);
          server = await startMeasuredServer(platform, database.connectionString ?? '', isSql);
        });
        afterAll(() => server.stop());

        it.each([...LONG_ANSWERS, ...COSTLY_LISTS, ...COSTLY_REQUESTS])(
          'answers within the limits of time and memory, or with 400, 404 or 503 · %s',
          async (name, request) => {
            const { result, growth, longest } = await measureRequest(server, request);
            const { status, body } = result;
            if (process.env['COST_SHOW'])
              process.stdout.write(
                `${isSql ? 'SQL' : 'Prisma'} ${platform} ${status} ${growth >> 20} MB ${Math.round(longest)} ms · ${name}\n`,
              );
            // 400: the database returns more rows than allowed. 404: the record is missing. 503: `maxDuration`.
            expect([200, 400, 404, 503]).toContain(status);
            if (status === 400) expect(body).toMatch(/limits\.max(?:Take|ResponseSize)/);
            if (status === 503) expect(body).toContain('limits.maxDuration');
            expect(growth).toBeLessThan(ROOM);
            expect(longest).toBeLessThan(TICK);
          },
          60_000,
        );

        it('leaves the database idle, at the latest after the statement_timeout of the last request', async () => {
          // PostgreSQL cancels a statement this long after its start, which is later than the 503 of its request.
          await expectIdle(database, DEFAULT_LIMITS.maxDuration);
          expect((await answerOf(`${server.url}/api/rest/post/1`)).status).toBe(200);
        });
      });
    });
  },
);
