import { createRpcClient } from '../../../lib/client/index.js';
import { sample } from '../../support/sample.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { onDatabases, THIS_DATABASE } from '../../support/databases/this-database.js';
import { writeOfOne } from '../../support/sql-reads.js';
import { describeVersions, STALE } from './versions-suite.js';
import { refusalOf, tag, user } from './write-suite.js';

/** A name, and a function that sends the write with these headers. */
type VersionedWrite = readonly [what: string, send: (headers: Readonly<Record<string, string>>) => Promise<{ readonly status: number }>];

describeVersions('versions', {}, (suite) => {
  const { start, versionOf, titleOf, patch } = suite;

  onDatabases('postgresql', 'sqlite').it('CC-17: are compared and incremented in the UPDATE itself', async () => {
    const version = await versionOf();
    suite.database.statements.clear();
    await patch({ 'If-Match': `"${version}"` });
    const updates = suite.database.statements.all.filter((text) => writeOfOne('UPDATE', 'i').test(text));
    expect(updates).toHaveLength(1);
    expect(updates[0]).toMatch(/WHERE.*viewCount/s);
    expect(await versionOf()).toBe(version + 1);
  });

  it.each([
    ['an attribute', () => patch({})],
    ['a to-one relationship', () => suite.app.rest.patch('/post/1/relationships/author', { data: user(3) })],
    ['a to-many relationship', () => suite.app.rest.post('/post/1/relationships/tags', { data: [tag(3)] })],
    ['a replaced to-many relationship', () => suite.app.rest.patch('/post/1/relationships/tags', { data: [] })],
    ['members that are removed', () => suite.app.rest.delete('/post/1/relationships/tags', { data: [tag(1)] })],
    [
      'a relationship of a document',
      () => suite.app.rest.patch('/post/1', { data: { type: 'post', id: 1, relationships: { tags: { data: [tag(2)] } } } }),
    ],
    ['update of RPC', () => suite.app.rpc.call('post/update', { where: { id: 1 }, data: { title: 'x' } })],
    ['updateMany of RPC', () => suite.app.rpc.call('post/updateMany', { where: { id: 1 }, data: { title: 'x' } })],
    [
      'upsert of RPC',
      () => suite.app.rpc.call('post/upsert', { where: { id: 1 }, create: { title: 'x', authorId: 1 }, update: { title: 'x' } }),
    ],
    [
      'a nested update of RPC',
      () =>
        suite.app.rpc.call('user/update', { where: { id: 1 }, data: { posts: { update: { where: { id: 1 }, data: { title: 'x' } } } } }),
    ],
    [
      'a nested updateMany of RPC',
      () =>
        suite.app.rpc.call('user/update', {
          where: { id: 1 },
          data: { posts: { updateMany: { where: { id: 1 }, data: { title: 'x' } } } },
        }),
    ],
  ])('CC-18: are incremented by a write of %s, so that a stale tag is rejected', async (_, write) => {
    const version = await versionOf();
    const { authorId } = await suite.database.prisma.post.findUniqueOrThrow({ where: { id: 1 } });
    expect(authorId).toBe(1);
    expect((await write()).status).toBe(200);
    expect(await versionOf()).toBe(version + 1);
    expect(refusalOf(await patch({ 'If-Match': `"${version}"` }))).toEqual(STALE);
  });

  it.each([
    ['connecting', { connect: [{ id: 1 }] }],
    ['setting', { set: [{ id: 1 }] }],
  ])('CC-19: are incremented once by %s a row from the other side', async (_, reviewedPosts) => {
    await suite.database.prisma.post.update({ where: { id: 1 }, data: { reviewerId: null } });
    const version = await versionOf();
    const link = () => suite.app.rpc.call('user/update', { where: { id: 3 }, data: { reviewedPosts } });
    expect([(await link()).status, await versionOf()]).toEqual([200, version + 1]);
    expect([(await link()).status, await versionOf()]).toEqual([200, version + 1]);
  });

  it('CC-19: are incremented for rows that lose their link', async () => {
    await suite.database.prisma.post.update({ where: { id: 1 }, data: { reviewerId: 2 } });
    const version = await versionOf();
    const cleared = await suite.app.rest.patch('/user/2/relationships/reviewedPosts', { data: [] });
    expect([cleared.status, await versionOf()]).toEqual([200, version + 1]);
    await suite.database.prisma.post.update({ where: { id: 1 }, data: { reviewerId: 2 } });
    expect(
      (await suite.app.rpc.call('user/update', { where: { id: 2 }, data: { reviewedPosts: { disconnect: [{ id: 1 }] } } })).status,
    ).toBe(200);
    expect(await versionOf()).toBe(version + 2);
    expect(refusalOf(await patch({ 'If-Match': `"${version}"` }))).toEqual(STALE);
  });

  onDatabases('postgresql', 'sqlite').it(
    'CC-32: are compared with If-Match in RPC: 412 for a stale one, 404 for a missing row',
    async () => {
      const version = await versionOf();
      const call = (operation: string, args: object, headers: Readonly<Record<string, string>>) =>
        suite.app.rpc.call(`post/${operation}`, args, { headers });
      const update = { where: { id: 1 }, data: { title: 'By RPC' } };
      const stale = await call('update', update, { 'If-Match': '"99"' });
      expect([stale.status, stale.error.code]).toEqual([412, 'P2025']);
      expect((await call('update', { ...update, where: { id: 999 } }, { 'If-Match': '"1"' })).status).toBe(404);
      expect((await call('update', { where: { id: 1 }, data: { tags: { connect: { id: 3 } } } }, { 'If-Match': '"99"' })).status).toBe(412);
      expect((await call('update', update, { 'If-Match': `"${version}"` })).status).toBe(200);
      expect(
        (await call('upsert', { where: { id: 1 }, create: { title: 'x', authorId: 1 }, update: { title: 'y' } }, { 'If-Match': '"99"' }))
          .status,
      ).toBe(412);
      expect((await call('delete', { where: { id: 1 } }, { 'If-Match': `"${version}"` })).status).toBe(412);
      expect((await call('delete', { where: { id: 1 }, include: { author: true } }, { 'If-Match': `"${version}"` })).status).toBe(412);
      for (const operation of ['findMany', 'updateMany', 'create'])
        expect((await call(operation, { where: { id: 1 }, data: { title: 'x' } }, { 'If-Match': '"1"' })).status).toBe(400);
      expect(await titleOf()).toBe('By RPC');
      expect((await call('delete', { where: { id: 1 }, include: { author: true } }, { 'If-Match': `"${version + 1}"` })).status).toBe(200);
    },
  );

  it('CC-32: are compared in where: 412 for a stale one, 404 for a missing row', async () => {
    const write = (where: object) => suite.app.rpc.call('post/update', { where, data: { title: 'x' } });
    const stale = await write({ id: 1, viewCount: 99 });
    expect([stale.status, stale.error.code]).toEqual([412, 'P2025']);
    expect((await write({ id: 999, viewCount: 99 })).status).toBe(404);
    expect((await write({ id: 1, title: 'none' })).status).toBe(404);
    expect((await write({ id: 1, viewCount: await versionOf() })).status).toBe(200);
  });

  it('CC-32: are compared with ifMatch beside args in a batch, which a stale one rolls back', async () => {
    const version = await versionOf();
    const batch = (ifMatch: unknown, headers = {}) =>
      suite.app.rpc.sequential(
        [
          { model: 'tag', op: 'update', args: { where: { id: 1 }, data: { name: 'batched' } } },
          { model: 'post', op: 'update', args: { where: { id: 1 }, data: { title: 'x' } }, ifMatch } as never,
        ],
        headers,
      );
    const stale = await batch('"99"');
    expect([stale.status, stale.error.message]).toEqual([412, 'operations[1]: The record has changed since its version was read.']);
    expect(await suite.database.prisma.tag.count({ where: { name: 'batched' } })).toBe(0);
    expect((await batch(7)).status).toBe(400);
    expect((await batch(`"${version}"`, { 'If-Match': '"1"' })).status).toBe(400);
    expect((await batch(`"${version}"`)).status).toBe(200);
  });

  it('CC-32: are required in RPC with concurrency: required', async () => {
    const strict = await start({ resources: { Post: { version: 'viewCount', concurrency: 'required' } } });
    const call = (operation: string, args: object, headers = {}) => strict.rpc.call(`post/${operation}`, args, { headers });
    const data = { title: 'x' };
    for (const [operation, args] of [
      ['update', { where: { id: 1 }, data }],
      ['updateMany', { where: { id: 1 }, data }],
      ['delete', { where: { id: 1 } }],
      ['deleteMany', { where: { id: 1, viewCount: { gt: 0 } } }],
      ['updateMany', { where: { OR: [{ viewCount: 1 }, { id: 1 }] }, data }],
    ] as const)
      expect([operation, (await call(operation, args)).status]).toEqual([operation, 428]);
    const viewCount = await versionOf();
    expect((await call('updateMany', { where: { id: 1, viewCount }, data })).data).toEqual({ count: 1 });
    expect((await call('update', { where: { id: 1 }, data }, { 'If-Match': `"${viewCount + 1}"` })).status).toBe(200);
    expect((await call('create', { data: { title: 'x', authorId: 1 } })).status).toBe(201);
  });

  it('CC-32: are sent by the typed client with ifMatch, in a batch for each call', async () => {
    const api = createRpcClient<PrismaClient>({ endpoint: `${suite.app.url}/api/rpc` });
    const version = await versionOf();
    const rename = (ifMatch: number | bigint | string, title: string) =>
      api.$with({ ifMatch }).post.update({ where: { id: 1 }, data: { title }, select: { title: true } });
    // On a database without RETURNING, the API reads the version with a separate statement.
    const code = THIS_DATABASE === 'mariadb' ? undefined : 'P2025';
    await expect(rename(version + 1, 'Lost')).rejects.toMatchObject({ status: 412, code });
    await expect(rename(`"${version + 1}"`, 'Lost')).rejects.toMatchObject({ status: 412 });
    expect(await rename(BigInt(version), 'First')).toEqual({ title: 'First' });
    await expect(api.$transaction([rename(version, 'Lost'), api.tag.count()])).rejects.toMatchObject({ status: 412 });
    expect(await api.$transaction([rename(version + 1, 'Second'), rename(version + 2, 'Third')])).toEqual([
      { title: 'Second' },
      { title: 'Third' },
    ]);
    expect(await titleOf()).toBe('Third');
  });

  const TAGS_ONLY = { data: [tag(3)] };
  it.each(
    sample.oneIn<VersionedWrite>(7, [
      ['attributes', (headers) => patch(headers)],
      ['to-one', (headers) => suite.app.rest.patch('/post/1/relationships/author', { data: user(3) }, headers)],
      ['to-many', (headers) => suite.app.rest.post('/post/1/relationships/tags', TAGS_ONLY, headers)],
      [
        'to-many of a document',
        (headers) =>
          suite.app.rest.patch('/post/1', { data: { type: 'post', id: 1, relationships: { tags: { data: [tag(1)] } } } }, headers),
      ],
      ['RPC, attributes', (headers) => suite.app.rpc.call('post/update', { where: { id: 1 }, data: { title: 'x' } }, { headers })],
      [
        'RPC, nested alone',
        (headers) => suite.app.rpc.call('post/update', { where: { id: 1 }, data: { tags: { connect: { id: 3 } } } }, { headers }),
      ],
      ...onDatabases('postgresql', 'sqlite').rows<VersionedWrite>([
        [
          'RPC, in where',
          (headers) =>
            suite.app.rpc.call('post/update', {
              where: { id: 1, viewCount: Number(headers['If-Match']?.slice(1, -1)) },
              data: { title: 'x' },
            }),
        ],
      ]),
    ]),
  )(
    'CC-33: of 50 parallel writes with one tag, one succeeds (%s)',
    async (_, write) => {
      const headers = { 'If-Match': `"${await versionOf()}"` };
      const version = await versionOf();
      const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await write(headers)).status));
      expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 49 }, () => 412)]);
      expect(await versionOf()).toBe(version + 1);
    },
    60_000,
  );
});
