import { expect, it } from '@jest/globals';
import { createRequire } from 'node:module';
import { describeClient } from './client-suite.js';

/** The part of devour-client that the tests use, because it has no types. */
interface Devour {
  define(name: string, attributes: object, options: { readonly collectionPath: string; readonly type: string }): void;
  find(name: string, id: string, params?: object): Promise<Answer>;
  findAll(name: string, params?: object): Promise<Answer>;
  create(name: string, payload: object): Promise<Answer>;
  update(name: string, payload: object): Promise<Answer>;
  /** Deletes a resource by name and id, or members by their identifiers. It does not read the response. */
  destroy(...what: readonly unknown[]): Promise<unknown>;
  one(name: string, id: string): Devour;
  all(name: string): Devour;
  relationships(name: string): Devour;
  get(params?: object): Promise<Answer>;
  post(payload: unknown): Promise<Answer>;
  patch(payload: unknown): Promise<Answer>;
}

interface Answer {
  readonly data: unknown;
  readonly meta?: unknown;
}

const DevourClient = createRequire(import.meta.url)('devour-client') as new (options: object) => Devour;

describeClient('devour-client', (suite, strict) => {
  const id = (number: number): number | string => (strict ? String(number) : number);
  const one = (type: string): object => ({ jsonApi: 'hasOne', type });
  const many = (type: string): object => ({ jsonApi: 'hasMany', type });

  function connect(): Devour {
    const api = new DevourClient({ apiUrl: suite.baseUrl, pluralize: false, logger: false });
    const define = (type: string, attributes: object): void => {
      api.define(type, attributes, { type, collectionPath: type });
    };
    define('post', {
      title: '',
      viewCount: 0,
      author: one('user'),
      category: one('category'),
      tags: many('tag'),
      comments: many('comment'),
    });
    define('user', { name: '', email: '', posts: many('post') });
    define('tag', { name: '', posts: many('post') });
    define('comment', { body: '', post: one('post'), author: one('user') });
    define('category', { name: '' });
    return api;
  }

  it('fetches a filtered, sorted and paged collection, with unencoded brackets', async () => {
    const { data, meta } = await connect().findAll('post', {
      filter: { published: true, viewCount$gt: 30 },
      sort: '-viewCount',
      page: { limit: 2, offset: 1 },
    });
    expect(data).toMatchObject([
      { id: id(5), title: 'Post 05' },
      { id: id(2), title: 'Post 02' },
    ]);
    expect(meta).toMatchObject({ total: 7 });
  });

  it('fetches a resource with linked included resources', async () => {
    const { data } = await connect().find('post', '1', { include: 'author,comments.author,tags' });
    expect(data).toMatchObject({
      title: 'Post 01',
      author: { name: 'Ada Lovelace' },
      comments: [{ body: 'Comment 1', author: { name: 'Ada Lovelace' } }, { body: 'Comment 11' }],
      tags: [{ name: 'typescript' }, { name: 'postgres' }],
    });
  });

  it('creates with relationships and meta: {}', async () => {
    const { data } = await connect().create('post', { title: 'By devour', author: { id: '2' }, tags: [{ id: '5' }], category: null });
    expect(data).toMatchObject({ id: id(13), title: 'By devour' });
    expect(await suite.database.prisma.post.findUnique({ where: { id: 13 }, include: { tags: true } })).toMatchObject({
      authorId: 2,
      categoryId: null,
      tags: [{ id: 5 }],
    });
  });

  it('updates attributes and relationships', async () => {
    const { data } = await connect().update('post', { id: '1', title: 'Changed', author: { id: '3' }, tags: [] });
    expect(data).toMatchObject({ id: id(1), title: 'Changed' });
    expect(await suite.database.prisma.post.findUnique({ where: { id: 1 }, include: { tags: true } })).toMatchObject({
      authorId: 3,
      tags: [],
    });
  });

  it('deletes, with a content type and no body', async () => {
    await connect().destroy('comment', '1');
    expect(await suite.database.prisma.comment.count()).toBe(19);
  });

  it('adds to, replaces and removes from a relationship at its URL', async () => {
    const tags = (): Devour => connect().one('post', '1').relationships('tags');
    expect((await tags().post([{ id: '4' }])).data).toHaveLength(3);
    expect((await tags().patch([{ id: '3' }, { id: '1' }])).data).toMatchObject([{ id: id(1) }, { id: id(3) }]);
    await tags().destroy([{ type: 'tag', id: '1' }]);
    expect((await tags().get()).data).toMatchObject([{ id: id(3) }]);
  });

  it('reads errors', async () => {
    await expect(connect().create('post', { title: 7, author: { id: '1' } })).rejects.toMatchObject({
      title: { title: 'Invalid value', detail: "'title' must be a string without NUL characters and lone surrogates." },
    });
  });
});
