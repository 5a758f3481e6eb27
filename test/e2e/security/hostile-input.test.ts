import { call, get, post, query, row, send } from './support/attack.js';
import { describeAttacks } from './support/describe-attacks.js';
import { CLOSED_PARTS } from './support/exposure.js';

const USER = { name: 'Mallory', email: 'mallory@example.com' };

/** Unknown operations: of MongoDB clients, of extensions, of future clients, and members that are no operations. */
const operations = row(11, [
  ...['findRaw', 'aggregateRaw', 'queryRaw', 'exists', 'truncate', 'findmany', 'fields', 'name', '$parent', 'then'].map((name) =>
    call(`operation ${name}`, `user/${name}`, {}),
  ),
  ...['$queryRaw', '$queryRawUnsafe', '$executeRaw', '$disconnect', '$extends'].map((name) =>
    call(`${name} of the client`, `${name}/findMany`, {}),
  ),
  query('another form of transaction', '$transaction/interactive', {}),
  post('the batch as an operation of a model', 'user/sequential', '[]'),
]);

const slots = row(13, [
  get('a comparison that REST does not have', '/user?filter[name][not]=x'),
  get('an operator behind an operator', '/user?filter[name][$contains][not]=x'),
  get('an operator in the place of a page size', '/user?page[limit][gt]=1'),
  send('an object as the id', { method: 'PATCH', path: '/user/1', body: { data: { type: 'user', id: { not: 0 }, attributes: {} } } }),
  send('an object as the id of linkage', {
    method: 'POST',
    path: '/post/1/relationships/tags',
    body: { data: [{ type: 'tag', id: { not: 0 } }] },
  }),
  send('an object as the value of a field', {
    method: 'PATCH',
    path: '/user/1',
    body: { data: { type: 'user', id: 1, attributes: { name: { set: 'x' } } } },
  }),
  call('findUnique', 'user/findUnique', { where: { id: { not: 0 } } }),
  call('findUnique by a list', 'user/findUnique', { where: { id: [1, 2] } }),
  call('findUnique by a text key', 'user/findUnique', { where: { email: { contains: '' } } }),
  call('part of a compound key', 'translation/findUnique', { where: { locale_key: { locale: { not: '' }, key: 'a' } } }),
  call('half a compound key', 'translation/findUnique', { where: { locale_key: { locale: 'en' } } }),
  call('update', 'user/update', { where: { id: { gt: 0 } }, data: { name: 'x' } }),
  call('delete', 'user/delete', { where: { id: { not: 0 } } }),
  call('upsert', 'user/upsert', { where: { id: { not: 0 } }, create: USER, update: {} }),
  call('cursor', 'user/findMany', { cursor: { id: { gt: 0 } } }),
  call('connect', 'post/update', { where: { id: 1 }, data: { author: { connect: { id: { not: 1 } } } } }),
  call('set', 'post/update', { where: { id: 1 }, data: { tags: { set: [{ id: { gt: 0 } }] } } }),
  call('a filter as a new value', 'user/update', { where: { id: 1 }, data: { name: { contains: 'x' } } }),
  call('an object as a new value', 'user/create', { data: { ...USER, name: { set: 'x' } } }),
  call('a text as where', 'user/findMany', { where: 'id' }),
  call('a list as where', 'user/findMany', { where: [{ id: 1 }] }),
  call('null as where', 'user/findMany', { where: null }),
  call('an object as take', 'user/findMany', { take: { gt: 1 } }),
  call('a text in a list of names', 'user/findMany', { distinct: [{ role: true }] }),
  call('an unknown operator', 'user/findMany', { where: { name: { regex: '.*' } } }),
  call('an unknown argument', 'user/findMany', { lock: true }),
]);

