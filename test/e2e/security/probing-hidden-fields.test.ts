import { call, get, row, send } from './support/attack.js';
import { describeAttacks } from './support/describe-attacks.js';
import { CLOSED_PARTS } from './support/exposure.js';

const filters = row(1, [
  get('filter by a hidden field', '/user?filter[passwordHash$startsWith]=$2b'),
  get('equality with a hidden field', '/user?filter[passwordHash]=x'),
  get('operator in brackets on a hidden field', '/user?filter[passwordHash][startsWith]=$2b'),
  get('filter in an alternative', '/user?filter[or][0][passwordHash$startsWith]=$2b'),
  get('filter of a write-only field', '/user?filter[pin]=1815'),
  get('filter through a to-one relation', '/post?filter[author][passwordHash$startsWith]=$2b'),
  get('filter through two relations', '/comment?filter[post][author][passwordHash$startsWith]=$2b'),
  get('filter through a to-many relation', '/category?filter[posts$some][author][passwordHash$contains]=a'),
  get('filter of related resources', '/category/1/posts?filter[author][passwordHash$gt]=a'),
  get('filter of linkage', '/user/1/relationships/posts?filter[author][passwordHash$gt]=a'),
  call('where on a hidden field', 'user/findMany', { where: { passwordHash: { startsWith: '$2b' } } }),
  call('where on a hidden field, by value', 'user/findFirst', { where: { passwordHash: 'x' } }),
  call('where on a write-only field', 'user/findMany', { where: { pin: '1815' } }),
  call('where within AND', 'user/findMany', { where: { AND: [{ OR: [{ NOT: { passwordHash: { gt: 'a' } } }] }] } }),
  call('where through a to-one relation', 'post/findMany', { where: { author: { passwordHash: { startsWith: '$2b' } } } }),
  call('where through is', 'post/count', { where: { author: { is: { passwordHash: { startsWith: '$2b' } } } } }),
  call('where through two relations', 'comment/aggregate', { where: { post: { author: { passwordHash: 'a' } } }, _count: true }),
  call('where through every', 'category/findMany', { where: { posts: { every: { author: { passwordHash: 'a' } } } } }),
  call('where of a group', 'post/groupBy', { by: ['published'], where: { author: { passwordHash: 'a' } }, _count: true }),
  call('where of an included relation', 'category/findMany', {
    include: { posts: { where: { author: { passwordHash: { startsWith: '$2b' } } } } },
  }),
  call('where of a counted relation', 'category/findMany', {
    include: { _count: { select: { posts: { where: { author: { passwordHash: 'a' } } } } } },
  }),
  call('further condition of a unique where', 'user/findUnique', { where: { id: 1, passwordHash: { startsWith: '$2b' } } }),
  call('where of an update', 'user/update', { where: { id: 1, passwordHash: { startsWith: '$2b' } }, data: { name: 'x' } }),
  call('where of updateMany', 'post/updateMany', { where: { author: { passwordHash: 'a' } }, data: { title: 'x' } }),
  call('where of deleteMany', 'post/deleteMany', { where: { author: { passwordHash: { startsWith: '$2b' } } } }),
  call('where of a nested updateMany', 'user/update', {
    where: { id: 1 },
    data: { posts: { updateMany: { where: { reviewerId: 1 }, data: { title: 'x' } } } },
  }),
]);

