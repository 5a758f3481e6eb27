import { type BlogApp, startBlogApp } from './blog-app.js';
import { type BlogDatabase, openBlogDatabase } from './blog-database.js';
import { onDatabases } from '../../support/databases/this-database.js';

const USERS = 10;
const REQUESTS = 200;
const AT_ONCE = 32;

/** The outcome of a request. A third of all requests fails or is aborted. */
type Fate = 'answered' | 'refused' | 'aborted';
const FATES: readonly Fate[] = ['answered', 'aborted', 'answered', 'answered', 'refused', 'answered'];

interface Outcome {
  readonly callerId: number;
  readonly fate: Fate;
  /** Undefined if the request was aborted before its response. */
  readonly answer?: { readonly status: number; readonly text: string };
}

onDatabases('postgresql-server').describe('concurrent callers on a pool of 4 connections', () => {
  let database: BlogDatabase;
  let app: BlogApp;

  beforeAll(async () => {
    database = await openBlogDatabase('PostgreSQL', 4);
    await giveEveryoneDrafts();
    app = await startBlogApp(database.prisma);
  }, 60_000);
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('receive only rows that they may read, while other requests are rejected or aborted', async () => {
    const before = await database.dump();
    const outcomes: Outcome[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < REQUESTS; index = next++) outcomes.push(await send(index));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));

    const answered = outcomes.filter(({ fate }) => fate === 'answered');
    expect(answered.map(({ callerId, answer }) => [callerId, answer?.status, secretsIn(answer?.text)])).toEqual(
      answered.map(({ callerId }) => [callerId, 200, [secretOf(callerId)]]),
    );
    const refused = outcomes.filter(({ fate }) => fate === 'refused');
    expect(new Set(refused.map(({ answer }) => answer?.status))).toEqual(new Set([403, 404]));
    const aborted = outcomes.filter(({ fate }) => fate === 'aborted');
    for (const { callerId, answer } of [...refused, ...aborted]) {
      expect(secretsIn(answer?.text).filter((secret) => secret !== secretOf(callerId))).toEqual([]);
    }
    expect([answered.length + refused.length + aborted.length, aborted.some(({ answer }) => answer === undefined)]).toEqual([
      REQUESTS,
      true,
    ]);
    expect(await database.dump()).toBe(before);
  }, 60_000);

  it('leave role and settings of every pooled connection reset', async () => {
    const sessions = Array.from(
      { length: 16 },
      () =>
        database.prisma
          .$queryRaw`SELECT current_user::text AS role, NULLIF(current_setting('app.user_id', true), '') AS id, pg_sleep(0.02)::text`,
    );
    expect(new Set((await Promise.all(sessions)).map((rows) => JSON.stringify(rows)))).toEqual(
      new Set([JSON.stringify([{ role: 'postgres', id: null, pg_sleep: '' }])]),
    );
  });

  async function send(index: number): Promise<Outcome> {
    const callerId = ((index * 7) % USERS) + 1;
    const fate = FATES[index % FATES.length] ?? 'answered';
    const { path, init } = fate === 'refused' ? refusedRequest(index, callerId) : readRequest(index);
    const abort = new AbortController();
    const timer =
      fate === 'aborted'
        ? setTimeout(() => {
            abort.abort();
          }, index % 9)
        : undefined;
    try {
      const headers = { ...init.headers, 'X-User-Id': String(callerId) };
      const response = await fetch(`${app.url}${path}`, { ...init, headers, signal: abort.signal });
      return { callerId, fate, answer: { status: response.status, text: await response.text() } };
    } catch (error) {
      if (abort.signal.aborted) return { callerId, fate };
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Creates ten users, each with drafts whose titles no other user may read. */
  async function giveEveryoneDrafts(): Promise<void> {
    const { prisma } = database;
    await prisma.post.deleteMany({ where: { published: false } });
    for (let id = 1; id <= USERS; id++) {
      const user = { email: `${id}@x`, name: `User ${id}`, role: 'AUTHOR', passwordHash: 'x' } as const;
      await prisma.user.upsert({ where: { id }, create: { id, ...user }, update: user });
      await prisma.post.create({ data: { id: 1000 + id, title: secretOf(id), slug: `secret-${id}`, authorId: id } });
      await prisma.comment.create({ data: { body: secretOf(id), postId: 1000 + id, authorId: id } });
    }
  }
});

interface Request {
  readonly path: string;
  readonly init: { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };
}

/** Returns a read, in REST or RPC, of the drafts that the caller may read, with related rows. */
function readRequest(index: number): Request {
  const query = { include: { posts: { where: { published: false }, include: { comments: true } } } };
  const path = isRest(index)
    ? '/api/rest/post?filter[published]=false&include=author,comments'
    : `/api/rpc/user/findMany?q=${encodeURIComponent(JSON.stringify(query))}`;
  return { path, init: {} };
}

/** Returns a forbidden write: in REST, of the author of a published post (403); in RPC, of the draft of another user (404). */
function refusedRequest(index: number, callerId: number): Request {
  const [path, type, body] = isRest(index)
    ? ['/api/rest/post/1', 'application/vnd.api+json', { data: { type: 'post', id: 1, attributes: { authorId: (callerId % USERS) + 1 } } }]
    : ['/api/rpc/post/update', 'application/json', { where: { id: 1001 + (callerId % USERS) }, data: { title: 'Mine' } }];
  return { path, init: { method: 'PATCH', headers: { 'Content-Type': type }, body: JSON.stringify(body) } };
}

function isRest(index: number): boolean {
  return Math.floor(index / FATES.length) % 2 === 0;
}

function secretOf(userId: number): string {
  return `secret of user ${userId}.`;
}

function secretsIn(text = ''): readonly string[] {
  return [...new Set(text.match(/secret of user \d+\./g))];
}