const absent = row(14, [
  ...['/user', '/user/', '/user?filter[id]=99', '/user/?page[limit]=1', '/user/1/posts', '/user/undefined', '/user/null'].map((path) =>
    send('a delete that names no record', { method: 'DELETE', path }, { status: [400, 404, 405] }),
  ),
  ...['/user', '/user?filter[id]=99', '/user/undefined'].map((path) =>
    send(
      'an update that names no record',
      { method: 'PATCH', path, body: { data: { type: 'user', attributes: { name: 'x' } } } },
      { status: [400, 404, 405] },
    ),
  ),
  query('deleteMany without q by GET', 'user/deleteMany', {}),
  call('deleteMany without where', 'user/deleteMany'),
  call('deleteMany with an empty argument', 'user/deleteMany', {}),
  call('deleteMany with where undefined', 'user/deleteMany', { where: undefined }),
  call('deleteMany with where null', 'user/deleteMany', { where: null }),
  call('deleteMany with an undefined condition', 'user/deleteMany', { where: { id: undefined } }),
  call('deleteMany with an undefined operator', 'user/deleteMany', { where: { id: { equals: undefined } } }),
  call('deleteMany with undefined in an alternative', 'user/deleteMany', { where: { OR: [{ id: 99 }, { name: undefined }] } }),
  call('deleteMany with undefined alternatives', 'user/deleteMany', { where: { OR: undefined } }),
  call('deleteMany with an undefined relation', 'user/deleteMany', { where: { posts: { some: undefined } } }),
  call('deleteMany with undefined in a list', 'user/deleteMany', { where: { id: { in: [undefined] } } }),
  call('updateMany without where', 'user/updateMany', { data: { name: 'x' } }),
  call('updateMany with where undefined', 'user/updateMany', { where: undefined, data: { name: 'x' } }),
  call('updateManyAndReturn with an undefined condition', 'user/updateManyAndReturn', { where: { id: undefined }, data: { name: 'x' } }),
  call('update with an undefined further condition', 'user/update', { where: { id: 1, name: undefined }, data: { name: 'x' } }),
  call('delete with an undefined key', 'user/delete', { where: { id: undefined } }),
  call('findUnique with an undefined key', 'user/findUnique', { where: { id: undefined } }),
  call('findFirst with an undefined condition', 'user/findFirst', { where: { name: undefined } }),
  call('a nested deleteMany with an undefined condition', 'category/update', {
    where: { id: 1 },
    data: { posts: { deleteMany: { title: undefined } } },
  }),
  call('a nested updateMany without where', 'category/update', {
    where: { id: 1 },
    data: { posts: { updateMany: { data: { title: 'x' } } } },
  }),
  call('connect with an undefined key', 'post/update', { where: { id: 1 }, data: { author: { connect: { id: undefined } } } }),
]);

const PROTOTYPES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'] as const;

const prototypes = row(
  16,
  PROTOTYPES.flatMap((name) => [
    get('type', `/${name}`, { status: 404 }),
    get('type with an id', `/${name}/1`, { status: 404 }),
    get('related', `/user/1/${name}`, { status: 404 }),
    get('relationship', `/user/1/relationships/${name}`, { status: 404 }),
    get('filter', `/user?filter[${name}][x]=1`),
    get('filter hop', `/post?filter[author][${name}]=1`),
    get('filter operator', `/user?filter[name$${name}]=1`),
    get('filter operator in brackets', `/user?filter[name][${name}]=1`),
    get('page', `/user?page[${name}][prototype]=1`),
    get('include', `/user?include=${name}`),
    get('include hop', `/post?include=author.${name}`),
    get('sort', `/user?sort=${name}`),
    get('fields of a type', `/user?fields[${name}]=x`),
    get('fields', `/user?fields[user]=${name}`),
    send('attribute', {
      method: 'PATCH',
      path: '/user/1',
      body: `{"data":{"type":"user","id":1,"attributes":{"${name}":{"polluted":true}}}}`,
    }),
    send('relationship in a body', {
      method: 'PATCH',
      path: '/user/1',
      body: `{"data":{"type":"user","id":1,"relationships":{"${name}":{"data":null}}}}`,
    }),
    send('type in a body', { method: 'POST', path: '/user', body: `{"data":{"type":"${name}","attributes":{}}}` }, { status: 409 }),
    send('match of an upsert', {
      method: 'POST',
      path: '/user',
      body: `{"data":{"type":"user","attributes":{"name":"x","email":"x"}},"meta":{"operation":"upsert","matchFields":["${name}"]}}`,
    }),
    query('model', `${name}/findMany`, {}),
    query('operation', `user/${name}`, {}),
    query('argument', 'user/findMany', { q: `{"${name}":{"polluted":true}}` }),
    query('where', 'user/findMany', { q: `{"where":{"${name}":{"polluted":true}}}` }),
    query('operator', 'user/findMany', { q: `{"where":{"name":{"${name}":"x"}}}` }),
    query('orderBy', 'user/findMany', { q: `{"orderBy":{"${name}":"asc"}}` }),
    query('select', 'user/findMany', { q: `{"select":{"${name}":true}}` }),
    query('include', 'user/findMany', { q: `{"include":{"${name}":true}}` }),
    query('omit', 'user/findMany', { q: `{"omit":{"${name}":true}}` }),
    query('unique where', 'user/findUnique', { q: `{"where":{"${name}":1}}` }),
    query('by', 'user/groupBy', { q: `{"by":["${name}"]}` }),
    query('aggregate', 'user/aggregate', { q: `{"_max":{"${name}":true}}` }),
    post('data', 'user/create', `{"data":{"name":"x","email":"x","${name}":{"polluted":true}}}`),
    post('nested write', 'post/create', `{"data":{"title":"x","author":{"${name}":{"id":1}}}}`),
    post('model in a batch', '$transaction/sequential', `[{"model":"${name}","op":"findMany","args":{}}]`),
    post('operation in a batch', '$transaction/sequential', `[{"model":"user","op":"${name}","args":{}}]`),
    post('member of an operation in a batch', '$transaction/sequential', `[{"model":"user","op":"findMany","${name}":{}}]`),
  ]),
);

