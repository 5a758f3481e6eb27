import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { get, long, post, query, row, send } from './support/attack.js';
import { describeAttacks } from './support/describe-attacks.js';
import { CLOSED_PARTS } from './support/exposure.js';
import { describeSecurity, type SecuritySuite } from './support/security-suite.js';

/** Metadata that would harm a decoder that trusts its input. */
const METADATA: readonly (readonly [name: string, serialization: string])[] = [
  ['a path over __proto__', '{"values":{"__proto__.polluted":["Date"]}}'],
  ['a path of __proto__ in where', '{"values":{"where.__proto__.polluted":["undefined"]}}'],
  ['a path over constructor.prototype', '{"values":{"constructor.prototype.polluted":["Date"]}}'],
  ['a path that does not exist', '{"values":{"where.no.such.place":["Date"]}}'],
  ['the root', '{"values":["undefined"]}'],
  ['referential equalities', '{"values":{},"referentialEqualities":{"where":["__proto__"]}}'],
  ['a class', '{"values":{"where.name":[["class","User"]]}}'],
  ['a regular expression', '{"values":{"where.name":["regexp"]}}'],
  ['an error', '{"values":{"where.name":["Error"]}}'],
  ['a symbol', '{"values":{"where.name":[["symbol","iterator"]]}}'],
  ['a set', '{"values":{"where.name":["set"]}}'],
  ['a map', '{"values":{"where.name":["map"]}}'],
  ['a URL', '{"values":{"where.name":["URL"]}}'],
  ['a number that is none', '{"values":{"where.name":["number"]}}'],
  ['an unknown custom type', '{"values":{"where.name":[["custom","Function"]]}}'],
  ['a custom type of the prototype', '{"values":{"where.name":[["custom","__proto__"]]}}'],
  ['an unknown typed array', '{"values":{"where.name":[["typed-array","SharedArrayBuffer"]]}}'],
  ['an annotation that is a number', '{"values":{"where.name":[1]}}'],
  ['an annotation that is an object', '{"values":{"where.name":[{"length":1}]}}'],
  ['a text', '"values"'],
  ['a list', '[]'],
  ['a version to come', '{"values":{},"v":99}'],
];

const metadata = row(
  15,
  METADATA.flatMap(([name, serialization]) => [
    query(`${name} in meta`, 'user/findMany', { q: '{"where":{"name":"x"}}', meta: `{"serialization":${serialization}}` }),
    post(
      `${name} in a body`,
      'user/create',
      `{"data":{"name":"x","email":"x@example.com"},"where":{"name":"x"},"meta":{"serialization":${serialization}}}`,
    ),
    post(
      `${name} in an operation of a batch`,
      '$transaction/sequential',
      `[{"model":"user","op":"findMany","args":{"where":{"name":"x"},"meta":{"serialization":${serialization}}}}]`,
    ),
    post(
      `${name} of a batch`,
      '$transaction/sequential',
      `{"0":{"model":"user","op":"findMany","args":{}},"where":{"name":"x"},"meta":{"serialization":${serialization}}}`,
    ),
    send(`${name} in a document`, {
      method: 'POST',
      path: '/user',
      body: `{"data":{"type":"user","attributes":{"name":"x","email":"x@example.com"}},"where":{"name":"x"},"meta":{"serialization":${serialization}}}`,
    }),
  ]),
);

const nested = (depth: number, open: string, close: string, inner = ''): string => open.repeat(depth) + inner + close.repeat(depth);

const cycle = (depth: number): string => nested(depth, '{"include":{"author":{"include":{"posts":', '}}}}', 'true');

