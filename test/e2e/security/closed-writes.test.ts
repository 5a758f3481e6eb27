import { call, row, send } from './support/attack.js';
import { describeAttacks } from './support/describe-attacks.js';
import { CLOSED_ACTIONS, CLOSED_PARTS } from './support/exposure.js';

const USER = { name: 'Mallory', email: 'mallory@example.com' };
const POST = { title: 'x', author: { connect: { id: 1 } } };

const createUser = (attributes: object) => ({
  method: 'POST' as const,
  path: '/user',
  body: { data: { type: 'user', attributes: { ...USER, ...attributes } } },
});
const updateUser = (attributes: object) => ({
  method: 'PATCH' as const,
  path: '/user/1',
  body: { data: { type: 'user', id: 1, attributes } },
});
const updateComment = (content: object) => ({
  method: 'PATCH' as const,
  path: '/comment/1',
  body: { data: { type: 'comment', id: 1, ...content } },
});

const assignments = row(
  9,
  [
    send('hidden field in a create', createUser({ passwordHash: 'x' })),
    send('read-only field in a create', createUser({ loginCount: 1 })),
    send('unknown field in a create', createUser({ isAdmin: true })),
    send('hidden field in an update', updateUser({ passwordHash: 'x' })),
    send('read-only field in an update', updateUser({ loginCount: 1 })),
    send('immutable field in an update', updateUser({ locale: 'fr' })),
    send('read-only field in an upsert', {
      method: 'POST',
      path: '/user',
      body: {
        data: { type: 'user', attributes: { ...USER, loginCount: 1 } },
        meta: { operation: 'upsert', matchFields: ['email'] },
      },
    }),
    send('closed foreign key through its scalar', updateComment({ attributes: { authorId: 2 } })),
    send('closed foreign key through its relation', updateComment({ relationships: { author: { data: { type: 'user', id: 2 } } } })),
    send('immutable key through its relation', {
      method: 'PATCH',
      path: '/order/1',
      body: { data: { type: 'order', id: 1, relationships: { customer: { data: { type: 'user', id: 2 } } } } },
    }),
    send(
      'closed foreign key at its relationship URL',
      { method: 'PATCH', path: '/comment/1/relationships/author', body: { data: null } },
      { status: 403 },
    ),
    send('closed foreign key at its related URL', { method: 'PATCH', path: '/comment/1/author', body: { data: null } }, { status: 403 }),
    send(
      'closed foreign key from its other side',
      { method: 'POST', path: '/user/1/relationships/comments', body: { data: [{ type: 'comment', id: 2 }] } },
      { status: 403 },
    ),
    send(
      'immutable key from its other side',
      { method: 'PATCH', path: '/user/1/relationships/orders', body: { data: [{ type: 'order', id: 3 }] } },
      { status: 403 },
    ),
    send('closed foreign key from its other side, in an update', {
      method: 'PATCH',
      path: '/user/1',
      body: { data: { type: 'user', id: 1, relationships: { comments: { data: [] } } } },
    }),
    call('hidden field in create', 'user/create', { data: { ...USER, passwordHash: 'x' } }),
    call('read-only field in create', 'user/create', { data: { ...USER, loginCount: 1 } }),
    call('read-only field in createMany', 'user/createMany', { data: [USER, { ...USER, loginCount: 1 }] }),
    call('read-only field in createManyAndReturn', 'user/createManyAndReturn', { data: { ...USER, loginCount: 1 } }),
    call('hidden field in update', 'user/update', { where: { id: 1 }, data: { passwordHash: { set: 'x' } } }),
    call('read-only number incremented', 'user/update', { where: { id: 1 }, data: { loginCount: { increment: 1 } } }),
    call('immutable field in update', 'user/update', { where: { id: 1 }, data: { locale: 'fr' } }),
    call('immutable field in updateMany', 'user/updateMany', { where: { id: 1 }, data: { locale: 'fr' } }),
    call('immutable field in updateManyAndReturn', 'user/updateManyAndReturn', { where: { id: 1 }, data: { locale: 'fr' } }),
    call('read-only field in the create of upsert', 'user/upsert', { where: { id: 9 }, create: { ...USER, loginCount: 1 }, update: {} }),
    call('immutable field in the update of upsert', 'user/upsert', { where: { id: 1 }, create: USER, update: { locale: 'fr' } }),
    call('read-only field in a nested create', 'post/create', { data: { title: 'x', author: { create: { ...USER, loginCount: 1 } } } }),
    call('read-only field in connectOrCreate', 'post/create', {
      data: { title: 'x', author: { connectOrCreate: { where: { id: 9 }, create: { ...USER, loginCount: 1 } } } },
    }),
    call('read-only field in a nested update', 'post/update', { where: { id: 1 }, data: { author: { update: { loginCount: 1 } } } }),
    call('read-only field in a nested upsert', 'post/update', {
      where: { id: 1 },
      data: { author: { upsert: { create: { ...USER, loginCount: 1 }, update: {} } } },
    }),
    call('immutable key in a nested update', 'user/update', {
      where: { id: 4 },
      data: { orders: { update: { where: { id: 1 }, data: { customerId: 1 } } } },
    }),
    call('closed key in a nested createMany', 'post/create', {
      data: { ...POST, comments: { createMany: { data: [{ body: 'x', authorId: 2 }] } } },
    }),
    call('closed foreign key through its scalar', 'comment/update', { where: { id: 1 }, data: { authorId: 2 } }),
    call('closed foreign key through its relation', 'comment/update', { where: { id: 1 }, data: { author: { connect: { id: 2 } } } }),
    call('closed foreign key cut off', 'comment/update', { where: { id: 1 }, data: { author: { disconnect: true } } }),
    call('closed foreign key from its other side', 'user/update', { where: { id: 1 }, data: { comments: { connect: { id: 2 } } } }),
    call('closed foreign key from its other side, by create', 'user/update', {
      where: { id: 1 },
      data: { comments: { create: { body: 'x', postId: 1 } } },
    }),
    call('immutable key from its other side', 'user/update', { where: { id: 1 }, data: { orders: { connect: { id: 3 } } } }),
    call('immutable key from its other side, by set', 'user/update', { where: { id: 1 }, data: { orders: { set: [{ id: 3 }] } } }),
    call('immutable key from its other side, by connectOrCreate', 'user/update', {
      where: { id: 1 },
      data: { orders: { connectOrCreate: { where: { id: 3 }, create: { number: 'x', address: {} } } } },
    }),
  ],
  { pointer: true },
);

