import { sample } from '../../support/sample.js';
import type { Caller } from './blog-app.js';
import { type CallerName, CALLERS } from './callers.js';
import type { PolicedBlog } from './policed-blog.js';

/** The HTTP status of the response to each caller. */
export type Statuses = Readonly<Record<CallerName, number>>;

interface WriteCase {
  readonly what: string;
  readonly rest: (caller: Caller) => PromiseLike<Answer>;
  readonly rpc: (caller: Caller) => PromiseLike<Answer>;
  readonly restStatuses: Statuses;
  readonly rpcStatuses: Statuses;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export const statuses = (anonymous: number, author: number, other: number, admin: number): Statuses => ({
  anonymous,
  author,
  other,
  admin,
});

/** Returns the update of a row in both styles. */
function updates(type: string, id: number, attributes: object): Pick<WriteCase, 'rest' | 'rpc'> {
  return {
    rest: ({ rest }) => rest('PATCH', `/${type}/${id}`, { data: { type, id, attributes } }),
    rpc: ({ rpc }) => rpc(`${type}/update`, { where: { id }, data: attributes }),
  };
}

function deletes(type: string, id: number): Pick<WriteCase, 'rest' | 'rpc'> {
  return {
    rest: ({ rest }) => rest('DELETE', `/${type}/${id}`),
    rpc: ({ rpc }) => rpc(`${type}/delete`, { where: { id } }),
  };
}

/** Returns the create of a row in both styles. `links` are relationships, e.g. `{ author: ['user', 2] }`, which RPC writes as foreign keys. */
function creates(
  type: string,
  attributes: object,
  links: Readonly<Record<string, readonly [string, number]>> = {},
): Pick<WriteCase, 'rest' | 'rpc'> {
  const entries = Object.entries(links);
  const relationships = Object.fromEntries(entries.map(([name, [target, id]]) => [name, { data: { type: target, id } }]));
  const keys = Object.fromEntries(entries.map(([name, [, id]]) => [`${name}Id`, id]));
  return {
    rest: ({ rest }) => rest('POST', `/${type}`, { data: { type, attributes, relationships } }),
    rpc: ({ rpc }) => rpc(`${type}/create`, { data: { ...attributes, ...keys } }),
  };
}

/**
 * The writes that each caller may make, under the blog's policies and under the same policies as row rules. User 2 has written posts 2 and 6, of which 6 is a
 * draft, and comment 1 on post 1. User 1 has written comment 6 on the draft.
 */
const CASES: readonly WriteCase[] = [
  write('an own post', updates('post', 2, { title: 'x' }), statuses(403, 200, 403, 403)),
  write('an own draft', updates('post', 6, { title: 'x' }), statuses(404, 200, 404, 403)),
  write('a post, to take it over', updates('post', 2, { authorId: 3 }), statuses(403, 403, 403, 403)),
  remove('a post', deletes('post', 2), statuses(403, 0, 403, 403)),
  remove('a draft', deletes('post', 6), statuses(404, 0, 404, 403)),
  write('a new post of user 2', creates('post', { title: 'x', slug: 'x' }, { author: ['user', 2] }), statuses(403, 201, 403, 403)),

  write('a comment', updates('comment', 1, { body: 'x' }), statuses(403, 200, 403, 403)),
  remove('a comment', deletes('comment', 1), statuses(403, 0, 403, 0)),
  remove('a comment on a draft', deletes('comment', 6), statuses(404, 403, 404, 0)),
  write(
    'a new comment of user 2',
    creates('comment', { body: 'x' }, { post: ['post', 1], author: ['user', 2] }),
    statuses(403, 201, 403, 403),
  ),
  // Both styles check that the row of a link or a foreign key is visible.
  write(
    'a new comment on a draft',
    creates('comment', { body: 'x' }, { post: ['post', 6], author: ['user', 2] }),
    statuses(404, 201, 404, 403),
  ),
  write(
    'a new comment on a draft, by foreign key',
    creates('comment', { body: 'x', postId: 6, authorId: 2 }),
    statuses(404, 201, 404, 403),
  ),

  write('a new tag', creates('tag', { name: 'x' }), statuses(403, 201, 201, 201)),
  write('a tag', updates('tag', 1, { name: 'x' }), statuses(403, 403, 403, 200)),
  remove('a tag', deletes('tag', 1), statuses(403, 403, 403, 0)),

  write('a user', updates('user', 2, { name: 'x' }), statuses(403, 200, 403, 200)),
  write("a user's role", updates('user', 2, { role: 'ADMIN' }), statuses(403, 403, 403, 200)),
  remove('a user', deletes('user', 6), statuses(403, 403, 403, 0)),

  write('a profile', updates('profile', 2, { bio: 'x' }), statuses(403, 200, 403, 403)),
  write('a profile, to give it away', updates('profile', 2, { userId: 5 }), statuses(403, 403, 403, 403)),
  remove('a profile', deletes('profile', 2), statuses(403, 0, 403, 403)),
  write('a new profile of user 5', creates('profile', { bio: 'x' }, { user: ['user', 5] }), statuses(403, 403, 403, 403)),

  {
    what: 'the tags of an own post',
    rest: ({ rest }) => rest('PATCH', '/post/2/relationships/tags', { data: [{ type: 'tag', id: 1 }] }),
    rpc: ({ rpc }) => rpc('post/update', { where: { id: 2 }, data: { tags: { set: [{ id: 1 }] } } }),
    restStatuses: statuses(403, 200, 403, 403),
    rpcStatuses: statuses(403, 200, 403, 403),
  },
  {
    what: 'a tag on a draft',
    rest: ({ rest }) => rest('POST', '/post/6/relationships/tags', { data: [{ type: 'tag', id: 2 }] }),
    rpc: ({ rpc }) => rpc('post/update', { where: { id: 6 }, data: { tags: { connect: [{ id: 2 }] } } }),
    restStatuses: statuses(404, 200, 404, 403),
    rpcStatuses: statuses(404, 200, 404, 403),
  },
  {
    what: 'a post, put under a tag from the other side',
    rest: ({ rest }) => rest('POST', '/tag/1/relationships/posts', { data: [{ type: 'post', id: 2 }] }),
    rpc: ({ rpc }) => rpc('tag/update', { where: { id: 1 }, data: { posts: { connect: { id: 2 } } } }),
    restStatuses: statuses(403, 200, 403, 403),
    rpcStatuses: statuses(403, 200, 403, 403),
  },
  {
    what: 'a post, taken by its new author',
    rest: ({ rest }) => rest('POST', '/user/3/relationships/posts', { data: [{ type: 'post', id: 2 }] }),
    rpc: ({ rpc }) => rpc('user/update', { where: { id: 3 }, data: { posts: { connect: { id: 2 } } } }),
    restStatuses: statuses(403, 403, 403, 403),
    rpcStatuses: statuses(403, 403, 403, 403),
  },
];

function write(what: string, requests: Pick<WriteCase, 'rest' | 'rpc'>, restStatuses: Statuses, rpcStatuses = restStatuses): WriteCase {
  return { what, ...requests, restStatuses, rpcStatuses };
}

/** In `expected`, 0 means success: 204 in REST, 200 in RPC. */
function remove(what: string, requests: Pick<WriteCase, 'rest' | 'rpc'>, expected: Statuses): WriteCase {
  const filled = (success: number): Statuses =>
    Object.fromEntries(Object.entries(expected).map(([name, status]) => [name, status === 0 ? success : status])) as unknown as Statuses;
  return write(`a delete of ${what}`, requests, filled(204), filled(200));
}

/** Nested writes of which at least one is forbidden to user 3. */
const ATTEMPTS_OF_USER_3: readonly (readonly [operation: string, args: unknown])[] = [
  ['user/update', { where: { id: 3 }, data: { posts: { create: { title: 'x', slug: 'x' } }, comments: { connect: { id: 1 } } } }],
  ['user/update', { where: { id: 2 }, data: { posts: { create: { title: 'x', slug: 'x' } } } }],
  ['user/update', { where: { id: 2 }, data: { posts: { updateMany: { where: {}, data: { title: 'x' } } } } }],
  ['user/update', { where: { id: 2 }, data: { profile: { upsert: { create: { bio: 'x' }, update: { bio: 'x' } } } } }],
  ['user/update', { where: { id: 2 }, data: { posts: { deleteMany: {} } } }],
  ['comment/update', { where: { id: 2 }, data: { post: { update: { title: 'x' } } } }],
  ['post/update', { where: { id: 3 }, data: { tags: { update: { where: { id: 1 }, data: { name: 'x' } } } } }],
  ['post/create', { data: { title: 'x', slug: 'x', authorId: 3, comments: { create: { body: 'x', authorId: 2 } } } }],
  [
    'post/update',
    {
      where: { id: 3 },
      data: { tags: { connectOrCreate: { where: { id: 90 }, create: { name: 'x' } } }, author: { connect: { id: 2 } } },
    },
  ],
];

/**
 * Describes the writes that the blog's policies allow to each caller, for each way to enforce them.
 *
 * @param differing other statuses, by the name of the case
 */
export function describeWrites(
  open: () => Promise<PolicedBlog>,
  differing: Readonly<Record<string, Pick<WriteCase, 'restStatuses' | 'rpcStatuses'>>> = {},
): void {
  let blog: PolicedBlog;
  let untouched: string;

  beforeAll(async () => {
    blog = await open();
    await blog.reset();
    untouched = await blog.dump();
  }, 60_000);
  afterAll(() => blog.close());

  const cases = CASES.map((testCase) => ({ ...testCase, ...differing[testCase.what] }));
  const rows = sample
    .inTurn(['REST', 'RPC'], sample.oneIn(2, cases))
    .map(([style, { what, rest, rpc, restStatuses, rpcStatuses }]) =>
      style === 'REST' ? { style, what, send: rest, expected: restStatuses } : { style, what, send: rpc, expected: rpcStatuses },
    );

  it.each(rows)('$style: $what', async ({ send, expected }) => {
    const found: Record<string, number> = {};
    for (const [name, id] of Object.entries(CALLERS)) {
      const answer = await send(blog.app.as(id));
      found[name] = answer.status;
      const changed = (await blog.dump()) !== untouched;
      expect([name, answer.text, changed]).toEqual([name, answer.text, answer.status < 400]);
      if (changed) await blog.reset();
    }
    expect(found).toEqual(expected);
  });

  it('rejects with 403 or 404 nested writes of rows that the caller may not write, and writes nothing', async () => {
    for (const [operation, args] of ATTEMPTS_OF_USER_3) {
      const answer = await blog.app.as(3).rpc(operation, args);
      expect([operation, answer.text, [403, 404].includes(answer.status)]).toEqual([operation, answer.text, true]);
      expect([operation, (await blog.dump()) === untouched]).toEqual([operation, true]);
    }
  });

  it('allows a reader to create comments, but no posts and no tags', async () => {
    const { rpc } = blog.app.as(5);
    expect((await rpc('post/create', { data: { title: 'x', slug: 'x', authorId: 5 } })).status).toBe(403);
    expect((await rpc('tag/create', { data: { name: 'x' } })).status).toBe(403);
    expect((await rpc('comment/create', { data: { body: 'x', postId: 1, authorId: 5 } })).status).toBe(201);
    await blog.reset();
  });

  it('answers with 401 if the user id is not a number', async () => {
    const answer = await blog.app.as(NaN).rpc('post/count');
    expect([answer.status, answer.error.message]).toEqual([401, 'X-User-Id must be the id of a user.']);
  });
}