const orders = row(2, [
  get('sort by a hidden field', '/user?sort=-passwordHash'),
  get('sort by a field closed to sorting', '/user?sort=email'),
  get('sort through a relation', '/post?sort=author.passwordHash'),
  get('sort of related resources', '/category/1/posts?sort=author.recoveryCode'),
  get('sort by the number of hidden records', '/user?sort=tokens.$count'),
  call('orderBy a hidden field', 'user/findMany', { orderBy: { passwordHash: 'asc' } }),
  call('orderBy a field closed to sorting', 'user/findMany', { orderBy: [{ email: 'asc' }] }),
  call('orderBy through a relation', 'post/findMany', { orderBy: { author: { passwordHash: 'asc' } } }),
  call('orderBy the number of hidden records', 'user/findMany', { orderBy: { tokens: { _count: 'asc' } } }),
  call('orderBy relevance in a hidden field', 'user/findMany', {
    orderBy: { _relevance: { fields: ['passwordHash'], search: 'a', sort: 'asc' } },
  }),
  call('orderBy of an included relation', 'category/findMany', { include: { posts: { orderBy: { author: { passwordHash: 'asc' } } } } }),
  call('cursor', 'user/findMany', { cursor: { recoveryCode: 'ADA-RECOVERY' } }),
  call('cursor with a further condition', 'user/findMany', { cursor: { id: 1, passwordHash: 'x' } }),
  call('cursor of an included relation', 'category/findMany', { include: { posts: { cursor: { id: 1, reviewerId: 1 } } } }),
  call('distinct', 'user/findMany', { distinct: ['passwordHash'] }),
  call('distinct on one hidden field', 'user/findMany', { distinct: 'recoveryCode' }),
  call('distinct of an included relation', 'category/findMany', { include: { posts: { distinct: ['reviewerId'] } } }),
  call('by', 'user/groupBy', { by: ['passwordHash'] }),
  call('having', 'user/groupBy', { by: ['role'], having: { passwordHash: { _max: { startsWith: '$2b' } } } }),
  call('having within NOT', 'user/groupBy', { by: ['role'], having: { NOT: { passwordHash: 'a' } } }),
  call('orderBy of groups', 'user/groupBy', { by: ['role'], orderBy: { _max: { passwordHash: 'asc' } }, take: 1 }),
  call('_min', 'user/aggregate', { _min: { passwordHash: true } }),
  call('_max', 'user/aggregate', { _max: { recoveryCode: true } }),
  call('_count of values', 'user/aggregate', { _count: { recoveryCode: true } }),
  call('_max of groups', 'user/groupBy', { by: ['role'], _max: { passwordHash: true } }),
  call('_sum of a hidden key', 'post/aggregate', { _sum: { reviewerId: true } }),
  call('_avg of a hidden key', 'post/aggregate', { _avg: { reviewerId: true } }),
  call('select of count', 'user/count', { select: { recoveryCode: true } }),
]);

const keys = row(3, [
  send('upsert matched by a hidden unique field', {
    method: 'POST',
    path: '/user',
    body: {
      data: { type: 'user', attributes: { name: 'x', email: 'x@example.com', recoveryCode: 'ADA-RECOVERY' } },
      meta: { operation: 'upsert', matchFields: ['recoveryCode'] },
    },
  }),
  get('id that is a hidden unique value', '/user/ADA-RECOVERY'),
  call('findUnique', 'user/findUnique', { where: { recoveryCode: 'ADA-RECOVERY' } }),
  call('findUniqueOrThrow', 'user/findUniqueOrThrow', { where: { recoveryCode: 'ADA-RECOVERY' } }),
  call('update', 'user/update', { where: { recoveryCode: 'ADA-RECOVERY' }, data: { name: 'x' } }),
  call('delete', 'user/delete', { where: { recoveryCode: 'ADA-RECOVERY' } }),
  call('upsert', 'user/upsert', {
    where: { recoveryCode: 'ADA-RECOVERY' },
    create: { name: 'x', email: 'x@example.com' },
    update: { name: 'x' },
  }),
  call('connect', 'post/update', { where: { id: 1 }, data: { author: { connect: { recoveryCode: 'ADA-RECOVERY' } } } }),
  call('connectOrCreate', 'post/create', {
    data: {
      title: 'x',
      author: { connectOrCreate: { where: { recoveryCode: 'ADA-RECOVERY' }, create: { name: 'x', email: 'x@example.com' } } },
    },
  }),
  call('upsert of a to-one relation', 'post/update', {
    where: { id: 1 },
    data: {
      author: {
        upsert: { where: { recoveryCode: 'ADA-RECOVERY' }, create: { name: 'x', email: 'x@example.com' }, update: { name: 'x' } },
      },
    },
  }),
  call('disconnect', 'category/update', { where: { id: 1 }, data: { posts: { disconnect: { id: 1, reviewerId: 1 } } } }),
]);

