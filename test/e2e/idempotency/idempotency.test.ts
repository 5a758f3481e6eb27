import { describe, expect, it } from '@jest/globals';
import { onPlatforms } from '../../support/test-app.js';
import { ADA, gate, KEY, KeyedApps, REST, RPC, type Sent, tag } from './idempotency-suite.js';

/** Writes that may have a key. Each changes the database so that a second execution would be noticed. */
const WRITES: readonly (readonly [string, Sent])[] = [
  ['a create of REST', tag('new')],
  ['an update of REST', { method: 'PATCH', path: `${REST}/post/1`, body: { data: { type: 'post', id: 1, attributes: { title: 'New' } } } }],
  ['a PUT of REST', { method: 'PUT', path: `${REST}/post/1`, body: { data: { type: 'post', id: 1, attributes: { title: 'New' } } } }],
  ['a delete of REST', { method: 'DELETE', path: `${REST}/comment/1` }],
  ['members that are added', { path: `${REST}/post/1/relationships/tags`, body: { data: [{ type: 'tag', id: 5 }] } }],
  [
    'a to-one that is replaced',
    { method: 'PATCH', path: `${REST}/post/1/relationships/reviewer`, body: { data: { type: 'user', id: 4 } } },
  ],
  [
    'atomic operations',
    {
      path: `${REST}/operations`,
      body: {
        'atomic:operations': [
          { op: 'add', data: { type: 'tag', lid: 'a', attributes: { name: 'new' } } },
          { op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [{ type: 'tag', lid: 'a' }] },
        ],
      },
    },
  ],
  ['an action of REST', { path: `${REST}/tag/1/shout` }],
  ['a create of RPC', { path: `${RPC}/tag/create`, body: { data: { name: 'new' } } }],
  ['an update of RPC', { method: 'PATCH', path: `${RPC}/tag/update`, body: { where: { id: 1 }, data: { posts: { set: [] } } } }],
  ['many at once in RPC', { path: `${RPC}/tag/createMany`, body: { data: [{ name: 'new' }, { name: 'newer' }] } }],
  ['an upsert of RPC', { path: `${RPC}/tag/upsert`, body: { where: { id: 1 }, create: { name: 'x' }, update: { name: 'y' } } }],
  ['a delete of RPC', { method: 'DELETE', path: `${RPC}/comment/delete?q=${encodeURIComponent('{"where":{"id":1}}')}` }],
  [
    'a batch of RPC',
    {
      path: `${RPC}/$transaction/sequential`,
      body: [
        { model: 'tag', op: 'create', args: { data: { name: 'new' } } },
        { model: 'tag', op: 'count' },
        { model: 'post', op: 'update', args: { where: { id: 1 }, data: { title: 'New' } } },
      ],
    },
  ],
  ['an action of RPC', { path: `${RPC}/tag/shout`, body: { where: { id: 1 } } }],
];

