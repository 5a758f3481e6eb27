import { describeSurface } from '../../../lib/model/surface/describe-surface.js';
import type { ResourceModel } from '../../../lib/model/resource-model.js';
import { RESOURCE_MODEL } from '../../../lib/options/tokens.js';
import { RPC_OPERATIONS } from '../../../lib/rpc/protocol/rpc-operations.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { findLeaks } from '../../support/find-leaks.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { call, get, row, send } from './support/attack.js';
import { describeAttacks, expectNothingHidden } from './support/describe-attacks.js';
import { CLOSED_PARTS } from './support/exposure.js';
import { describeSecurity } from './support/security-suite.js';

const NEW_USER = { name: 'Mallory', email: 'mallory@example.com' };

/** Misspelled hidden names, for which no error may suggest the right one. */
const guesses = row(27, [
  get('a filter by almost a hidden field', '/user?filter[passwordHas]=x'),
  get('a sort by almost a hidden field', '/user?sort=recoverCode'),
  get('an include of almost a hidden relation', '/user?include=token'),
  get('a fieldset of almost a hidden field', '/user?fields[user]=passwordHas'),
  get('a fieldset of almost a hidden type', '/user?fields[apiTokens]=x'),
  get('almost a hidden type', '/apiTokens', { status: 404 }),
  get('almost a hidden relation', '/post/1/reviewe', { status: 404 }),
  send('an attribute of almost a hidden name', {
    method: 'PATCH',
    path: '/user/1',
    body: { data: { type: 'user', id: 1, attributes: { passwordHas: 'x' } } },
  }),
  send('a relationship of almost a hidden name', {
    method: 'PATCH',
    path: '/post/1',
    body: { data: { type: 'post', id: 1, relationships: { reviewe: { data: null } } } },
  }),
  call('almost a hidden model', 'apiTokens/findMany'),
  call('where by almost a hidden field', 'user/findMany', { where: { passwordHas: 'x' } }),
  call('orderBy almost a hidden field', 'user/findMany', { orderBy: { recoverCode: 'asc' } }),
  call('include of almost a hidden relation', 'user/findMany', { include: { token: true } }),
  call('select of almost a hidden field', 'user/findMany', { select: { passwordHas: true } }),
  call('omit of almost a hidden field', 'user/findMany', { omit: { passwordHas: true } }),
  call('by almost a hidden field', 'post/groupBy', { by: ['reviewerI'] }),
  call('data of almost a hidden field', 'user/create', { data: { ...NEW_USER, passwordHas: 'x' } }),
  call('a nested write to almost a hidden relation', 'user/update', { where: { id: 1 }, data: { token: { deleteMany: {} } } }),
  call('a unique key that is almost a hidden one', 'user/findUnique', { where: { recoverCode: 'x' } }),
  call('a count of almost a hidden relation', 'user/findMany', { include: { _count: { select: { reviewedPost: true } } } }),
]);

describeAttacks(
  'misspelled hidden names',
  { resources: CLOSED_PARTS },
  { attacks: guesses, controls: row(27, [get('an exposed field', '/user?filter[name]=x')]) },
);