const sizes = row(17, [
  get('a page size given twice', '/user?page[limit]=1&page[limit]=1000'),
  get('a thousand brackets', `/user?filter${'[or][0]'.repeat(500)}[name]=x`),
  get('a thousand brackets without names', `/user?filter${'[]'.repeat(1000)}=x`),
  get('an include in circles', `/post?include=${Array(6).fill('author.posts').join('.')}`),
  get('a sort in circles', `/post?sort=${Array(500).fill('author').join('.')}.name`),
  get('a hundred sorts', `/user?sort=${Array(101).fill('name').join(',')}`),
  get('five hundred values', `/user?filter[id]=${Array.from({ length: 500 }, (_, id) => id).join(',')}`),
  get('two hundred alternatives', `/user?${Array.from({ length: 200 }, (_, index) => `filter[or][${index}][id]=1`).join('&')}`),
  { name: 'q given twice', request: { style: 'raw RPC', method: 'GET', path: '/user/findMany?q={}&q={}' } },
  query('an include in circles', 'post/findMany', { q: cycle(6) }),
  query('a thousand objects deep', 'user/findMany', { q: `{"where":${nested(500, '{"NOT":', '}', '{}')}}` }),
  query('a thousand lists deep', 'user/findMany', { q: `{"where":{"AND":${nested(1000, '[', ']')}}}` }),
  query('a hop in circles', 'post/findMany', { q: `{"where":${nested(50, '{"author":{"posts":{"some":', '}}}', '{"id":1}')}}` }),
  query('an order in circles', 'post/findMany', { q: `{"orderBy":${nested(50, '{"category":{"parent":', '}}', '{"name":"asc"}')}}` }),
  long('a hundred thousand values', 'user/findMany', `{"where":{"id":{"in":[${'1,'.repeat(99_999)}1]}}}`),
  long('fifty thousand alternatives', 'user/findMany', `{"where":{"OR":[${'{"id":1},'.repeat(49_999)}{"id":1}]}}`),
  long('a hundred thousand empty alternatives', 'user/findMany', `{"where":{"OR":[${'{},'.repeat(99_999)}{}]}}`),
  long('a hundred thousand orders', 'user/findMany', `{"orderBy":[${'{},'.repeat(99_999)}{}]}`),
  long('a hundred thousand names', 'user/findMany', `{"distinct":[${'"id",'.repeat(99_999)}"id"]}`),
  long('a hundred thousand groups', 'user/groupBy', `{"by":[${'"id",'.repeat(99_999)}"id"]}`),
  long('a body a hundred thousand lists deep', 'user/findMany', `{"where":${nested(100_000, '[', ']')}}`),
  long('a body fifty thousand objects deep', 'user/findMany', nested(50_000, '{"where":', '}', '1')),
  post('a new Json value fifty thousand lists deep', 'auditEvent/create', `{"data":{"type":"x","payload":${nested(50_000, '[', ']')}}}`),
  post('two thousand records', 'tag/createMany', `{"data":[${'{"name":"x"},'.repeat(1_999)}{"name":"x"}]}`),
  post('two thousand connections', 'post/update', `{"data":{"tags":{"connect":[${'{"id":1},'.repeat(1_999)}{"id":1}]}}}`),
  post(
    'two thousand operations',
    '$transaction/sequential',
    `[${'{"model":"user","op":"findMany","args":{}},'.repeat(1_999)}{"model":"user","op":"count"}]`,
  ),
  send('two thousand members', {
    method: 'POST',
    path: '/post/1/relationships/tags',
    body: `{"data":[${'{"type":"tag","id":1},'.repeat(1_999)}{"type":"tag","id":1}]}`,
  }),
  send('a document a hundred thousand lists deep', { method: 'POST', path: '/user', body: `{"data":${nested(100_000, '[', ']')}}` }),
  send('a body over the limit', { method: 'POST', path: '/user', body: `{"data":"${'x'.repeat(2_000_000)}"}` }, { status: 413 }),
]);

const DATED = {
  q: '{"where":{"createdAt":{"gt":"2026-01-02T00:00:00.000Z"}}}',
  meta: '{"serialization":{"values":{"where.createdAt.gt":["Date"]}}}',
};

const controls = [
  ...row(15, [query('metadata that fit', 'post/findMany', DATED)]),
  ...row(17, [
    long('a hundred values', 'user/findMany', `{"where":{"id":{"in":[${'1,'.repeat(90)}1]}}}`),
    query('five relations', 'post/findMany', { q: '{"include":{"author":{"include":{"posts":true}}}}' }),
  ]),
];

describeAttacks('hostile wire', { resources: { ...CLOSED_PARTS, Tag: {} } }, { attacks: [...metadata, ...sizes], controls });