const numbers = row(18, [
  ...[
    '-1',
    '0',
    '1e9',
    '1e3',
    'NaN',
    'Infinity',
    '1abc',
    ' 1',
    '+1',
    '1.5',
    '',
    '0x10',
    '１',
    '1000000000',
    '1001',
    '99999999999999999999',
  ].map((value) => get('page size', `/user?page[limit]=${encodeURIComponent(value)}`)),
  ...['-1', '1e3', 'NaN', '1abc', '', '2147483648'].map((value) => get('offset', `/user?page[offset]=${encodeURIComponent(value)}`)),
  get('page size of related resources', '/user/1/posts?page[limit]=1e9'),
  get('page size of linkage', '/user/1/relationships/posts?page[limit]=100000'),
  ...[-100_000, 10_001, 1e9, 1.5, '5', null, [], 2 ** 53].map((take) => call(`take ${JSON.stringify(take)}`, 'user/findMany', { take })),
  ...[-1, 1.5, '5', 2 ** 31].map((skip) => call(`skip ${JSON.stringify(skip)}`, 'user/findMany', { skip })),
  query('take 1e999, which JSON reads as infinite', 'user/findMany', { q: '{"take":1e999}' }),
  call('take in an include', 'user/findMany', { include: { posts: { take: -100_000 } } }),
  call('take in a select', 'user/findMany', { select: { posts: { take: 10_001 } } }),
  call('take of groups', 'user/groupBy', { by: ['role'], orderBy: { role: 'asc' }, take: 10_001 }),
  call('take of an aggregate', 'user/aggregate', { _count: true, take: 10_001 }),
  call('take of a count', 'user/count', { take: 10_001 }),
  call('limit of updateMany', 'user/updateMany', { where: {}, data: { name: 'x' }, limit: -1 }),
  call('a bigint as take', 'user/findMany', { take: 5n }),
]);

const ids = row(
  19,
  ['1abc', '1e0', '+1', '0x1', '１', 'a\0b', ' 1', '', '1'.repeat(10_000), 99_999_999_999, -(2 ** 31) - 1, 1.5].flatMap((id) => {
    const name = `the id ${JSON.stringify(id).slice(0, 20)}`;
    return [
      call(name, 'user/findUnique', { where: { id } }),
      call(name, 'user/delete', { where: { id } }),
      call(name, 'post/update', { where: { id: 1 }, data: { author: { connect: { id } } } }),
      send(name, { method: 'PATCH', path: '/post/1/relationships/author', body: { data: { type: 'user', id } } }),
      send(name, { method: 'PATCH', path: `/user/1`, body: { data: { type: 'user', id, attributes: {} } } }, { status: [400, 409] }),
    ];
  }),
);

