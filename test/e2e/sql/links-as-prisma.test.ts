import { expect, it } from '@jest/globals';
import type { TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { type Send, rpc, twoWriters } from './two-writers.js';

onDatabases('postgresql-server').describe('links of a row in SQL and by Prisma', () => {
  const writers = twoWriters();
  const { compare } = writers;

  const create = (more: object): Send => rpc('post/create', { data: { title: 'New', authorId: 1, ...more } });
  const update = (data: object, id = 1): Send => rpc('post/update', { where: { id }, data });
  const updateUser = (data: object): Send => rpc('user/update', { where: { id: 1 }, data });
  const posts = (links: object): object => ({ where: { id: 4 }, data: { posts: links } });
  const rest =
    (method: 'DELETE' | 'PATCH' | 'POST', path: string, data: object): Send =>
    ({ rest: client }: TestApp) =>
      client.request(method, path, { body: { data } });
  const tags = (...ids: readonly number[]): object => ({ tags: { data: ids.map((id) => ({ type: 'tag', id })) } });

  it.each<[string, number, Send]>([
    ['a new row with several', 201, create({ tags: { connect: [{ id: 1 }, { id: 2 }, { id: 1 }] } })],
    ['a new row with one by another key', 201, create({ tags: { connect: { name: 'prisma' } } })],
    ['a new row with itself and others created', 201, create({ comments: { create: { body: 'a' } }, tags: { connect: { id: 1 } } })],
    ['a new row with none', 201, create({ tags: { connect: [] } })],
    ['a row that changes', 200, update({ title: 'x', tags: { connect: [{ id: 1 }, { id: 3 }] } })],
    ['a row that does not change', 200, update({ tags: { connect: [{ id: 1 }, { id: 3 }] } })],
    ['some of which are cut', 200, update({ title: 'x', tags: { disconnect: [{ id: 1 }, { id: 99 }, { id: 3 }] } })],
    ['some of which are cut, alone', 200, update({ tags: { disconnect: { id: 1 } } })],
    ['exactly these', 200, update({ title: 'x', tags: { set: [{ id: 1 }, { id: 3 }] } })],
    ['exactly none', 200, update({ tags: { set: [] } })],
    ['exactly one, of which another row has some', 200, update({ tags: { set: { id: 2 } } }, 2)],
    ['rows that hold the key', 200, updateUser({ name: 'x', comments: { connect: [{ id: 4 }, { id: 5 }] } })],
    ['rows that hold the key, alone', 200, updateUser({ comments: { connect: { id: 4 } } })],
    ['rows that hold the key, and are cut', 200, updateUser({ comments: { disconnect: [{ id: 1 }, { id: 4 }, { id: 99 }] } })],
    ['exactly these rows that hold the key', 200, updateUser({ comments: { set: [{ id: 4 }, { id: 1 }] } })],
    ['no rows that hold the key', 200, updateUser({ name: 'x', comments: { set: [] } })],
    ['rows that hold the key, and the time of their last change', 200, rpc('category/update', posts({ connect: [{ id: 1 }, { id: 4 }] }))],
    ['exactly these rows, which hold the time of their last change', 200, rpc('category/update', posts({ set: [{ id: 4 }, { id: 3 }] }))],
    [
      'rows that are cut, and hold the time of their last change',
      200,
      rpc('category/update', posts({ disconnect: [{ id: 1 }, { id: 2 }] })),
    ],
    [
      'a new row with rows that hold the time of their last change',
      201,
      rpc('category/create', { data: { slug: 'new', name: 'New', posts: { connect: [{ id: 1 }, { id: 4 }] } } }),
    ],
    [
      'with relationships of REST',
      201,
      rest('POST', '/post', { type: 'post', attributes: { title: 'x', authorId: 1 }, relationships: tags(1, 2) }),
    ],
    ['with relationships of REST, exactly', 200, rest('PATCH', '/post/1', { type: 'post', id: 1, relationships: tags(3) })],
    [
      'with relationships of REST, none',
      200,
      rest('PATCH', '/post/1', { type: 'post', id: 1, attributes: { title: 'x' }, relationships: tags() }),
    ],
  ])('are written in one round trip: %s', async (_, status, send) => {
    expect(await compare(send)).toEqual([status]);
    const written = writers.started.trips
      .flat()
      .filter((text) => text.includes('INSERT') || text.includes('UPDATE') || text.includes('WITH'));
    expect(written).toHaveLength(1);
  });

  it('are one statement if the write changes nothing else of the row, and returns only its key', async () => {
    const args = { where: { id: 1 }, data: { children: { connect: { id: 3 } } }, select: { id: true } };
    expect(await compare(rpc('category/update', args))).toEqual([200]);
    expect(writers.started.trips.flat()).not.toContain('COMMIT');
  });

  it.each([
    update({ title: 'x', tags: { connect: { id: 3, posts: { none: { title: 'x' } } } } }),
    update({ title: 'x', tags: { disconnect: { id: 1, posts: { some: { title: 'x' } } } } }),
  ])('are written in several statements of SQL if a linked row must meet conditions: %#', async (send) => {
    expect(await compare(send)).toEqual([200]);
    expect(writers.started.trips.flat()).toContainEqual(expect.stringMatching(/ FOR UPDATE$/));
  });

  it.each<[string, Send]>([
    ['what is written through tags', update({ tags: { connect: { id: 3 }, disconnect: { id: 1 } } })],
    ['what is written through tags', update({ tags: { connect: { id: 3 }, create: { name: 'x' } } })],
    ['what is written through profile', updateUser({ profile: { disconnect: true } })],
    ['a link that must be there', update({ comments: { disconnect: { id: 1 } } })],
    ['a link that must be there', update({ comments: { set: [] } })],
  ])('are executed by Prisma: %s', async (reason, send) => {
    expect((await compare(send)).slice(1)).toEqual([reason]);
  });

  it.each<[number, string, Send]>([
    [200, 'a key that changes, and that links hold', update({ id: 77, tags: { connect: { id: 3 } } })],
    [200, 'a row to itself', rpc('category/update', { where: { id: 1 }, data: { children: { connect: { id: 1 } } } })],
    [
      200,
      'rows of the same table, beside a value',
      rpc('category/update', { where: { id: 1 }, data: { name: 'x', children: { set: [] } } }),
    ],
    [
      201,
      'a new row, and rows of the same table',
      rpc('category/create', { data: { slug: 'x', name: 'x', children: { connect: { id: 3 } } } }),
    ],
    [200, 'two relations to one table', updateUser({ posts: { connect: { id: 3 } }, reviewedPosts: { connect: { id: 4 } } })],
    [200, 'an answer with the links', rest('POST', '/post/1/relationships/tags', [{ type: 'tag', id: 3 }])],
    [200, 'an answer with the links that stay', rest('DELETE', '/post/1/relationships/tags', [{ type: 'tag', id: 1 }])],
    [200, 'an answer with all links', rest('PATCH', '/post/1/relationships/tags', [{ type: 'tag', id: 3 }])],
    [200, 'an answer with rows that hold the key', rest('POST', '/user/1/relationships/posts', [{ type: 'post', id: 3 }])],
  ])('are written in several statements of one transaction in SQL: %d %s', async (status, _, send) => {
    expect(await compare(send)).toEqual([status]);
    expect(writers.started.trips.flat().filter((text) => text === 'COMMIT')).toHaveLength(1);
  });

  it.each<[number, string, Send]>([
    [404, 'a missing row', update({ tags: { connect: { id: 1 } } }, 99)],
    [404, 'a link to a missing row', update({ title: 'x', tags: { connect: [{ id: 1 }, { id: 99 }] } })],
    [404, 'a link of a new row to one that is not there', create({ tags: { connect: { name: 'none' } } })],
    [404, 'a link to a row that would hold the key', updateUser({ name: 'x', comments: { connect: [{ id: 1 }, { id: 99 }] } })],
    [404, 'a link to a row by two of its keys, as if there were two', update({ tags: { connect: [{ id: 3 }, { name: 'nest' }] } })],
    [404, 'exactly a row by two of its keys', update({ tags: { set: [{ id: 3 }, { name: 'nest' }] } })],
    [
      404,
      'a link to a row that would have the foreign key, by two of its keys',
      updateUser({ orders: { connect: [{ id: 1 }, { number: 'A-1' }] } }),
    ],
    [404, 'a link of which more is answered', rest('POST', '/post/1/relationships/tags', [{ type: 'tag', id: 99 }])],
    [404, 'a link of which more is answered, of no row', rest('POST', '/post/99/relationships/tags', [{ type: 'tag', id: 1 }])],
    [404, 'one of two relations to one table', updateUser({ posts: { connect: { id: 3 } }, reviewedPosts: { connect: { id: 99 } } })],
    [404, 'a link of REST', rest('PATCH', '/post/1', { type: 'post', id: 1, relationships: tags(1, 99) })],
  ])('fail with the same error, and write nothing: %d %s', async (status, _, send) => {
    await writers.failAlike(status, send);
  });

  it('by both keys of a row link it once', async () => {
    for (const rows of [{ id: 1, name: 'typescript' }, [{ id: 1 }, { name: 'postgres' }]])
      expect(await compare(update({ tags: { disconnect: rows } }))).toEqual([200]);
  });

  it.each<[number, string, string, Send]>([
    [
      201,
      'a new row',
      '"Warehouse" SET "name" = "name" || 1',
      rpc('warehouse/create', { data: { id: 'w', name: 'x', country: { connect: { code: 'CH' } } } }),
    ],
    [200, 'a row that changes', '"Post" SET "viewCount" = "viewCount" + 1', update({ title: 'x', reviewer: { connect: { id: 3 } } })],
    [200, 'a row that is cut', '"Post" SET "viewCount" = "viewCount" + 1', update({ title: 'x', reviewer: { disconnect: true } })],
  ])('are executed by Prisma, which reads the row again, if a trigger changes it: %d %s', async (status, _, change, send) => {
    const [table] = change.split(' ');
    const body = `IF pg_trigger_depth() = 1 THEN UPDATE ${change} WHERE id = NEW.id; END IF;`;
    await writers.withTrigger(`AFTER INSERT OR UPDATE ON ${table}`, body, async () => {
      expect(await compare(send)).toEqual([status, 'PostgreSQL refused the statement']);
    });
  });

  it('are executed by Prisma if the join table has a trigger', async () => {
    const counts = 'UPDATE "Post" SET "viewCount" = "viewCount" + 1 WHERE id = NEW."A";';
    await writers.withTrigger('AFTER INSERT ON "_PostToTag"', counts, async () => {
      expect(await compare(update({ title: 'x', tags: { connect: { id: 3 } } }))).toEqual([200, 'PostgreSQL refused the statement']);
    });
  });
});