const types = row(
  10,
  [
    send('to-one at its relationship URL', {
      method: 'PATCH',
      path: '/post/1/relationships/author',
      body: { data: { type: 'tag', id: 1 } },
    }),
    send('to-many at its relationship URL', {
      method: 'POST',
      path: '/post/1/relationships/tags',
      body: { data: [{ type: 'user', id: 1 }] },
    }),
    send('one wrong member of many', {
      method: 'PATCH',
      path: '/post/1/relationships/tags',
      body: {
        data: [
          { type: 'tag', id: 1 },
          { type: 'user', id: 1 },
        ],
      },
    }),
    send('removal', { method: 'DELETE', path: '/post/1/relationships/tags', body: { data: [{ type: 'user', id: 1 }] } }),
    send('update', {
      method: 'PATCH',
      path: '/post/1',
      body: { data: { type: 'post', id: 1, relationships: { tags: { data: [{ type: 'user', id: 1 }] } } } },
    }),
    send('create', {
      method: 'POST',
      path: '/comment',
      body: {
        data: { type: 'comment', attributes: { body: 'x' }, relationships: { post: { data: { type: 'comment', id: 1 } } } },
      },
    }),
    send('the resource itself', { method: 'PATCH', path: '/post/1', body: { data: { type: 'tag', id: 1, attributes: { name: 'x' } } } }),
  ],
  { status: 409 },
);