describeSecurity('hostile wire, below HTTP', { resources: CLOSED_PARTS }, (suite) => {
  it('15. does not change the prototypes of the process', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['RPC', '/api/rpc/user/findMany?q='],
    ['REST', '/api/rest/user?filter[name]='],
  ])('17. rejects ten megabytes in a URL · %s', async (_, path) => {
    expect([400, 413, 414, 431, 'closed']).toContain(await statusOf(suite, 'GET', path + 'x'.repeat(10_000_000)));
    expect(suite.database.statements.all).toEqual([]);
    expect((await suite.app.rest.get('/user/1')).status).toBe(200);
  });

  it.each([
    ['letters behind the number', '/user/1abc', [400]],
    ['a number in another notation', '/user/1e0', [400]],
    ['a sign', '/user/+1', [400]],
    ['a number in hexadecimal', '/user/0x1', [400]],
    ['a number out of range', '/user/99999999999', [400]],
    ['a negative number', '/user/-1', [400, 404]],
    ['NUL', '/user/%00', [400]],
    ['NUL in a text id', '/country/a%00', [400, 404]],
    ['broken percent-encoding', '/user/%zz', [400]],
    ['invalid UTF-8', '/country/%ff', [400]],
    ['a path to climb', '/user/..%2f..%2fetc%2fpasswd', [400, 404]],
    ['one part of two', '/translation/en', [400, 404]],
    ['one part too many', '/translation/en_a_b', [400, 404]],
    ['an escape at the end', '/translation/en_a%5C', [400, 404]],
    ['ten thousand characters', `/country/${'x'.repeat(10_000)}`, [400, 404, 414]],
    ['ten thousand digits', `/user/${'1'.repeat(10_000)}`, [400, 404, 414]],
    ['SQL', "/country/' OR '1'='1".replaceAll(' ', '%20'), [400, 404]],
  ] as const)('19. returns and changes no record for an id with %s · GET %s', async (_, path, statuses) => {
    const { statements, prisma } = suite.database;
    const before = await Promise.all([prisma.country.count(), prisma.user.count()]);
    statements.clear();
    for (const [method, more] of [
      ['GET', ''],
      ['GET', '/relationships/posts'],
      ['GET', '/posts'],
      ['DELETE', ''],
    ] as const) {
      const status = await statusOf(suite, method, `/api/rest${path}${more}`);
      expect([404, ...statuses]).toContain(status);
      if (more === '') expect(statuses).toContain(status);
      if (status !== 404) expect(statements.all).toEqual([]);
    }
    expect(await Promise.all([prisma.country.count(), prisma.user.count()])).toEqual(before);
  });

  it.each([
    ['_', '_'],
    ['a_b', 'c_d'],
    ['\\', '\\_'],
    ['a\\', '_b'],
    ['%2F', '/'],
    ['..', '?#'],
    ['ü', '😀'],
  ])('19. returns a record by the id and the link of its response: %j and %j', async (locale, key) => {
    const { database, app } = suite;
    await database.prisma.translation.create({ data: { locale, key, text: 'found' } });
    const { many } = await app.rest.get(`/translation?filter[text]=found`);
    const [found] = many;
    const self = String(found?.links?.['self']).replace('http://api.test/api/rest', '');
    expect((await app.rest.get(self)).one).toMatchObject({ id: found?.id, attributes: { locale, key } });
    expect((await app.rest.get(`/translation/${encodeURIComponent(String(found?.id))}`)).status).toBe(200);
  });

  it.each([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('\ufeff{"data":{}}', 'utf16le')],
    ['bytes that are no text', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['NUL', Buffer.from([0])],
  ])('20. rejects a body of %s', async (_, body) => {
    for (const [path, type] of [
      ['/api/rest/user', 'application/vnd.api+json'],
      ['/api/rpc/user/create', 'application/json'],
      ['/api/rpc/$transaction/sequential', 'application/json'],
    ] as const) {
      expect(await statusOf(suite, 'POST', path, { type, body })).toBe(400);
    }
    expect(suite.database.statements.all).toEqual([]);
  });

  it('20. rejects a Json text that the database cannot store with 400', async () => {
    const { status } = await suite.app.rpc.call('auditEvent/create', { data: { type: randomUUID(), payload: { text: 'a\0b' } } });
    expect(status).toBe(400);
    const rest = { data: { type: 'auditEvent', attributes: { kind: 'x', payload: { text: 'a\0b' } } } };
    expect((await suite.app.rest.post('/auditEvent', rest)).status).toBe(400);
    expect((await suite.app.rest.get('/user/1')).status).toBe(200);
  });
});

interface Body {
  readonly type: string;
  readonly body: Buffer;
}

/** Sends a request without an HTTP client, which would normalize the path or fail on the response. */
function statusOf({ app }: SecuritySuite, method: string, path: string, content?: Body): Promise<number | 'closed'> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve) => {
    const headers = content ? { 'Content-Type': content.type, 'Content-Length': content.body.length } : {};
    const outgoing = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      response.resume().on('end', () => {
        resolve(response.statusCode ?? 0);
      });
    });
    outgoing.on('error', () => {
      resolve('closed');
    });
    outgoing.end(content?.body);
  });
}
