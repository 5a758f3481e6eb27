import { call, get, row, send } from './support/attack.js';
import { describeAttacks } from './support/describe-attacks.js';
import { CLOSED_ACTIONS, CLOSED_PARTS } from './support/exposure.js';

/** A hidden relation causes the same error as an unknown one, at every place with the name of a relation. */
const hidden = row(7, [
  get('related URL', '/post/2/reviewer', { status: 404 }),
  get('related URL of a hidden model', '/user/1/tokens', { status: 404 }),
  get('relationship URL', '/post/2/relationships/reviewer', { status: 404 }),
  get('relationship URL of a to-many', '/user/1/relationships/reviewedPosts', { status: 404 }),
  get('include', '/post?include=reviewer'),
  get('include further down', '/comment?include=post.reviewer'),
  get('include of a hidden model', '/post?include=author.tokens'),
  get('filter by linkage', '/post?filter[reviewer]=1'),
  get('filter by presence', '/post?filter[reviewer$null]=false'),
  get('filter by presence of a to-many', '/user?filter[tokens$isEmpty]=true'),
  get('filter hop', '/post?filter[reviewer][name]=Ada'),
  get('filter by the key', '/post?filter[reviewerId]=1'),
  get('sort hop', '/post?sort=reviewer.name'),
  get('sort by the key', '/post?sort=reviewerId'),
  get('sort by number', '/user?sort=reviewedPosts.$count'),
  get('fields', '/post?fields[post]=reviewer'),
  get('fields of the key', '/post?fields[post]=reviewerId'),
  send('create', {
    method: 'POST',
    path: '/post',
    body: {
      data: {
        type: 'post',
        attributes: { title: 'x' },
        relationships: { author: { data: { type: 'user', id: 1 } }, reviewer: { data: { type: 'user', id: 1 } } },
      },
    },
  }),
  send('update', {
    method: 'PATCH',
    path: '/post/2',
    body: { data: { type: 'post', id: 2, relationships: { reviewer: { data: null } } } },
  }),
  send('update of the key', {
    method: 'PATCH',
    path: '/post/2',
    body: { data: { type: 'post', id: 2, attributes: { reviewerId: null } } },
  }),
  send(
    'replacing linkage',
    { method: 'PATCH', path: '/post/2/relationships/reviewer', body: { data: { type: 'user', id: 1 } } },
    { status: 404 },
  ),
  send('replacing at the related URL', { method: 'PATCH', path: '/post/2/reviewer', body: { data: null } }, { status: 404 }),
  send(
    'adding members',
    { method: 'POST', path: '/user/1/relationships/tokens', body: { data: [{ type: 'apiToken', id: 2 }] } },
    { status: 404 },
  ),
  send('removing members', { method: 'DELETE', path: '/user/1/relationships/reviewedPosts', body: { data: [] } }, { status: 404 }),
  call('where', 'post/findMany', { where: { reviewer: { name: 'Ada' } } }),
  call('where some', 'user/findMany', { where: { tokens: { some: { secret: { startsWith: 's' } } } } }),
  call('where none', 'user/findMany', { where: { reviewedPosts: { none: {} } } }),
  call('where null', 'post/findMany', { where: { reviewer: null } }),
  call('where on the key', 'post/findMany', { where: { reviewerId: 1 } }),
  call('orderBy', 'post/findMany', { orderBy: { reviewer: { name: 'asc' } } }),
  call('orderBy the key', 'post/findMany', { orderBy: { reviewerId: 'asc' } }),
  call('orderBy number', 'user/findMany', { orderBy: { reviewedPosts: { _count: 'desc' } } }),
  call('include', 'post/findMany', { include: { reviewer: true } }),
  call('include: false, which would reveal it', 'post/findMany', { include: { reviewer: false } }),
  call('select', 'post/findMany', { select: { reviewer: { select: { id: true } } } }),
  call('select of the key', 'post/findMany', { select: { reviewerId: true } }),
  call('counting', 'user/findMany', { include: { _count: { select: { reviewedPosts: true } } } }),
  call('by the key', 'post/groupBy', { by: ['reviewerId'], _count: true }),
  call('nested connect', 'post/update', { where: { id: 1 }, data: { reviewer: { connect: { id: 1 } } } }),
  call('nested create', 'user/create', { data: { name: 'x', email: 'x@example.com', tokens: { create: { secret: 'x' } } } }),
  call('nested createMany', 'user/update', { where: { id: 1 }, data: { tokens: { createMany: { data: [{ secret: 'x' }] } } } }),
  call('nested update', 'user/update', { where: { id: 1 }, data: { reviewedPosts: { updateMany: { where: {}, data: { title: 'x' } } } } }),
  call('nested deleteMany', 'user/update', { where: { id: 1 }, data: { tokens: { deleteMany: {} } } }),
  call('nested set', 'user/update', { where: { id: 1 }, data: { reviewedPosts: { set: [] } } }),
  call('the key in data', 'post/update', { where: { id: 1 }, data: { reviewerId: 2 } }),
  call('the key in createMany', 'post/createMany', { data: [{ title: 'x', authorId: 1, reviewerId: 2 }] }),
  call('the model itself', 'apiToken/findMany'),
]);

