import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { type Caller, callerOf } from './rules-suite.js';
import { RULES } from './rules.js';

interface Answer {
  readonly status: number;
}
type Send = (caller: Caller, id: number) => Promise<Answer>;

const rpc =
  (operation: string, args: (id: number) => object): Send =>
  (caller, id) =>
    caller.rpc(operation, args(id));

const title = { title: 'x' };
const comment = { body: 'x', authorId: 1 };

const REQUESTS: readonly (readonly [what: string, send: Send])[] = [
  ['GET', (caller, id) => caller.rest('GET', `/post/${id}`)],
  ['GET of a relationship', (caller, id) => caller.rest('GET', `/post/${id}/relationships/comments`)],
  ['GET of what is related', (caller, id) => caller.rest('GET', `/post/${id}/author`)],
  ['PATCH', (caller, id) => caller.rest('PATCH', `/post/${id}`, { data: { type: 'post', id, attributes: title } })],
  ['DELETE', (caller, id) => caller.rest('DELETE', `/post/${id}`)],
  [
    'POST to a relationship of it',
    (caller, id) => caller.rest('POST', `/post/${id}/relationships/tags`, { data: [{ type: 'tag', id: 1 }] }),
  ],
  ['POST to a relationship', (caller, id) => caller.rest('POST', '/user/1/relationships/posts', { data: [{ type: 'post', id }] })],
  ['a filter', (caller, id) => caller.rest('GET', `/post?filter[id]=${id}`)],
  ['findUnique', rpc('post/findUnique', (id) => ({ where: { id } }))],
  ['findUniqueOrThrow', rpc('post/findUniqueOrThrow', (id) => ({ where: { id } }))],
  ['a cursor', rpc('post/findMany', (id) => ({ cursor: { id }, orderBy: { id: 'asc' } }))],
  ['update', rpc('post/update', (id) => ({ where: { id }, data: title }))],
  ['update with a nested write', rpc('post/update', (id) => ({ where: { id }, data: { comments: { create: comment } } }))],
  ['update with a nested delete of many', rpc('post/update', (id) => ({ where: { id }, data: { comments: { deleteMany: {} } } }))],
  ['upsert', rpc('post/upsert', (id) => ({ where: { id }, update: title, create: { ...title, authorId: 2 } }))],
  ['delete', rpc('post/delete', (id) => ({ where: { id } }))],
  ['delete with relations', rpc('post/delete', (id) => ({ where: { id }, include: { author: true } }))],
  ['updateMany', rpc('post/updateMany', (id) => ({ where: { id }, data: title }))],
  ['deleteMany', rpc('post/deleteMany', (id) => ({ where: { id } }))],
  ['connect', rpc('comment/create', (id) => ({ data: { body: 'x', author: { connect: { id: 1 } }, post: { connect: { id } } } }))],
  ['a foreign key', rpc('comment/create', (id) => ({ data: { ...comment, postId: id } }))],
  ['connect in an update', rpc('comment/update', (id) => ({ where: { id: 1 }, data: { post: { connect: { id } } } }))],
  ['connect from the other side', rpc('user/update', (id) => ({ where: { id: 1 }, data: { posts: { connect: { id } } } }))],
  ['set', rpc('user/update', (id) => ({ where: { id: 1 }, data: { posts: { set: [{ id }] } } }))],
  ['a nested update', rpc('user/update', (id) => ({ where: { id: 1 }, data: { posts: { update: { where: { id }, data: title } } } }))],
  ['a nested delete', rpc('user/update', (id) => ({ where: { id: 1 }, data: { posts: { delete: { id } } } }))],
  [
    'a batch',
    (caller, id) =>
      caller.batch([
        { model: 'post', op: 'count' },
        { model: 'post', op: 'update', args: { where: { id }, data: title } },
      ]),
  ],
];

/** Post 3 is a draft of user 3, and post 99 does not exist. User 1 can distinguish them neither by responses nor by their duration. */
describe('an unreadable row', () => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database, options: { rules: RULES } });
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each(REQUESTS)('causes the same response and the same statements as a missing one: %s', async (_, send) => {
    const found: (readonly [answer: string, statements: readonly string[]])[] = [];
    for (const id of [3, 99]) {
      database.statements.clear();
      const answer = await send(callerOf(app, 1), id);
      found.push([JSON.stringify(answer).replaceAll(/\b(?:3|99)\b/g, 'n'), [...database.statements.all]]);
    }
    expect(found[0]).toEqual(found[1]);
    expect(found[0]?.[1]).not.toEqual([]);
  });
});