const selections = row(4, [
  get('fields', '/user?fields[user]=passwordHash'),
  get('fields of another type', '/post?include=author&fields[user]=name,passwordHash'),
  get('fields of a hidden type', '/user?fields[apiToken]=secret'),
  get('include of a hidden relation', '/user?include=tokens'),
  call('select', 'user/findMany', { select: { passwordHash: true } }),
  call('select of a write-only field', 'user/findMany', { select: { pin: true } }),
  call('select in a relation', 'post/findMany', { select: { author: { select: { passwordHash: true } } } }),
  call('select after a write', 'user/create', { data: { name: 'x', email: 'x@example.com' }, select: { passwordHash: true } }),
  call('include of a hidden relation', 'user/findMany', { include: { tokens: true } }),
  call('include in a relation', 'post/findMany', { include: { author: { include: { tokens: true } } } }),
  call('count of hidden records', 'user/findMany', { select: { _count: { select: { tokens: true } } } }),
  call('omit: false', 'user/findMany', { omit: { passwordHash: false } }),
  call('omit: true, which would reveal it', 'user/findMany', { omit: { passwordHash: true } }),
  call('omit: false of a write-only field', 'user/findMany', { omit: { pin: false } }),
  call('omit in a relation', 'post/findMany', { include: { author: { omit: { passwordHash: false } } } }),
  call('omit after a write', 'user/update', { where: { id: 1 }, data: { name: 'x' }, omit: { passwordHash: false } }),
]);

const operators = row(5, [
  get('$contains on a field open to equality', '/user?filter[email$contains]=ada'),
  get('$search', '/user?filter[email$search]=ada'),
  get('$gt', '/user?filter[email$gt]=b'),
  get('$between', '/user?filter[email$between]=a,b'),
  get('$startsWith', '/user?filter[email$startsWith]=a'),
  get('$notStartsWith', '/user?filter[email$notStartsWith]=a'),
  get('$icontains', '/user?filter[email$icontains]=A'),
  get('$search in a hidden field', '/user?filter[passwordHash$search]=a'),
  get('$lt through a relation', '/post?filter[author][email$lt]=b'),
  call('contains', 'user/findMany', { where: { email: { contains: 'ada' } } }),
  call('search', 'user/findMany', { where: { email: { search: 'ada' } } }),
  call('gt', 'user/findMany', { where: { email: { gt: 'b' } } }),
  call('startsWith under not', 'user/findMany', { where: { email: { not: { startsWith: 'a' } } } }),
  call('endsWith beside an open operator', 'user/findMany', { where: { email: { in: ['ada@example.com'], endsWith: 'm' } } }),
  call('lte through a relation', 'post/findMany', { where: { author: { email: { lte: 'b' } } } }),
  call('startsWith in having', 'user/groupBy', { by: ['email'], having: { email: { startsWith: 'a' } } }),
  call('gt of an aggregate in having', 'user/groupBy', { by: ['role'], having: { email: { _max: { gt: 'b' } } } }),
  call('search by relevance', 'user/findMany', { orderBy: { _relevance: { fields: ['email'], search: 'a', sort: 'asc' } } }),
]);

const controls = [
  ...row(1, [
    get('filter by an open field', '/user?filter[name$startsWith]=Ada'),
    get('filter through a relation', '/post?filter[author][name$startsWith]=Ada'),
    call('where through a relation', 'post/findMany', { where: { author: { name: { startsWith: 'Ada' } } } }),
  ]),
  ...row(2, [
    get('sort through a relation', '/post?sort=author.name'),
    call('orderBy', 'post/findMany', { orderBy: { author: { name: 'asc' } } }),
    call('by and having', 'user/groupBy', { by: ['role'], having: { loginCount: { _max: { gt: 0 } } }, _min: { name: true } }),
    call('cursor and distinct', 'user/findMany', { cursor: { id: 1 }, distinct: ['role'] }),
  ]),
  ...row(3, [
    call('a unique field', 'user/findUnique', { where: { email: 'ada@example.com' } }),
    call('connect', 'post/update', { where: { id: 1 }, data: { author: { connect: { email: 'ada@example.com' } } } }),
  ]),
  ...row(4, [
    get('fields', '/user?fields[user]=name'),
    call('select', 'post/findMany', { select: { author: { select: { name: true } } } }),
    call('omit', 'user/findMany', { omit: { name: false, locale: true } }),
  ]),
  ...row(5, [
    get('equality on the same field', '/user?filter[email]=ada@example.com,grace@example.com'),
    call('in on the same field', 'user/findMany', { where: { email: { in: ['ada@example.com'] } } }),
  ]),
];

describeAttacks(
  'probing hidden fields',
  { resources: CLOSED_PARTS },
  { attacks: [...filters, ...orders, ...keys, ...selections, ...operators], controls },
);