/** An unreadable model is rejected at each step that would read it, also if only a condition does. */
const unreadable = row(
  8,
  [
    get('collection', '/user'),
    get('one', '/user/1'),
    get('what it leads to', '/user/1/posts'),
    get('its linkage', '/user/1/relationships/posts'),
    get('related', '/post/1/author'),
    get('linkage', '/post/1/relationships/author'),
    get('include', '/post?include=author'),
    get('include further down', '/comment?include=post.author'),
    get('include of one', '/post/1?include=author'),
    get('filter hop', '/post?filter[author][name$startsWith]=Ada'),
    get('filter by linkage', '/post?filter[author]=1'),
    get('sort hop', '/post?sort=author.name'),
    send('a write that answers with it', {
      method: 'POST',
      path: '/comment?include=author',
      body: { data: { type: 'comment', attributes: { body: 'x' }, relationships: { post: { data: { type: 'post', id: 1 } } } } },
    }),
    call('findMany', 'user/findMany'),
    call('findUnique', 'user/findUnique', { where: { id: 1 } }),
    call('count', 'user/count'),
    call('aggregate', 'user/aggregate', { _max: { name: true } }),
    call('groupBy', 'user/groupBy', { by: ['role'] }),
    call('include', 'post/findMany', { include: { author: true } }),
    call('select', 'post/findMany', { select: { author: { select: { name: true } } } }),
    call('include further down', 'comment/findMany', { include: { post: { include: { author: true } } } }),
    call('where', 'post/findMany', { where: { author: { name: { startsWith: 'Ada' } } } }),
    call('where is', 'post/count', { where: { author: { is: { name: 'x' } } } }),
    call('orderBy', 'post/findMany', { orderBy: { author: { name: 'asc' } } }),
    call('result of a write', 'user/update', { where: { id: 1 }, data: { name: 'x' }, include: { posts: true } }),
    call('rows of a write', 'user/updateManyAndReturn', { where: { name: 'x' }, data: { name: 'x' } }),
    call('where of a write', 'user/updateMany', { where: { name: { startsWith: 'Ada' } }, data: { locale: 'x' } }),
    call('where of deleteMany', 'user/deleteMany', { where: { name: { startsWith: 'Ada' } } }),
    call('connect', 'comment/update', { where: { id: 1 }, data: { author: { connect: { email: 'ada@example.com' } } } }),
  ],
  { status: [400, 403] },
);

describeAttacks(
  'hidden relations',
  { resources: CLOSED_PARTS },
  {
    attacks: hidden,
    controls: row(7, [
      get('related URL', '/post/2/author'),
      get('include', '/post?include=author.posts'),
      call('where', 'post/findMany', { where: { author: { name: 'Ada' } } }),
      call('orderBy number', 'user/findMany', { orderBy: { posts: { _count: 'desc' } } }),
      call('nested connect', 'post/update', { where: { id: 1 }, data: { author: { connect: { id: 2 } } } }),
    ]),
  },
);

describeAttacks(
  'models that may not be read',
  { resources: CLOSED_ACTIONS },
  {
    attacks: unreadable,
    controls: row(8, [
      get('include of another', '/post?include=comments'),
      call('include of another', 'post/findMany', { include: { comments: true } }),
      call('where on another', 'post/findMany', { where: { comments: { some: { body: 'x' } } } }),
    ]),
  },
);