onPlatforms('idempotency keys', (platform) => {
  const apps = new KeyedApps(platform);
  const keyed: KeyedApps['keyed'] = (...given) => apps.keyed(...given);
  const start: KeyedApps['startWith'] = (...given) => apps.startWith(...given);
  const records = (): Promise<number> => apps.records();
  const tags = (): Promise<number> => apps.tags();
  /** Reads all rows that a second execution would change. */
  const state = async (): Promise<string> => {
    const { prisma } = apps.database;
    const posts = prisma.post.findMany({ include: { tags: true }, omit: { updatedAt: true }, orderBy: { id: 'asc' } });
    const rows = [posts, prisma.tag.findMany({ orderBy: { id: 'asc' } }), prisma.comment.count()];
    return JSON.stringify(await Promise.all(rows));
  };

  describe('a repeated write', () => {
    it.each(WRITES)('IK-03, IK-06, IK-17: is executed once, and has the same response byte for byte: %s', async (_, sent) => {
      const before = await state();
      const first = await keyed(sent);
      expect([first.status < 300, first.isReplayed]).toEqual([true, false]);
      const after = await state();
      const second = await keyed(sent);
      expect(second).toEqual({ ...first, isReplayed: true });
      expect([after === before && !sent.path.includes('upsert'), await state()]).toEqual([false, after]);
      expect(await records()).toBe(1);
    });

    it('IK-17: returns the stored response, although the record has been deleted since', async () => {
      const first = await keyed(tag('new'));
      await apps.database.prisma.tag.deleteMany({ where: { name: 'new' } });
      expect(await keyed(tag('new'))).toEqual({ ...first, isReplayed: true });
      expect([first.status, first.headers['location']]).toEqual([201, expect.stringMatching(/\/tag\/\d+$/)]);
      expect(await tags()).toBe(0);
    });

    it('IK-03: of a delete is a 204 again', async () => {
      const sent = { method: 'DELETE', path: `${REST}/comment/1` };
      expect([(await keyed(sent)).status, (await keyed(sent)).status, (await keyed(sent, 'other')).status]).toEqual([204, 204, 404]);
    });

    it('IK-08: stores its record at the start of the transaction of the write', async () => {
      await keyed(tag('new'));
      const all = apps.database.statements.all.map((statement) => /BEGIN|COMMIT|IdempotencyKey|Tag/.exec(statement)?.[0]);
      const own = all.slice(all.lastIndexOf('BEGIN')).filter((word) => word !== undefined);
      expect(own.filter((word, index) => word !== own[index - 1])).toEqual(['BEGIN', 'IdempotencyKey', 'Tag', 'IdempotencyKey', 'COMMIT']);
    });

    it('IK-02: has no key in a statement', async () => {
      await keyed(tag('new'));
      expect(apps.database.statements.all.filter((statement) => statement.includes(KEY))).toEqual([]);
    });

    it('IK-11, IK-12: sent fifty times concurrently is executed once', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => keyed(tag('new'))));
      const [first] = answers.filter(({ isReplayed }) => !isReplayed);
      for (const answer of answers) expect({ ...answer, isReplayed: false }).toEqual(first);
      expect([answers.filter(({ isReplayed }) => isReplayed).length, await tags(), await records()]).toEqual([49, 1, 1]);
    }, 60_000);

    it('IK-11: waits for the running first one, and returns its response', async () => {
      gate.close();
      const sent = { path: `${REST}/tag/slowly` };
      const first = keyed(sent);
      await gate.arrived;
      const second = keyed(sent);
      gate.open();
      expect(await second).toEqual({ ...(await first), isReplayed: true });
      expect(await apps.database.prisma.tag.count({ where: { name: 'slow' } })).toBe(1);
    });
  });

  describe('the fingerprint of a request', () => {
    const body = { data: { type: 'tag', attributes: { name: 'new' } } };
    const path = `${REST}/tag?fields[tag]=name&include=posts`;

    it.each<readonly [string, Sent]>([
      ['IK-05, IK-19: a body with equal JSON', { path, body: '{ "data": {"attributes":{"name": "n\\u0065w"}, "type":"tag"} }' }],
      ['IK-05: a query in another order', { path: `${REST}/tag?include=posts&fields%5Btag%5D=name`, body }],
      ['IK-05: another Accept and Authorization', { path, body, headers: { accept: '*/*', authorization: 'Bearer renewed' } }],
    ])('%s is the same request', async (_, sent) => {
      const first = await keyed({ path, body });
      expect(await keyed(sent)).toEqual({ ...first, isReplayed: true });
    });

    it.each<readonly [string, Sent]>([
      ['another body', { path, body: { data: { type: 'tag', attributes: { name: 'other' } } } }],
      ['another query', { path: `${REST}/tag?include=posts`, body }],
      ['an If-Match', { path, body, headers: { 'if-match': '"1"' } }],
      ['another media type', { path, body, headers: { 'content-type': 'application/json' } }],
      ['a body that cannot be read', { path, body: '{' }],
    ])('IK-05, IK-06, IK-07: %s is another request: 422', async (_, sent) => {
      await keyed({ path, body });
      const answer = await keyed(sent);
      expect([answer.status, answer.code]).toEqual([422, 'idempotency-key-reused']);
      expect(JSON.parse(answer.text)).toMatchObject({
        errors: [{ source: { header: 'Idempotency-Key' }, links: { type: expect.stringContaining('idempotency-key-header') } }],
      });
      expect([await tags(), await records()]).toEqual([1, 1]);
    });

    it('IK-07: has its error code as the reason in RPC', async () => {
      await keyed({ path: `${RPC}/tag/create`, body: { data: { name: 'new' } } });
      const answer = await keyed({ path: `${RPC}/tag/create`, body: { data: { name: 'newer' } } });
      expect([answer.status, answer.code]).toEqual([422, 'idempotency-key-reused']);
    });

    it.each<readonly [string, Sent, Sent['headers']]>([
      ['another caller', tag('newest'), { 'x-caller': 'Ada' }],
      ['an anonymous caller', tag('newest'), {}],
      ['another path', { path: `${RPC}/tag/create`, body: { data: { name: 'newest' } } }, ADA],
      [
        'another method',
        { method: 'PATCH', path: `${REST}/tag/1`, body: { data: { type: 'tag', id: 1, attributes: { name: 'newest' } } } },
        ADA,
      ],
    ])('IK-04: are separate for %s', async (_, sent, headers) => {
      await keyed(tag('new'));
      const { status, isReplayed } = await keyed(sent, KEY, headers);
      expect([status < 300, isReplayed, await tags(), await records()]).toEqual([true, false, 2, 2]);
    });
  });

  describe('a key', () => {
    it.each<readonly [string, string]>([
      [`"${KEY}"`, KEY],
      [KEY, `"${KEY}" ; foo=1;bar`],
      ['a:b/c~1', '"a:b/c~1"'],
      ['"with \\"quotes\\" and \\\\"', '"with \\"quotes\\" and \\\\";a'],
      ['"'.padEnd(256, 'x') + '"', 'x'.repeat(255)],
    ])('IK-01, IK-20: is the same in quotes and bare: %s', async (one, other) => {
      await keyed(tag('new'), one);
      const second = await keyed(tag('new'), other);
      expect([second.status, second.isReplayed, await records()]).toEqual([201, true, 1]);
    });

    it.each([
      'two words',
      'a, b',
      '"a", "b"',
      '""',
      '"open',
      'close"',
      '"back\\slash"',
      '"ü"',
      'x'.repeat(256),
      `"${'x'.repeat(256)}"`,
      '{}',
      ' ;x=1',
    ])('IK-01: is rejected if it is invalid: %s', async (key) => {
      const answer = await keyed(tag('new'), Buffer.from(key).toString('latin1'));
      expect([answer.status, answer.code]).toEqual([400, 'unsupported-header']);
      expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ source: { header: 'Idempotency-Key' } }] });
      expect([await tags(), await records()]).toEqual([0, 0]);
    });

    it('IK-02: is compared byte by byte', async () => {
      const keys = ['key', 'KEY', 'kEy', 'key.'];
      for (const [index, key] of keys.entries()) expect((await keyed(tag(`new ${index}`), key)).status).toBe(201);
      expect([await tags(), await records()]).toEqual([4, 4]);
    });

    it('IK-04: of an anonymous caller must be random', async () => {
      const answer = await keyed(tag('new'), 'order-1', {});
      expect([answer.status, answer.code]).toEqual([400, 'unsupported-header']);
      expect((await keyed(tag('new'), KEY, {})).status).toBe(201);
    });

    it('IK-01: needs quotes in strict REST', async () => {
      const strict = await start({}, { rest: { strict: true }, resources: { AuditEvent: { fields: { type: { name: 'kind' } } } } });
      const sent = { ...tag('new'), headers: ADA };
      expect((await keyed(sent, KEY, ADA, strict)).code).toBe('unsupported-header');
      expect((await keyed(sent, `"${KEY}"`, ADA, strict)).status).toBe(201);
      expect((await keyed({ path: `${RPC}/tag/create`, body: { data: { name: 'new2' } } }, KEY, ADA, strict)).status).toBe(201);
    });

    it.each<readonly [string, Sent]>([
      ['GET', { method: 'GET', path: `${REST}/tag` }],
      ['findMany', { method: 'GET', path: `${RPC}/tag/findMany` }],
      ['a read by POST', { path: `${RPC}/tag/findMany`, body: {}, headers: { 'x-http-method-override': 'GET' } }],
      ['a batch of reads', { path: `${RPC}/$transaction/sequential`, body: [{ model: 'tag', op: 'count' }] }],
    ])('IK-03, IK-20: is ignored for a read: %s', async (_, sent) => {
      for (const key of [KEY, 'two words']) {
        const { status, isReplayed } = await keyed(sent, key);
        expect([status, isReplayed]).toEqual([200, false]);
      }
      expect(await records()).toBe(0);
    });
  });
});
