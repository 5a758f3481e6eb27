import { expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { operationsOf, sendOperations } from '../rest/operations-suite.js';
import { type ClientProcess, startClient } from './client-process.js';

type Pair = readonly [type: string, id: string];

sample.omitted.describe('@orbit/jsonapi, strict mode on express', () => {
  let database: TestDatabase;
  let app: TestApp;
  let client: ClientProcess;
  const orbit = (task: string, ...args: readonly unknown[]): Promise<unknown> => client.run(`${app.url}/api/rest`, task, ...args);
  const POST: Pair = ['post', '1'];
  const tag = (id: number): Pair => ['tag', String(id)];

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database, options: { rest: { strict: true } } });
    client = startClient('orbit.client.mjs');
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await client.stop();
    await app.close();
    await database.close();
  });

  const tagsOf = async (id: number): Promise<readonly number[] | undefined> => {
    const post = await database.prisma.post.findUnique({ where: { id }, include: { tags: { orderBy: { id: 'asc' } } } });
    return post?.tags.map((one) => one.id);
  };

  it('fetches a filtered, sorted and paged collection', async () => {
    const filter = { attribute: 'published', op: 'equal', value: true };
    expect(await orbit('findRecords', 'post', { filter, sort: '-viewCount', page: { limit: 2, offset: 1 } })).toEqual([
      expect.objectContaining({ type: 'post', id: '5', title: 'Post 05', author: ['user', '2'] }),
      expect.objectContaining({ type: 'post', id: '2', title: 'Post 02', author: ['user', '2'] }),
    ]);
  });

  it('fetches a resource with linked included resources', async () => {
    expect(await orbit('findRecord', POST, ['author', 'comments.author', 'tags'])).toMatchObject({
      data: {
        title: 'Post 01',
        createdAt: '2026-01-01T12:00:00.000Z',
        author: ['user', '1'],
        comments: [
          ['comment', '1'],
          ['comment', '11'],
        ],
        tags: [tag(1), tag(2)],
      },
      records: expect.arrayContaining([
        expect.objectContaining({ type: 'user', id: '1', name: 'Ada Lovelace' }),
        expect.objectContaining({ type: 'comment', id: '1', body: 'Comment 1', author: ['user', '1'] }),
        expect.objectContaining({ type: 'tag', id: '2', name: 'postgres' }),
      ]),
    });
  });

  it('fetches related resources', async () => {
    expect(await orbit('findRelatedRecord', POST, 'author')).toMatchObject({ id: '1', name: 'Ada Lovelace' });
    expect(await orbit('findRelatedRecord', ['post', '12'], 'category')).toBeNull();
    expect(await orbit('findRelatedRecords', POST, 'tags')).toMatchObject([{ name: 'typescript' }, { name: 'postgres' }]);
  });

  it('creates with relationships, and reads the new id', async () => {
    const members = { title: 'By orbit', author: ['user', '2'], category: null, tags: [tag(5)] };
    expect(await orbit('addRecord', 'post', members)).toMatchObject({ id: '13', title: 'By orbit', author: ['user', '2'] });
    expect(await database.prisma.post.findUnique({ where: { id: 13 } })).toMatchObject({ authorId: 2, categoryId: null });
    expect(await tagsOf(13)).toEqual([5]);
  });

  it('updates attributes and relationships', async () => {
    const members = { title: 'Changed', author: ['user', '3'], tags: [] };
    expect(await orbit('updateRecord', POST, members)).toMatchObject({ id: '1', title: 'Changed', author: ['user', '3'] });
    expect(await database.prisma.post.findUnique({ where: { id: 1 } })).toMatchObject({ title: 'Changed', authorId: 3 });
    expect(await tagsOf(1)).toEqual([]);
  });

  it('replaces and clears relationships', async () => {
    await orbit('replaceRelatedRecord', POST, 'author', ['user', '2']);
    await orbit('replaceRelatedRecord', POST, 'category', null);
    expect(await database.prisma.post.findUnique({ where: { id: 1 } })).toMatchObject({ authorId: 2, categoryId: null });
    await orbit('replaceRelatedRecords', POST, 'tags', [tag(3), tag(4)]);
    expect(await tagsOf(1)).toEqual([3, 4]);
  });

  it('adds members to a relationship and removes them, at its URL', async () => {
    await orbit('addToRelatedRecords', POST, 'tags', [tag(4), tag(5)]);
    expect(await tagsOf(1)).toEqual([1, 2, 4, 5]);
    await orbit('removeFromRelatedRecords', POST, 'tags', [tag(1), tag(5)]);
    expect(await tagsOf(1)).toEqual([2, 4]);
  });

  it('deletes', async () => {
    await orbit('removeRecord', ['comment', '1']);
    expect(await database.prisma.comment.count()).toBe(19);
  });

  it('reads errors', async () => {
    expect(await orbit('failToAddRecord', 'tag', { name: 'prisma' })).toMatchObject({
      status: 409,
      errors: [{ status: '409', code: 'unique-conflict', source: { pointer: '/data/attributes/name' } }],
    });
  });
});

sample.omitted.describe('atomic operations of @orbit/jsonapi, on fastify', () => {
  let database: TestDatabase;
  let app: TestApp;
  let client: ClientProcess;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'fastify', database, options: { rest: { operations: true } } });
    client = startClient('orbit.client.mjs');
  });
  afterAll(async () => {
    await client.stop();
    await app.close();
    await database.close();
  });

  it('AO-19, AO-20: are accepted in the format of its serializer', async () => {
    const body = await client.run(`${app.url}/api/rest`, 'writeOperations');
    expect(body).toMatchObject(operationsOf({ op: 'add', ref: { type: 'tag' } }, {}, { op: 'add', data: { id: '4' } }, {}, {}, {}, {}));
    const answer = await sendOperations(app, body);
    expect([answer.status, answer.errors, answer.results.length]).toEqual([200, [], 7]);
    const post = await database.prisma.post.findUnique({ where: { id: 1 }, include: { tags: { orderBy: { id: 'asc' } } } });
    expect(post).toMatchObject({ title: 'Changed', authorId: 2, tags: [{ id: 2 }, { id: 4 }] });
    expect(await database.prisma.comment.count()).toBe(19);
  });
});
