import { expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { type ClientProcess, startClient } from './client-process.js';

sample.omitted.describe('WarpDrive, strict mode on fastify', () => {
  let database: TestDatabase;
  let app: TestApp;
  let client: ClientProcess;
  const warpDrive = (task: string, ...args: readonly unknown[]): Promise<unknown> => client.run(`${app.url}/api/rest`, task, ...args);

  const tag = (id: number): object => ({ type: 'tag', id: String(id) });
  const user = (id: number): object => ({ type: 'user', id: String(id) });

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'fastify', database, options: { rest: { strict: true } } });
    // The development build, which checks every document against JSON:API 1.1.
    client = startClient('warp-drive.client.mjs', ['-C', 'unpkg-dev']);
  });
  beforeEach(() => database.reset());
  afterEach(async () => {
    expect(await warpDrive('findings')).toEqual([]);
  });
  afterAll(async () => {
    await client.stop();
    await app.close();
    await database.close();
  });

  it('reports unknown attributes of responses', async () => {
    await warpDrive('findRecord', 'country/CH');
    expect(await warpDrive('findings')).toEqual([expect.stringMatching(/^1 errors and 0 warnings [^]* Unrecognized attribute/)]);
  });

  it('fetches a filtered, sorted and paged collection', async () => {
    const path = 'post?filter[published]=true&sort=-viewCount&page[limit]=2&page[offset]=1';
    expect(await warpDrive('query', path)).toMatchObject({
      data: [
        { type: 'post', id: '5', title: 'Post 05', author: ['user', '2'], category: ['category', '5'] },
        { type: 'post', id: '2', title: 'Post 02', author: ['user', '2'] },
      ],
      meta: { total: 8 },
      links: { next: expect.stringContaining('offset%5D=3') },
    });
  });

  it('fetches a resource with linked included resources', async () => {
    const types = ['user', 'profile', 'comment', 'tag'];
    expect(await warpDrive('findRecord', 'post/1?include=author.profile,comments.author,tags', types)).toMatchObject({
      data: {
        title: 'Post 01',
        rating: '2.5',
        author: ['user', '1'],
        comments: [
          ['comment', '1'],
          ['comment', '11'],
        ],
        tags: [
          ['tag', '1'],
          ['tag', '2'],
        ],
      },
      included: [
        { type: 'user', id: '1', name: 'Ada Lovelace', profile: ['profile', '1'] },
        { type: 'profile', id: '1', bio: 'Wrote the first program.' },
        { type: 'comment', id: '1', body: 'Comment 1', author: ['user', '1'] },
        { type: 'comment', id: '11', body: 'Comment 11', author: ['user', '1'] },
        { type: 'tag', id: '1', name: 'typescript' },
        { type: 'tag', id: '2', name: 'postgres' },
      ],
    });
  });

  it('fetches related resources', async () => {
    expect(await warpDrive('findRecord', 'post/1/author')).toMatchObject({ data: { type: 'user', id: '1', name: 'Ada Lovelace' } });
    expect(await warpDrive('findRecord', 'post/12/category')).toMatchObject({ data: null });
    expect(await warpDrive('query', 'post/1/tags')).toMatchObject({ data: [{ id: '1' }, { id: '2' }] });
  });

  it('creates a record of its store, whose id is that of the response', async () => {
    expect(await warpDrive('createRecord', 'tag', { name: 'warp' })).toMatchObject({ type: 'tag', id: '6', name: 'warp' });
    expect(await database.prisma.tag.findUnique({ where: { id: 6 } })).toMatchObject({ name: 'warp' });
  });

  it('updates the edited fields of a record of its store', async () => {
    expect(await warpDrive('updateRecord', 'post/1', { title: 'Changed', published: false })).toMatchObject({ title: 'Changed' });
    expect(await database.prisma.post.findUnique({ where: { id: 1 } })).toMatchObject({ title: 'Changed', published: false });
  });

  it('creates and updates with relationships, and validates the responses', async () => {
    const relationships = { author: { data: user(2) }, category: { data: null }, tags: { data: [tag(5)] } };
    const post = { type: 'post', attributes: { title: 'By WarpDrive' }, relationships };
    expect(await warpDrive('save', 'createRecord', 'post?include=author,tags', post)).toMatchObject({
      id: '13',
      author: ['user', '2'],
      category: null,
      tags: [['tag', '5']],
    });
    const changes = { author: { data: user(3) }, tags: { data: [tag(1), tag(2)] } };
    expect(
      await warpDrive('save', 'updateRecord', 'post/13?include=tags', { type: 'post', id: '13', relationships: changes }),
    ).toMatchObject({
      title: 'By WarpDrive',
      author: ['user', '3'],
      tags: [
        ['tag', '1'],
        ['tag', '2'],
      ],
    });
    expect(await database.prisma.post.findUnique({ where: { id: 13 }, include: { tags: true } })).toMatchObject({
      authorId: 3,
      tags: [{ id: 1 }, { id: 2 }],
    });
  });

  it('adds to, removes from, replaces and clears relationships at their URLs', async () => {
    const url = 'post/1/relationships/tags';
    expect(await warpDrive('linkage', 'POST', url, [tag(4)])).toMatchObject({ data: [tag(1), tag(2), tag(4)] });
    expect(await warpDrive('linkage', 'DELETE', url, [tag(1), tag(2)])).toMatchObject({ data: [tag(4)] });
    expect(await warpDrive('linkage', 'PATCH', url, [tag(3)])).toMatchObject({ data: [tag(3)] });
    expect(await warpDrive('linkage', 'GET', url)).toMatchObject({ data: [tag(3)] });
    expect(await warpDrive('linkage', 'PATCH', 'post/1/relationships/author', user(2))).toMatchObject({ data: user(2) });
    expect(await warpDrive('linkage', 'PATCH', 'post/1/relationships/category', null)).toMatchObject({ data: null });
  });

  it('deletes', async () => {
    expect(await warpDrive('deleteRecord', 'comment/1')).toBe(204);
    expect(await database.prisma.comment.count()).toBe(19);
  });

  it('reads errors', async () => {
    expect(await warpDrive('failToFind', 'post/999')).toMatchObject({ status: 404, errors: [{ status: '404', code: 'not-found' }] });
  });
});
