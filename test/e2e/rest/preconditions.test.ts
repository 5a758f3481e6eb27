import { defineRules } from '../../../lib/index.js';
import type { TestDatabase } from '../../support/database.js';
import type { RestResponse } from '../../support/rest-client.js';
import { startTestApp } from '../../support/test-app.js';
import { describeVersions, STALE, TITLE, VERSIONS } from './versions-suite.js';
import { refusalOf, tag, user } from './write-suite.js';

const etagOf = ({ headers }: RestResponse): string => String(headers['etag']);
const metaOf = (resource: object): unknown => (resource as { readonly meta?: unknown }).meta;

describeVersions('preconditions', {}, (suite) => {
  const { platform, start, versionOf, titleOf, patch } = suite;

  it('CC-01, CC-14: a single resource has a strong ETag of its version and its bytes', async () => {
    const plain = await suite.app.rest.get('/post/1');
    expect(etagOf(plain)).toMatch(new RegExp(`^"${await versionOf()}\\.[\\w-]{27}"$`));
    expect(etagOf(await suite.app.rest.get('/post/1'))).toBe(etagOf(plain));
  });

  it('CC-02: include and fields change the ETag, but not its version', async () => {
    const tags = await Promise.all(
      ['', '?include=author', '?fields[post]=title', '?include=author,tags'].map((query) => suite.app.rest.get(`/post/1${query}`)),
    );
    expect(new Set(tags.map(etagOf)).size).toBe(4);
    expect(new Set(tags.map((response) => etagOf(response).split('.')[0])).size).toBe(1);
  });

  it('CC-13: the version is read-only in both styles, and starts at its default', async () => {
    const given = { data: { type: 'post', attributes: { title: 'T', viewCount: 5 }, relationships: { author: { data: user(1) } } } };
    expect((await suite.app.rest.post('/post', given)).status).toBe(400);
    const { viewCount, ...attributes } = given.data.attributes;
    expect(viewCount).toBe(5);
    const made = await suite.app.rest.post('/post', { data: { ...given.data, attributes } });
    expect([made.status, metaOf(made.one)]).toEqual([201, { etag: '"0"' }]);
    expect(etagOf(made)).toMatch(/^"0\./);
    expect((await suite.app.rpc.call('post/update', { where: { id: 1 }, data: { viewCount: 9 } })).status).toBe(400);
  });

  it.each([
    [{ Post: { version: 'title' } }, 'Post.title cannot be a version: it is no integer.'],
    [{ Post: { version: 'createdAt' } }, 'Post.createdAt cannot be a version: it is no integer.'],
    [{ Post: { version: 'categoryId' } }, 'Post.categoryId cannot be a version: it may be null.'],
    [{ Post: { version: 'authorId' } }, 'Post.authorId cannot be a version: it has no default to start at.'],
    [{ Post: { version: 'nothing' } }, 'Post.nothing cannot be a version: there is no such field.'],
    [{ Post: { concurrency: 'required' } }, "resources.Post.concurrency is 'required', and Post has no version."],
    [{ Post: { version: 'viewCount', concurrency: 'none' } }, "resources.Post.concurrency is 'none'."],
  ])('CC-13: %j is rejected at boot', async (resources, text) => {
    // The types reject them, but plain JavaScript can pass them.
    await expect(startTestApp({ platform, database: suite.database, options: { resources: resources as never } })).rejects.toThrow(text);
  });

  it('CC-15: If-Match accepts the tags of a read with include and of a list', async () => {
    const included = await suite.app.rest.get('/post/1?include=author');
    expect((await patch({ 'If-Match': etagOf(included) })).status).toBe(200);
    const listed = await suite.app.rest.get('/post?filter[id]=1');
    const { etag } = metaOf(listed.many[0] ?? {}) as { readonly etag: string };
    expect((await patch({ 'If-Match': etag })).status).toBe(200);
  });

  it('CC-07, CC-12, CC-21: a stale tag is a 412 that writes nothing and contains no value of the row', async () => {
    const first = etagOf(await suite.app.rest.get('/post/1'));
    const changed = await patch({ 'If-Match': first });
    expect(changed.status).toBe(200);
    const second = await suite.app.rest.patch('/post/1', { data: { ...TITLE.data, attributes: { title: 'Lost' } } }, { 'If-Match': first });
    expect([refusalOf(second), second.text.includes('Changed')]).toEqual([STALE, false]);
    expect(await titleOf()).toBe('Changed');
    expect((await patch({ 'If-Match': etagOf(changed) })).status).toBe(200);
  });

  it.each([
    ['CC-03: a weak tag', 'W/"VERSION"', STALE],
    ['CC-04: any version', '*', [200]],
    ['CC-04: one of several', '"99", "VERSION.x" , W/"7"', [200]],
    ['CC-04: none of several', '"99","98"', STALE],
    ['CC-15: a tag without a digest', '"VERSION"', [200]],
    ['CC-15: what is no version', '"abc"', STALE],
    ['CC-15: a number that is no Int', '"99999999999999999999"', STALE],
    ['CC-15: a number beyond Int', '"4294967296"', STALE],
    ['CC-04: * in a list', '*, "1"', [400, 'unsupported-header If-Match']],
    ['CC-04: no quotes', 'VERSION', [400, 'unsupported-header If-Match']],
    ['CC-04: nothing', '', [400, 'unsupported-header If-Match']],
  ])('%s: If-Match: %s', async (_, value, expected) => {
    const response = await patch({ 'If-Match': value.replace('VERSION', String(await versionOf())) });
    expect(response.status === 200 ? [200] : refusalOf(response)).toEqual(expected);
    expect(await titleOf()).toBe(expected === STALE || expected[0] === 400 ? await originalTitle() : 'Changed');
  });

  let original: string | undefined;
  const originalTitle = async (): Promise<string> => (original ??= await titleOf());

  it('CC-28: acceptWeakTags accepts tags that a proxy has weakened', async () => {
    const lenient = await start({ resources: VERSIONS, rest: { acceptWeakTags: true } });
    expect((await lenient.rest.patch('/post/1', TITLE, { 'If-Match': `W/"${await versionOf()}"` })).status).toBe(200);
  });

  it.each([
    ['an invalid body', () => suite.app.rest.patch('/post/1', '{', { 'If-Match': '"99"' }), [400, 'invalid-payload ']],
    ['a missing row', () => patch({ 'If-Match': '"99"' }, '/post/999'), undefined],
    [
      'another media type',
      () => suite.app.rest.patch('/post/1', TITLE, { 'If-Match': '"99"', 'Content-Type': 'text/plain' }),
      [415, 'unsupported-media-type Content-Type'],
    ],
    [
      'an unknown field',
      () => suite.app.rest.patch('/post/1', { data: { type: 'post', id: 1, attributes: { nothing: 1 } } }, { 'If-Match': '"99"' }),
      [400, 'invalid-payload /data/attributes/nothing'],
    ],
    [
      'a missing related row',
      () =>
        suite.app.rest.patch(
          '/post/1',
          { data: { type: 'post', id: 1, relationships: { tags: { data: [tag(999)] } } } },
          { 'If-Match': '"99"' },
        ),
      [404, 'not-found /data/relationships/tags/data/0'],
    ],
    ['a missing row to be deleted', () => suite.app.rest.delete('/post/999', undefined, { 'If-Match': '*' }), [404, 'not-found nowhere']],
    [
      'a missing row whose tags are changed',
      () => suite.app.rest.post('/post/999/relationships/tags', { data: [tag(1)] }, { 'If-Match': '"1"' }),
      [404, 'not-found nowhere'],
    ],
  ] as const)('CC-05: %s is reported instead of 412', async (_, send, expected) => {
    const response = await send();
    if (expected) expect(refusalOf(response)).toEqual(expected);
    else expect(response.status).toBe(409);
  });

  it('CC-20: P2025 of a missing row stays 404', async () => {
    const body = { data: { type: 'post', id: 999, attributes: { title: 'x' } } };
    expect(refusalOf(await suite.app.rest.patch('/post/999', body, { 'If-Match': '"1"' }))).toEqual([404, 'not-found nowhere']);
  });

  it('CC-20: an unreadable row is a 404 with any version', async () => {
    const rules = defineRules<TestDatabase['prisma']>()({
      '*': true,
      'Post': { read: { id: { not: 1 } }, update: true, delete: true, create: true },
    });
    const ruled = await start({ resources: VERSIONS, rules });
    expect(refusalOf(await ruled.rest.patch('/post/1', TITLE, { 'If-Match': `"${await versionOf()}"` }))).toEqual([
      404,
      'not-found nowhere',
    ]);
    const other = { data: { type: 'post', id: 2, attributes: { title: 'x' } } };
    expect(refusalOf(await ruled.rest.patch('/post/2', other, { 'If-Match': '"99"' }))).toEqual(STALE);
    expect((await ruled.rest.patch('/post/2', other, { 'If-Match': `"${await versionOf(2)}"` })).status).toBe(200);
    const linked = await ruled.rest.post('/post/2/relationships/tags', { data: [tag(3)] }, { 'If-Match': '"99"' });
    expect(refusalOf(linked)).toEqual(STALE);
  });

  it.each(['If-Unmodified-Since', 'If-Modified-Since'])('CC-06: %s on a write is rejected, not ignored', async (name) => {
    expect(refusalOf(await patch({ [name]: 'Mon, 23 Nov 2026 00:00:00 GMT' }))).toEqual([400, `unsupported-header ${name}`]);
  });

  it.each([
    ['*', 200],
    ['ETAG', 200],
    ['"99", ETAG', 200],
    ['W/ETAG', 412],
    ['"99"', 412],
    ['*, "99"', 400],
    ['99', 400],
  ])('CC-06, CC-07: a read with If-Match: %s is %i', async (given, status) => {
    const { headers } = await suite.app.rest.get('/post/1');
    const ifMatch = given.replace('ETAG', String(headers['etag']));
    const answer = await suite.app.rest.get('/post/1', { 'If-Match': ifMatch, 'If-None-Match': '"other"' });
    const code = { 200: undefined, 412: 'precondition-failed If-Match', 400: 'unsupported-header If-Match' }[status];
    expect([answer.status, ...(status === 200 ? [] : refusalOf(answer).slice(1))]).toEqual([status, ...(code ? [code] : [])]);
    expect((await suite.app.rest.get('/post/99999', { 'If-Match': ifMatch })).status).toBe(404);
  });

  it.each(['*, "1"', '"1", *', '1', ''])('CC-04: a read with If-None-Match: %s is rejected', async (given) => {
    const answer = await suite.app.rest.get('/post', { 'If-None-Match': given });
    expect(refusalOf(answer)).toEqual([400, 'unsupported-header If-None-Match']);
  });

  it('CC-08, CC-09, CC-25, CC-27: If-None-Match of a read is 304 with the headers of the 200', async () => {
    const { headers } = await suite.app.rest.get('/post/1');
    const again = await suite.app.rest.get('/post/1', { 'If-None-Match': `W/${String(headers['etag'])}`, 'Cache-Control': 'no-cache' });
    expect([again.status, again.text]).toEqual([304, '']);
    for (const name of ['etag', 'vary', 'cache-control']) expect(again.headers[name]).toBe(headers[name]);
    await patch({});
    expect((await suite.app.rest.get('/post/1', { 'If-None-Match': String(headers['etag']) })).status).toBe(200);
  });

  it('CC-10: PATCH answers with the new ETag, and PUT does not', async () => {
    const patched = await patch({});
    expect(etagOf(patched)).toBe(etagOf(await suite.app.rest.get('/post/1')));
    const put = await suite.app.rest.put('/post/1', TITLE, { 'If-Match': etagOf(patched) });
    expect([put.status, put.headers['etag'], metaOf(put.one)]).toEqual([200, undefined, { etag: `"${await versionOf()}"` }]);
  });

  it('CC-11, CC-21: a write without If-Match is a 428 if concurrency is required', async () => {
    const strict = await start({ resources: { ...VERSIONS, Post: { version: 'viewCount', concurrency: 'required' } } });
    const refused = await strict.rest.patch('/post/1', TITLE);
    expect([...refusalOf(refused), refused.headers['cache-control']]).toEqual([428, 'precondition-required If-Match', 'no-store']);
    expect(refusalOf(await strict.rest.delete('/post/1'))).toEqual([428, 'precondition-required If-Match']);
    expect(refusalOf(await strict.rest.post('/post/1/relationships/tags', { data: [tag(3)] }))).toEqual([
      428,
      'precondition-required If-Match',
    ]);
    expect(refusalOf(await strict.rest.patch('/post/1', TITLE, { 'If-None-Match': '"5"' }))).toEqual([
      428,
      'precondition-required If-Match',
    ]);
    expect(refusalOf(await strict.rest.delete('/post/999'))).toEqual([404, 'not-found nowhere']);
    expect([await titleOf(), await versionOf()]).toEqual([await originalTitle(), await versionOf()]);
    expect((await strict.rest.patch('/post/1', TITLE, { 'If-Match': `"${await versionOf()}"` })).status).toBe(200);
    expect((await strict.rest.patch('/user/1', { data: { type: 'user', id: 1, attributes: { name: 'N' } } })).status).toBe(200);
  });

  it('CC-22: DELETE, PUT and relationships accept If-Match and If-None-Match', async () => {
    const version = await versionOf();
    const stale = { 'If-Match': `"${version + 7}"` };
    const same = { 'If-None-Match': `W/"${version}.x"` };
    const NONE_MATCH = [412, 'precondition-failed If-None-Match'];
    const writes = [
      (headers: Readonly<Record<string, string>>) => suite.app.rest.put('/post/1', TITLE, headers),
      (headers: Readonly<Record<string, string>>) => suite.app.rest.delete('/post/1', undefined, headers),
      (headers: Readonly<Record<string, string>>) => suite.app.rest.patch('/post/1/relationships/tags', { data: [] }, headers),
      (headers: Readonly<Record<string, string>>) => suite.app.rest.post('/post/1/relationships/tags', { data: [tag(3)] }, headers),
      (headers: Readonly<Record<string, string>>) => suite.app.rest.delete('/post/1/relationships/tags', { data: [tag(1)] }, headers),
      (headers: Readonly<Record<string, string>>) => suite.app.rest.patch('/post/1/relationships/author', { data: user(3) }, headers),
      (headers: Readonly<Record<string, string>>) => suite.app.rest.patch('/post/1/author', { data: user(3) }, headers),
    ];
    for (const write of writes) {
      expect(refusalOf(await write(stale))).toEqual(STALE);
      expect(refusalOf(await write(same))).toEqual(NONE_MATCH);
      expect(refusalOf(await write({ 'If-None-Match': '*' }))).toEqual(NONE_MATCH);
    }
    expect(await suite.database.prisma.post.findUnique({ where: { id: 1 }, include: { tags: true } })).toMatchObject({
      title: await originalTitle(),
      viewCount: version,
      authorId: 1,
      tags: [{ id: 1 }, { id: 2 }],
    });
    expect((await writes[1]?.({ 'If-Match': `"${version}"` }))?.status).toBe(204);
  });

  it.each(['If-Match', 'If-None-Match'])('CC-22: %s of a create is rejected', async (name) => {
    const body = { data: { type: 'tag', attributes: { name: 'new' } } };
    expect(refusalOf(await suite.app.rest.post('/tag', body, { [name]: '"1"' }))).toEqual([400, `unsupported-header ${name}`]);
  });

  it('CC-23: If-Match makes an upsert an update, and If-None-Match: * a create', async () => {
    const meta = { operation: 'upsert', matchFields: ['sku'] };
    const upsert = (sku: string, headers: Readonly<Record<string, string>>): Promise<RestResponse> =>
      suite.app.rest.post('/product', { data: { type: 'product', attributes: { sku, name: 'Upserted', price: '1' } }, meta }, headers);
    const { sku, stock } = await suite.database.prisma.product.findFirstOrThrow();
    expect(refusalOf(await upsert(sku, { 'If-Match': `"${stock + 1}"` }))).toEqual(STALE);
    expect((await upsert(sku, { 'If-Match': `"${stock}"` })).status).toBe(200);
    expect(refusalOf(await upsert('NONE', { 'If-Match': '*' }))).toEqual(STALE);
    expect(await suite.database.prisma.product.count({ where: { sku: 'NONE' } })).toBe(0);
    expect(refusalOf(await upsert(sku, { 'If-None-Match': '*' }))).toEqual([409, 'unique-conflict /data/attributes/sku']);
    expect((await upsert('NONE', { 'If-None-Match': '*' })).status).toBe(201);
    expect(refusalOf(await upsert(sku, { 'If-None-Match': `"${stock + 1}"` }))).toEqual([412, 'precondition-failed If-None-Match']);
  });

  it('CC-24: other URLs have weak ETags of their bytes, and their writes compare the version of the parent', async () => {
    for (const path of ['/post', '/post/1/tags', '/post/1/relationships/tags', '/user/1/posts'])
      expect(etagOf(await suite.app.rest.get(path))).toMatch(/^W\/"/);
    expect(refusalOf(await suite.app.rest.patch('/post/1/relationships/tags', { data: [] }, { 'If-Match': '"99"' }))).toEqual(STALE);
  });

  it('CC-26: responses to writes of models without a version, and of relationships, have no ETag', async () => {
    const responses = [
      await suite.app.rest.patch('/post/1/relationships/tags', { data: [] }),
      await suite.app.rest.post('/tag', { data: { type: 'tag', attributes: { name: 'new' } } }),
      await suite.app.rest.patch('/tag/1', { data: { type: 'tag', id: 1, attributes: { name: 'x' } } }),
    ];
    expect(responses.map(({ headers }) => headers['etag'])).toEqual([undefined, undefined, undefined]);
  });

  it('CC-29: every resource object of a model with a version has its tag in meta', async () => {
    const { one, included } = await suite.app.rest.get('/user/1?include=posts');
    expect(metaOf(one)).toEqual({ etag: expect.stringMatching(/^"\d+"$/) as string });
    expect(included.map(metaOf)).toEqual(included.map(() => ({ etag: expect.stringMatching(/^"\d+"$/) as string })));
    const comments = await suite.app.rest.get('/comment?include=post&page[limit]=2');
    expect(comments.many.map(metaOf)).toEqual([undefined, undefined]);
    expect(metaOf(comments.included[0] ?? {})).toBeDefined();
    const sparse = await suite.app.rest.get('/post?fields[post]=title&page[limit]=1');
    expect(sparse.many.map((resource) => [resource.attributes, metaOf(resource)])).toEqual([
      [{ title: expect.any(String) as string }, { etag: expect.any(String) as string }],
    ]);
  });

  it('a model without a version has no tag in meta, weak ETags, and rejects writes with a tag', async () => {
    const { one, headers } = await suite.app.rest.get('/tag/1');
    expect([metaOf(one), String(headers['etag']).startsWith('W/')]).toEqual([undefined, true]);
    const write = (given: Readonly<Record<string, string>>): Promise<RestResponse> =>
      suite.app.rest.patch('/tag/1', { data: { type: 'tag', id: 1, attributes: { name: 'x' } } }, given);
    expect(refusalOf(await write({ 'If-Match': String(headers['etag']) }))).toEqual(STALE);
    expect(refusalOf(await write({ 'If-None-Match': String(headers['etag']) }))).toEqual([400, 'unsupported-header If-None-Match']);
    expect((await write({ 'If-Match': '*' })).status).toBe(200);
  });
});