describeSecurity('responses without hidden values', { resources: CLOSED_PARTS }, (suite) => {
  it.each([
    '/user',
    '/user/1',
    '/user?include=posts.comments,profile,orders',
    '/post/1/author',
    '/post/1?include=author.posts.comments',
    '/post/1/relationships/author?include=author',
    '/category/1/posts?include=author',
  ])('4. return no hidden value by default · GET %s', async (path) => {
    const { status, text } = await suite.app.rest.get(path);
    expect(status).toBe(200);
    expectNothingHidden(text, '');
    expect(text).not.toContain('"pin"');
  });

  it.each([
    ['findMany', {}],
    ['findFirst', {}],
    ['findFirstOrThrow', { where: { id: 1 } }],
    ['findUnique', { where: { id: 1 } }],
    ['findUniqueOrThrow', { where: { id: 1 } }],
    ['findMany', { include: { posts: { include: { author: true } }, _count: true } }],
    ['findMany', { select: { posts: { select: { author: true } } } }],
    ['findMany', { omit: { name: true } }],
    ['findMany', { omit: {} }],
    ['findMany', { include: {} }],
    ['findMany', { omit: null, include: null, select: null }],
    ['update', { where: { id: 1 }, data: { name: 'Ada' } }],
    ['update', { where: { id: 1 }, data: { pin: '0000' } }],
    ['update', { where: { id: 1 }, data: { name: 'Ada' }, include: { posts: { include: { author: true } } } }],
    ['updateMany', { where: {}, data: { name: 'Ada' } }],
    ['updateManyAndReturn', { where: {}, data: { name: 'Ada' } }],
    ['delete', { where: { id: 5 } }],
    ['count', {}],
    ['aggregate', { _count: true, _max: { name: true } }],
    ['groupBy', { by: ['role'], _count: { _all: true } }],
  ] as const)('4. return no hidden value by default · user/%s %j', async (operation, args) => {
    const answers = [
      await suite.app.rpc.call(`user/${operation}`, args),
      await suite.database.reset().then(() => suite.app.rpc.sequential([{ model: 'user', op: operation, args }])),
    ];
    for (const { status, text } of answers) {
      // A user with posts cannot be deleted. That error must not contain hidden values either.
      expect(operation === 'delete' || status === 200).toBe(true);
      expectNothingHidden(text, '');
      expect(text).not.toContain('"pin"');
    }
  });

  it('4. are tested for every operation that returns records', () => {
    const withRecords = Object.values(RPC_OPERATIONS).filter(({ result }) => result.startsWith('row'));
    // Creates of users would need a value for the hidden field. The next test has those of comments.
    expect(withRecords.map(({ name }) => name).sort()).toEqual([
      'create',
      'createManyAndReturn',
      'delete',
      'findFirst',
      'findFirstOrThrow',
      'findMany',
      'findUnique',
      'findUniqueOrThrow',
      'update',
      'updateManyAndReturn',
      'upsert',
    ]);
  });

  it('4. return no hidden value of relations of a created record', async () => {
    const { app } = suite;
    const created = [
      await app.rpc.call('comment/upsert', {
        where: { id: 99 },
        create: { body: 'x', postId: 1 },
        update: {},
        include: { post: { include: { author: true } } },
      }),
      await app.rpc.call('comment/create', { data: { body: 'x', postId: 1 }, include: { post: { include: { author: true } } } }),
      await app.rpc.call('comment/createManyAndReturn', { data: [{ body: 'x', postId: 1 }], include: { post: true } }),
      await app.rest.post('/comment?include=post.author', {
        data: { type: 'comment', attributes: { body: 'x' }, relationships: { post: { data: { type: 'post', id: 1 } } } },
      }),
    ];
    for (const { status, text } of created) {
      expect([200, 201]).toContain(status);
      expectNothingHidden(text, '');
    }
  });

  it.each([
    [
      'a duplicate unique value',
      { method: 'PATCH', path: '/user/1', body: { data: { type: 'user', id: 1, attributes: { email: 'grace@example.com' } } } },
      ['user/update', { where: { id: 1 }, data: { email: 'grace@example.com' } }],
    ],
    ['a record that is still referenced', { method: 'DELETE', path: '/user/1' }, ['user/delete', { where: { id: 1 } }]],
    [
      'a required value that no caller may write',
      { method: 'POST', path: '/user', body: { data: { type: 'user', attributes: NEW_USER } } },
      ['user/create', { data: NEW_USER }],
    ],
    [
      'a reference to a missing record',
      {
        method: 'POST',
        path: '/comment',
        body: { data: { type: 'comment', attributes: { body: 'x', postId: 999 } } },
      },
      ['comment/create', { data: { body: 'x', postId: 999 } }],
    ],
    [
      'a value that does not fit its column',
      { method: 'POST', path: '/country', body: { data: { type: 'country', id: 'XYZ', attributes: { name: 'x' } } } },
      ['country/create', { data: { code: 'XYZ', name: 'x' } }],
    ],
    [
      'a missing record',
      { method: 'PATCH', path: '/user/999', body: { data: { type: 'user', id: 999, attributes: { name: 'x' } } } },
      ['user/update', { where: { id: 999 }, data: { name: 'x' } }],
    ],
  ] as const)(
    '6. name no constraint, column, SQL or value of another row in the error for %s',
    async (name, { method, path, ...rest }, [operation, args]) => {
      const { app } = suite;
      const [model = '', op = ''] = operation.split('/');
      const answers = [
        await app.rest.request(method, path, rest),
        await app.rpc.call(operation, args),
        await app.rpc.sequential([{ model, op, args }]),
      ];
      for (const { status, text } of answers) {
        // The application must set such a value itself, so that its absence is a fault of the server.
        const kind = name === 'a required value that no caller may write' ? 5 : 4;
        expect([Math.floor(status / 100), text]).toEqual([kind, text]);
        expectNothingHidden(text, '');
        expect(findLeaks(text)).toEqual([]);
        // Names no constraint, no value of another row, and has no message of the database.
        expect(text).not.toMatch(/_(?:key|fkey|pkey)\b|duplicate|relation \\?"|column|grace|null value|violates/i);
      }
    },
  );

  it('6. are the same for a duplicate unique value of any other record', async () => {
    const collide = async (email: string) => (await suite.app.rpc.call('user/update', { where: { id: 1 }, data: { email } })).text;
    expect(await collide('grace@example.com')).toBe(await collide('alan@example.com'));
  });

  it('27. leave hidden names out of the boot log', () => {
    expect(suite.bootLog).toContainEqual(expect.stringMatching(/^\/api\/rest, \/api\/rpc: User is open to /));
    expectNothingHidden(suite.bootLog.join('\n'), '');
  });

  it('27. leave hidden models, fields and relations out of the description of the surface', () => {
    const model = suite.app.nest.get<ResourceModel>(RESOURCE_MODEL, { strict: false });
    expectNothingHidden(JSON.stringify(describeSurface(model)), '');
  });
});

onPlatforms("an API with resources: { '*': 'hidden' }", (platform) => {
  let app: TestApp;
  let database: TestDatabase;
  const lines: string[] = [];
  const logger = { log: keep, error: keep, warn: keep, debug: keep };

  function keep(...parts: readonly unknown[]): void {
    lines.push(parts.map(String).join(' '));
  }

  beforeAll(async () => {
    database = await openTestDatabase();
    const resources = { '*': 'hidden', 'Tag': { actions: ['read'] } } as const;
    app = await startTestApp({ platform, database, logger, options: { resources } });
  });

  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('28. exposes only the models that the option names', async () => {
    expect((await app.rest.get('/tag')).status).toBe(200);
    for (const type of ['user', 'post', 'apiToken', 'order', 'orderLine', 'specimen']) {
      expect((await app.rest.get(`/${type}`)).status).toBe(404);
      expect((await app.rpc.call(`${type}/findMany`)).status).toBe(400);
      expect((await app.rpc.sequential([{ model: type, op: 'findMany' }])).status).toBe(400);
    }
    expect((await app.rest.get('/tag/1/posts')).status).toBe(404);
    expect((await app.rest.get('/tag?include=posts')).status).toBe(400);
    expect((await app.rpc.call('tag/findMany', { include: { posts: true } })).status).toBe(400);
    expect((await app.rpc.call('tag/update', { where: { id: 1 }, data: { posts: { deleteMany: {} } } })).status).toBe(403);
  });

  it('28. logs the exposed models at boot', () => {
    expect(lines.filter((line) => line.includes(' is open to '))).toEqual([
      expect.stringMatching(/^\/api\/rest, \/api\/rpc: Tag is open to read as tag: id, name \(/),
    ]);
  });

  it('27. logs no hidden name at boot', () => {
    expect(lines.join('\n')).not.toMatch(/\b(?:user|apiToken|passwordHash)\b/i);
  });
});
