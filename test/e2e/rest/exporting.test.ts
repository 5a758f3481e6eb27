import { connect } from 'node:net';
import { defineRules, withRowLevelSecurity } from '../../../lib/index.js';
import type { TestDatabase } from '../../support/database.js';
import { onDatabases, listsIn } from '../../support/databases/this-database.js';
import { startTestApp } from '../../support/test-app.js';
import { CSV, describeExports, errorOf, idsOf, linesOf, NDJSON, take } from './export-suite.js';

describeExports('exporting', (suite) => {
  const { start } = suite;

  describe('negotiation', () => {
    it.each([
      ['application/x-ndjson', 'application/x-ndjson'],
      ['application/jsonl', 'application/jsonl'],
      ['text/csv', 'text/csv; charset=utf-8; header=present'],
      ['TEXT/CSV; header=present', 'text/csv; charset=utf-8; header=present'],
      ['text/csv, */*', 'text/csv; charset=utf-8; header=present'],
      ['text/csv;q=0.5, application/x-ndjson', 'application/x-ndjson'],
      ['application/vnd.api+json;q=0.5, text/csv', 'text/csv; charset=utf-8; header=present'],
      ['*/*', 'application/vnd.api+json'],
      ['text/*', 'application/vnd.api+json'],
      ['text/csv;q=0.5, */*', 'application/vnd.api+json'],
      ['text/csv, application/vnd.api+json', 'application/vnd.api+json'],
      ['text/csv;q=0, */*;q=0.1', 'application/vnd.api+json'],
      ['text/csv;header=absent, */*', 'application/vnd.api+json'],
    ])('SE-02: Accept: %s is answered as %s', async (accept, type) => {
      const { status, headers } = await take(suite.app, '/tag', { accept });
      expect([status, headers['content-type']]).toEqual([200, type]);
      expect(headers.vary).toMatch(/Accept/);
    });

    it.each([
      ['one resource', '/tag/1'],
      ['a to-one related resource', '/post/1/author'],
      ['linkage', '/post/1/relationships/tags'],
    ])('SE-02: %s has no export: 406, or a document if Accept allows it', async (_, path) => {
      expect(errorOf(await take(suite.app, path))).toEqual([406, 'not-acceptable Accept']);
      expect((await take(suite.app, path, { accept: 'text/csv, */*;q=0.1' })).headers['content-type']).toBe('application/vnd.api+json');
    });

    it('SE-02: is off by default: 406, or a document if Accept allows it', async () => {
      const off = await start({ rest: { export: false } });
      expect(errorOf(await take(off, '/tag', { accept: CSV }))).toEqual([406, 'not-acceptable Accept']);
      expect(errorOf(await take(off, '/tag'))).toEqual([406, 'not-acceptable Accept']);
      expect((await take(off, '/tag', { accept: 'text/csv, */*' })).status).toBe(200);
      expect((await take(off, '/tag', { accept: 'text/html' })).status).toBe(200);
    });

    it('SE-02, SE-12: sends Cache-Control: no-store, no ETag and no length', async () => {
      const { headers } = await take(suite.app, '/tag');
      expect(headers).toMatchObject({
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
        'transfer-encoding': 'chunked',
      });
      expect([headers.etag, headers['content-length'], headers['content-disposition']]).toEqual([undefined, undefined, undefined]);
    });

    it('SE-05: a snapshot is not offered by default', async () => {
      expect((await take(suite.app, '/tag', { headers: { Prefer: 'snapshot' } })).status).toBe(200);
      const strict = await take(suite.app, '/tag', { headers: { Prefer: 'snapshot, handling=strict' } });
      expect(errorOf(strict)).toEqual([400, 'unsupported-header Prefer']);
    });

    it('SE-02: HEAD runs no query', async () => {
      suite.database.statements.clear();
      const { status, headers, text } = await take(suite.app, '/tag?sort=-name', { method: 'HEAD' });
      expect([status, headers['content-type'], text, suite.database.statements.all]).toEqual([200, NDJSON, '', []]);
      expect((await take(suite.app, '/tag?sort=nothing', { method: 'HEAD' })).status).toBe(400);
    });

    it('SE-08: answers HTTP/1.0, which has no chunked encoding, with 406', async () => {
      const { hostname, port } = new URL(suite.app.url);
      const socket = connect(Number(port), hostname);
      socket.write(`GET /api/rest/tag HTTP/1.0\r\nHost: x\r\nAccept: ${NDJSON}\r\n\r\n`);
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      expect(text).toMatch(/^HTTP\/1\.\d 406 /);
    });

    it.each([
      ['/tag?page[limit]=1', NDJSON, 'unsupported-parameter page[limit]'],
      ['/tag?page[after]=x', CSV, 'unsupported-parameter page[after]'],
      ['/tag?page[after]=x', NDJSON, 'invalid-page page[after]'],
      ['/post?include=author', NDJSON, 'unsupported-parameter include'],
      [
        '/post?include=tags&includePage[tags][limit]=1',
        CSV,
        'unsupported-parameter include,unsupported-parameter includePage[tags][limit]',
      ],
      ['/post?sort=tags.$count', NDJSON, 'invalid-sort sort'],
      ['/post?filter[nothing]=1', NDJSON, 'invalid-filter filter[nothing]'],
      ['/post?nothing=1', CSV, 'unsupported-parameter nothing'],
    ])('SE-02, SE-04: %s as %s is rejected with an error document', async (path, accept, expected) => {
      const refused = await take(suite.app, path, { accept });
      expect([refused.headers['content-type'], ...errorOf(refused)].join()).toBe(`application/vnd.api+json,400,${expected}`);
    });
  });

  describe('NDJSON', () => {
    it('SE-01, SE-03: has a line for each resource, and a last line with complete: true and the count', async () => {
      const exported = await take(suite.app, '/post?filter[published]=true&sort=-title&fields[post]=title,author,tags,createdAt');
      const { many } = await suite.app.rest.get('/post?filter[published]=true&sort=-title&fields[post]=title,author,tags,createdAt');
      const lines = linesOf(exported);
      expect(exported.isWhole).toBe(true);
      expect(lines.at(-1)).toEqual({ meta: { complete: true, count: many.length } });
      expect(lines.slice(0, -1)).toEqual(
        many.map(({ type, id, attributes, relationships }) => ({
          type,
          id,
          attributes,
          relationships: { author: { data: relationships['author']?.data } },
          meta: { page: { cursor: expect.any(String) as string } },
        })),
      );
    });

    it('SE-03: an empty export has the last line, too', async () => {
      const exported = await take(suite.app, '/post?filter[id]=999');
      expect([exported.text, exported.isWhole]).toEqual(['{"meta":{"complete":true,"count":0}}\n', true]);
    });

    it('SE-03: continues after the cursor of a line', async () => {
      const all = await take(suite.app, '/comment?sort=-createdAt');
      const lines = linesOf(all);
      const [, , third] = lines;
      const rest = await take(suite.app, `/comment?sort=-createdAt&page[after]=${String(third?.meta.page.cursor)}`);
      expect(idsOf(rest)).toEqual(idsOf(all).slice(3));
      expect(linesOf(rest).at(-1)?.meta.count).toBe(lines.length - 4);
      const other = await take(suite.app, `/comment?sort=createdAt&page[after]=${String(third?.meta.page.cursor)}`);
      expect(errorOf(other)).toEqual([400, 'invalid-page page[after]']);
    });

    it('SE-03: has version tags', async () => {
      const versioned = await start({ resources: { Post: { version: 'viewCount' } } });
      const [line] = linesOf(await take(versioned, '/post?filter[id]=1&fields[post]=title'));
      expect(line?.meta).toMatchObject({ etag: expect.stringMatching(/^"\d+"$/) as string });
    });

    it('SE-02: exports related collections, and by QUERY', async () => {
      const related = await take(suite.app, '/user/1/posts?sort=-id');
      expect(idsOf(related)).toEqual((await suite.app.rest.get('/user/1/posts?sort=-id')).ids);
      expect(errorOf(await take(suite.app, '/user/999/posts'))).toEqual([404, 'not-found nowhere']);
      const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
      expect(idsOf(await take(suite.app, '/tag', { method: 'QUERY', headers: type, body: 'filter[id]=2' }))).toEqual([2]);
    });
  });

  describe('CSV', () => {
    it('SE-10: has the id, the attributes and the ids of to-one relationships', async () => {
      await suite.database.prisma.post.updateMany({ data: { publishedAt: null, ...listsIn({ keywords: ['a', 'b,c'] }) } });
      await suite.database.prisma.post.update({ where: { id: 1 }, data: { title: 'a "b", c', content: '', reviewerId: null } });
      const [list, cell] = listsIn([',keywords', '"[""a"",""b,c""]",']) ?? ['', ''];
      const path = `/post?filter[id]=1&fields[post]=reviewer,author,title,content,publishedAt${list},published,viewCount`;
      const { text, headers } = await take(suite.app, path, { accept: CSV });
      const { viewCount, published } = await suite.database.prisma.post.findUniqueOrThrow({ where: { id: 1 } });
      expect(text).toBe(
        [
          `id,title,content,publishedAt${list},published,viewCount,reviewer,author`,
          `1,"a ""b"", c","",,${cell}${String(published)},${viewCount},,1`,
          '',
        ].join('\r\n'),
      );
      expect(headers['content-disposition']).toBe('attachment; filename="post.csv"');
    });

    it('SE-10: has the columns of the schema without fields', async () => {
      const { text } = await take(suite.app, '/orderLine', { accept: CSV });
      expect(text.split('\r\n', 1)).toEqual(['id,orderId,productId,quantity,unitPrice,order,product']);
      expect((await take(suite.app, '/post?fields[post]=', { accept: CSV })).text).toMatch(/^id\r\n1\r\n/);
    });

    it('SE-10: writes values as in JSON', async () => {
      const at = new Date('2026-01-02T03:04:05.678Z');
      await suite.database.prisma.post.update({ where: { id: 1 }, data: { rating: '-1.50', createdAt: at, metadata: { a: 'x"y' } } });
      const { text } = await take(suite.app, '/post?filter[id]=1&fields[post]=rating,createdAt,metadata', { accept: CSV });
      expect(text.split('\r\n')[1]).toBe('1,-1.5,2026-01-02T03:04:05.678Z,"{""a"":""x\\""y""}"');
    });

    const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'a=1', "'x", ' =1', '1\n2'];

    it.each([
      [undefined, ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", `"'\rx"`, 'a=1', "'x", ' =1', '"1\n2"']],
      [false, ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '"\rx"', 'a=1', "'x", ' =1', '"1\n2"']],
    ])('SE-11: escapes texts that spreadsheets would execute, with escapeFormulas: %s', async (escapeFormulas, expected) => {
      const csv = await start({ rest: { export: escapeFormulas === undefined ? true : { csv: { escapeFormulas } } } });
      await suite.database.prisma.country.deleteMany({ where: { warehouses: { none: {} } } });
      await suite.database.prisma.country.createMany({ data: FORMULAS.map((name, index) => ({ code: `z${index}`, name })) });
      const { text } = await take(csv, '/country?filter[code$startsWith]=z&fields[country]=name', { accept: CSV });
      expect(text).toBe(['id,name', ...expected.map((name, index) => `z${index},${name}`), ''].join('\r\n'));
    });

    it('SE-11: escapes ids that are texts', async () => {
      await suite.database.prisma.translation.create({ data: { locale: '=cmd', key: '+k', text: 'x' } });
      const { text } = await take(suite.app, '/translation?filter[locale]==cmd', { accept: CSV });
      expect(text.split('\r\n')[1]).toBe("'=cmd_+k,'=cmd,'+k,x");
    });

    it('SE-10: has a byte order mark with the option bom', async () => {
      const marked = await start({ rest: { export: { csv: { bom: true } } } });
      expect((await take(marked, '/tag', { accept: CSV })).text.slice(0, 3)).toBe('\ufeffid');
      expect((await take(suite.app, '/tag', { accept: CSV })).text.slice(0, 2)).toBe('id');
    });
  });

  describe('rights', () => {
    it('contains only readable rows and exposed fields', async () => {
      const rules = defineRules<TestDatabase['prisma']>()({ '*': true, 'Post': { read: { id: { in: [2, 4] } }, update: true } });
      const ruled = await start({ rules });
      expect(idsOf(await take(ruled, '/post?sort=-id'))).toEqual([4, 2]);
      const { text } = await take(suite.app, '/user', { accept: CSV });
      expect(text).not.toMatch(/passwordHash|recoveryCode|pin\b/);
      expect(errorOf(await take(suite.app, '/user?sort=passwordHash'))).toEqual([400, 'invalid-sort sort']);
      const hidden = await start({ resources: { Post: { actions: ['create'] } } });
      expect(errorOf(await take(hidden, '/post'))).toEqual([403, 'forbidden nowhere']);
    });

    onDatabases('postgresql').it('reads each batch as the caller of the request', async () => {
      const roles: string[] = [];
      const bound = await start({
        getClient: (request) => {
          roles.push(request.method);
          return withRowLevelSecurity(suite.database.prisma, { settings: { 'app.user_id': '1' } });
        },
      });
      expect(idsOf(await take(bound, '/tag'))).toEqual([1, 2, 3, 4, 5]);
      expect(roles).toEqual(['GET']);
    });
  });

  it.each([
    [{ export: 'yes' }, "rest.export is 'yes'."],
    [{ export: { cvs: {} } }, "rest.export names 'cvs', which is no option here."],
    [{ export: { csv: { boom: true } } }, "rest.export.csv names 'boom', which is no option here."],
    [{ export: { csv: { bom: 1 } } }, "rest.export.csv.bom is '1'."],
    [{ export: { snapshot: { max: 0 } } }, "rest.export.snapshot.max is '0'."],
    [{ export: { snapshot: { maxDuration: 'for ever' } } }, "rest.export.snapshot.maxDuration is 'for ever'."],
    [{ export: { snapshot: { maxDuration: '25d' } } }, "rest.export.snapshot.maxDuration is '25d'."],
    [{ export: { snapshot: { most: 1 } } }, "rest.export.snapshot names 'most', which is no option here."],
  ])('rejects the option %j at boot', async (rest, text) => {
    // The types reject them, but plain JavaScript can pass them.
    await expect(startTestApp({ platform: suite.platform, database: suite.database, options: { rest: rest as never } })).rejects.toThrow(
      text,
    );
  });
});