const actions = row(
  12,
  [
    send('delete', { method: 'DELETE', path: '/comment/1' }),
    send('update', { method: 'PATCH', path: '/tag/1', body: { data: { type: 'tag', id: 1, attributes: { name: 'x' } } } }),
    send('create', { method: 'POST', path: '/tag', body: { data: { type: 'tag', attributes: { name: 'x' } } } }),
    send('upsert', {
      method: 'POST',
      path: '/tag',
      body: { data: { type: 'tag', attributes: { name: 'nest' } }, meta: { operation: 'upsert', matchFields: ['name'] } },
    }),
    call('delete', 'comment/delete', { where: { id: 1 } }),
    call('deleteMany', 'comment/deleteMany', { where: {} }),
    call('update', 'tag/update', { where: { id: 1 }, data: { name: 'x' } }),
    call('upsert', 'tag/upsert', { where: { id: 1 }, create: { name: 'x' }, update: {} }),
    call('nested delete', 'post/update', { where: { id: 1 }, data: { comments: { delete: { id: 1 } } } }),
    call('nested deleteMany', 'post/update', { where: { id: 1 }, data: { comments: { deleteMany: {} } } }),
    call('nested deleteMany, two levels down', 'user/update', {
      where: { id: 1 },
      data: { posts: { update: { where: { id: 1 }, data: { comments: { deleteMany: { id: 1 } } } } } },
    }),
    call('nested delete of a to-one', 'user/update', { where: { id: 1 }, data: { profile: { delete: true } } }),
    call('nested update', 'post/update', { where: { id: 1 }, data: { tags: { update: { where: { id: 1 }, data: { name: 'x' } } } } }),
    call('nested updateMany', 'post/update', { where: { id: 1 }, data: { tags: { updateMany: { where: {}, data: { name: 'x' } } } } }),
    call('nested upsert', 'user/update', { where: { id: 1 }, data: { profile: { upsert: { create: {}, update: { bio: 'x' } } } } }),
    call('nested create', 'post/create', { data: { ...POST, tags: { create: { name: 'x' } } } }),
    call('nested connectOrCreate', 'post/create', {
      data: { ...POST, tags: { connectOrCreate: { where: { id: 1 }, create: { name: 'x' } } } },
    }),
    call('cutting off a to-one that holds the key', 'user/update', { where: { id: 1 }, data: { profile: { disconnect: true } } }),
    call('connecting a to-one that holds the key', 'user/update', { where: { id: 4 }, data: { profile: { connect: { id: 1 } } } }),
  ],
  { status: [400, 403] },
);

/** A link from the side without the foreign key changes the other record. */
const links = row(
  12,
  [
    send('linkage emptied', { method: 'PATCH', path: '/category/1/relationships/posts', body: { data: [] } }),
    send('member added', { method: 'POST', path: '/category/1/relationships/posts', body: { data: [{ type: 'post', id: 2 }] } }),
    send('member removed', { method: 'DELETE', path: '/category/1/relationships/posts', body: { data: [{ type: 'post', id: 1 }] } }),
    send('linkage in an update', {
      method: 'PATCH',
      path: '/category/1',
      body: { data: { type: 'category', id: 1, relationships: { posts: { data: [] } } } },
    }),
    send('linkage in a create', {
      method: 'POST',
      path: '/category',
      body: {
        data: {
          type: 'category',
          attributes: { slug: 'x', name: 'x' },
          relationships: { posts: { data: [{ type: 'post', id: 1 }] } },
        },
      },
    }),
    call('set: []', 'category/update', { where: { id: 1 }, data: { posts: { set: [] } } }),
    call('connect', 'category/update', { where: { id: 1 }, data: { posts: { connect: { id: 2 } } } }),
    call('connect in a create', 'category/create', { data: { slug: 'x', name: 'x', posts: { connect: { id: 2 } } } }),
    call('disconnect', 'category/update', { where: { id: 1 }, data: { posts: { disconnect: { id: 1 } } } }),
  ],
  { status: [400, 403] },
);

describeAttacks(
  'writes that `resources` forbids',
  { resources: CLOSED_PARTS },
  {
    attacks: [...assignments, ...types, ...actions],
    controls: [
      ...row(9, [
        send('an open field', updateUser({ name: 'x' })),
        call('an open foreign key', 'post/update', { where: { id: 1 }, data: { authorId: 2 } }),
      ]),
      ...row(10, [
        send('the right type', { method: 'POST', path: '/post/1/relationships/tags', body: { data: [{ type: 'tag', id: 3 }] } }),
      ]),
      ...row(12, [
        call('nested deleteMany of another model', 'category/update', { where: { id: 1 }, data: { children: { deleteMany: { id: 99 } } } }),
        call('linking over a join table', 'post/update', { where: { id: 1 }, data: { tags: { set: [] } } }),
      ]),
    ],
  },
);

describeAttacks(
  'links to records of read-only models',
  { resources: CLOSED_ACTIONS },
  {
    attacks: links,
    controls: row(12, [call('linking records that may be', 'category/update', { where: { id: 1 }, data: { children: { set: [] } } })]),
  },
);
