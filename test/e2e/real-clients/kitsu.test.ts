import { expect, it } from '@jest/globals';
import Kitsu from 'kitsu';
import { describeClient } from './client-suite.js';

describeClient('kitsu', (suite, strict) => {
  const connect = (): Kitsu => new Kitsu({ baseURL: suite.baseUrl, pluralize: false, resourceCase: 'none' });
  const id = (number: number): number | string => (strict ? String(number) : number);

  it('fetches a filtered, sorted and paged collection with some fields', async () => {
    const { data, meta } = await connect().get('post', {
      params: {
        filter: { published: true, viewCount$gt: 30, author: { name: 'Ada Lovelace,Grace Hopper' } },
        sort: '-viewCount,id',
        page: { limit: 2, offset: 1 },
        fields: { post: 'title,viewCount' },
      },
    });
    expect(data).toEqual([
      { type: 'post', id: id(5), title: 'Post 05', viewCount: 85, links: expect.anything() },
      { type: 'post', id: id(2), title: 'Post 02', viewCount: 74, links: expect.anything() },
    ]);
    expect(meta).toEqual({ total: 7 });
  });

  it('fetches a page by its number', async () => {
    const { data, meta, links } = await connect().get('post', {
      params: { sort: 'id', page: { number: 2, size: 5 }, fields: { post: 'title' } },
    });
    expect(data).toMatchObject([6, 7, 8, 9, 10].map((number) => ({ id: id(number) })));
    expect(meta).toEqual({ total: 12 });
    const next = new URL(String((links as Readonly<Record<string, unknown>>)['next']));
    expect([next.searchParams.get('page[number]'), next.searchParams.get('page[size]')]).toEqual(['3', '5']);
  });

  it('fetches a resource with linked included resources', async () => {
    const { data } = await connect().get('post/1', { params: { include: 'author,comments.author' } });
    expect(data).toMatchObject({
      id: id(1),
      title: 'Post 01',
      author: { data: { name: 'Ada Lovelace' } },
      comments: { data: [{ body: 'Comment 1' }, { body: 'Comment 11' }] },
    });
  });

  it('fetches related resources and linkage', async () => {
    expect((await connect().get('post/1/tags')).data).toMatchObject([{ name: 'typescript' }, { name: 'postgres' }]);
    expect((await connect().get('post/1/relationships/tags')).data).toEqual([
      { type: 'tag', id: id(1) },
      { type: 'tag', id: id(2) },
    ]);
  });

  it('creates with relationships', async () => {
    const { data, status } = await connect().create('post', {
      title: 'By kitsu',
      author: { data: { type: 'user', id: '2' } },
      tags: { data: [{ type: 'tag', id: '5' }] },
      category: { data: null },
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({ id: id(13), title: 'By kitsu', author: { data: { type: 'user', id: id(2) } } });
    expect((await connect().get('post/13/relationships/tags')).data).toEqual([{ type: 'tag', id: id(5) }]);
  });

  it('updates attributes and relationships', async () => {
    const { data, status } = await connect().update('post', {
      id: '1',
      title: 'Changed',
      author: { data: { type: 'user', id: '3' } },
      tags: { data: [] },
    });
    expect(status).toBe(200);
    expect(data).toMatchObject({ title: 'Changed', author: { data: { id: id(3) } } });
    expect((await connect().get('post/1/tags')).data).toEqual([]);
  });

  it('deletes, with the resource as body', async () => {
    expect(await connect().remove('comment', '1')).toMatchObject({ status: 204 });
    expect(await suite.database.prisma.comment.count()).toBe(19);
  });

  it('adds to and replaces relationships at their URLs', async () => {
    const url = 'post/1/relationships/tags';
    const added = await connect().request({ method: 'POST', url, type: 'tag', body: [{ id: '4' }] });
    expect(added.data).toHaveLength(3);
    const replaced = await connect().request({ method: 'PATCH', url, type: 'tag', body: [{ id: '3' }] });
    expect(replaced.data).toEqual([{ type: 'tag', id: id(3) }]);
    const author = await connect().request({ method: 'PATCH', url: 'post/1/relationships/author', type: 'user', body: { id: '2' } });
    expect(author.data).toEqual({ type: 'user', id: id(2) });
  });

  it('reads errors', async () => {
    const refused = connect().create('post', { titel: 'x' });
    await expect(refused).rejects.toMatchObject({
      errors: [
        { code: 'invalid-payload', source: { pointer: '/data/attributes/titel' } },
        { code: 'invalid-payload' },
        { code: 'invalid-payload' },
      ],
    });
    await expect(connect().get('post/999')).rejects.toMatchObject({ errors: [{ code: 'not-found', status: strict ? '404' : 404 }] });
  });
});