const values = row(20, [
  ...[{}, [], true, null].map((operand) =>
    call(`a comparison with ${JSON.stringify(operand)}, on which the engine would panic`, 'post/count', {
      where: { metadata: { gte: operand } },
    }),
  ),
  call('a search in any case, on which the engine would panic', 'user/findMany', {
    where: { name: { search: 'x', mode: 'insensitive' } },
  }),
  get('NUL in a filter', '/user?filter[name]=%00'),
  get('NUL in a search', '/user?filter[name$contains]=a%00b'),
  get('NUL in a name', '/user?filter[na%00me]=x'),
  get('a lone surrogate in a filter', '/user?filter[name]=%ED%A0%80'),
  get('a lone surrogate in a JSON filter', `/post?filter[metadata]=${encodeURIComponent('"\\ud800"')}`),
  get('broken percent-encoding', '/user?filter[name]=%zz'),
  send('NUL in an attribute', {
    method: 'PATCH',
    path: '/user/1',
    body: { data: { type: 'user', id: 1, attributes: { name: 'a\0b' } } },
  }),
  send('a lone surrogate in an attribute', {
    method: 'PATCH',
    path: '/user/1',
    body: '{"data":{"type":"user","id":1,"attributes":{"name":"\\ud800"}}}',
  }),
  send('a lone surrogate inside a JSON attribute', {
    method: 'PATCH',
    path: '/post/1',
    body: '{"data":{"type":"post","id":1,"attributes":{"metadata":{"a":["\\ud800"]}}}}',
  }),
  send('an object that pretends to be text', {
    method: 'PATCH',
    path: '/user/1',
    body: '{"data":{"type":"user","id":1,"attributes":{"name":{"toString":""}}}}',
  }),
  send('an object as the type', { method: 'POST', path: '/user', body: '{"data":{"type":{"toString":""}}}' }),
  send('invalid JSON', { method: 'POST', path: '/user', body: '{"data":' }),
  send('an empty body', { method: 'POST', path: '/user', body: '' }),
  send('an array', { method: 'POST', path: '/user', body: '[]' }),
  send('null', { method: 'POST', path: '/user', body: 'null' }),
  send('a text', { method: 'POST', path: '/user', body: '"data"' }),
  send('data: null', { method: 'POST', path: '/user', body: '{"data":null}' }),
  send('data: []', { method: 'PATCH', path: '/user/1', body: '{"data":[]}' }),
  call('NUL in where', 'user/findMany', { where: { name: 'a\0b' } }),
  call('NUL in data', 'user/update', { where: { id: 1 }, data: { name: 'a\0b' } }),
  query('a lone surrogate in where', 'user/findMany', { q: '{"where":{"name":"\\ud800"}}' }),
  ...['{"equals":"\\ud800"}', '{"path":["\\ud800"],"equals":1}', '{"gt":"\\ud800"}', '{"string_contains":"\\ud800"}'].map((filter) =>
    query(`a lone surrogate in ${filter}`, 'post/findMany', { q: `{"where":{"metadata":${filter}}}` }),
  ),
  ...['"\\ud800"', '"a\\u0000b"', '5', '{"toString":""}', 'null'].map((search) =>
    query(`the search ${search} in an order`, 'post/findMany', {
      q: `{"orderBy":{"_relevance":{"fields":["title"],"search":${search},"sort":"asc"}}}`,
    }),
  ),
  post('a lone surrogate in JSON data', 'post/createMany', '{"data":[{"title":"x","authorId":1,"metadata":{"a":"\\ud800"}}]}'),
  post('a lone surrogate in data', 'user/create', '{"data":{"name":"\\ud800","email":"x@example.com"}}'),
  query('an object that pretends to be text', 'user/findMany', { q: '{"where":{"name":{"toString":""}}}' }),
  query('an object with its own valueOf', 'user/findMany', { q: '{"take":{"valueOf":1}}' }),
  query('invalid JSON in q', 'user/findMany', { q: '{"where":' }),
  query('an array as q', 'user/findMany', { q: '[]' }),
  query('null as q', 'user/findMany', { q: 'null' }),
  query('an empty q', 'user/findMany', { q: '' }),
  query('invalid JSON in meta', 'user/findMany', { q: '{}', meta: '{' }),
  post('invalid JSON', 'user/create', '{"data":'),
  post('an empty body', 'user/create', ''),
  post('an array', 'user/create', '[]'),
  post('null', 'user/create', 'null'),
  post('a batch that is no list', '$transaction/sequential', '"x"'),
  post('a batch of no operations', '$transaction/sequential', '[null, 1, "x", []]'),
  post('an empty body as a batch', '$transaction/sequential', ''),
]);

describeAttacks(
  'hostile input',
  { resources: CLOSED_PARTS },
  {
    attacks: [...operations, ...slots, ...absent, ...prototypes, ...numbers, ...ids, ...values],
    controls: [
      ...row(13, [call('scalars in their slots', 'translation/findMany', { where: { locale: { not: 'x' } }, cursor: undefined })]),
      ...row(14, [
        call('where: {}, which says what it means', 'refund/deleteMany', { where: {} }),
        call('undefined outside of where', 'user/findMany', { where: { id: 1 }, take: undefined }),
      ]),
      ...row(18, [
        get('the largest page', '/user?page[limit]=1000'),
        call('take from the back', 'user/findMany', { take: -2, orderBy: { id: 'asc' } }),
      ]),
      ...row(20, [get('any text', `/user?filter[name]=${encodeURIComponent('"\\/\b😀%_\u2028')}`)]),
    ],
  },
);

it('16. does not change the prototypes of the process', () => {
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});
