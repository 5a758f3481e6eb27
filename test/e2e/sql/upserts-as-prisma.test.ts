import { expect, it } from '@jest/globals';
import { onDatabases } from '../../support/databases/this-database.js';
import { type Send, rpc, twoWriters } from './two-writers.js';

const rest =
  (type: string, attributes: object, matchFields: readonly string[], query = ''): Send =>
  (app) =>
    app.rest.post(`/${type}${query}`, { data: { type, attributes }, meta: { operation: 'upsert', matchFields } });

onDatabases('postgresql-server').describe('upserts in SQL and by Prisma', () => {
  const writers = twoWriters();
  const { compare, outcomeOf } = writers;

  it.each<[string, object]>([
    ['tag/upsert', { where: { name: 'nest' }, create: { name: 'nest' }, update: { name: 'nested' } }],
    ['tag/upsert', { where: { name: 'new' }, create: { name: 'new' }, update: { name: 'newer' } }],
    ['tag/upsert', { where: { id: 3 }, create: { id: 3, name: 'third' }, update: { name: { set: 'x' } }, select: { name: true } }],
    [
      'post/upsert',
      {
        where: { id: 1 },
        create: { id: 1, title: 'New', authorId: 1 },
        update: {
          viewCount: { increment: 2 },
          rating: { decrement: '0.25' },
          content: null,
          keywords: { set: ['a,"b'] },
          metadata: { a: [null] },
        },
      },
    ],
    [
      'post/upsert',
      { where: { id: 77 }, create: { id: 77, title: `'); DROP TABLE "Post"; --`, authorId: 1, keywords: ['x'] }, update: { authorId: 2 } },
    ],
    [
      'translation/upsert',
      { where: { locale_key: { locale: 'fr', key: 'a' } }, create: { locale: 'fr', key: 'a', text: 'b' }, update: { text: 'c' } },
    ],
    [
      'exchangeRate/upsert',
      {
        where: { quote: { currency: 'CHF', day: '2026-01-01T00:00:00.000Z' } },
        create: { currency: 'CHF', day: '2026-01-01T00:00:00.000Z', rate: '0.5' },
        update: { rate: '0.25' },
      },
    ],
    ['profile/upsert', { where: { userId: 4 }, create: { userId: 4, bio: 'made' }, update: { bio: 'changed' } }],
    ['order/upsert', { where: { number: 'N-9' }, create: { number: 'N-9', customerId: 4, address: 'x' }, update: { status: 'SHIPPED' } }],
    [
      'warehouse/upsert',
      { where: { countryCode_name: { countryCode: 'CH', name: 'x' } }, create: { countryCode: 'CH', name: 'x' }, update: { name: 'x' } },
    ],
  ])('are executed in SQL: %s %j', async (path, args) => {
    expect(await compare(rpc(path, args))).toEqual([200]);
  });

  it.each<[number, string, object, readonly string[], string]>([
    [200, 'tag', { name: 'nest' }, ['name'], ''],
    [201, 'tag', { name: 'new' }, ['name'], ''],
    [200, 'category', { slug: 'software', name: 'Renamed' }, ['slug'], '?fields[category]=name'],
    [201, 'category', { slug: 'new', name: 'New' }, ['slug'], ''],
    [201, 'translation', { locale: 'xx', key: 'a', text: 'A' }, ['locale', 'key'], ''],
  ])('answer %d in REST: %s %j', async (status, type, attributes, fields, query) => {
    expect(await compare(rest(type, attributes, fields, query))).toEqual([status]);
  });

  it.each<[string, string, object]>([
    ['by more than one key', 'tag/upsert', { where: { id: 3, name: 'nest' }, create: { id: 3, name: 'nest' }, update: { name: 'x' } }],
    [
      'with a condition',
      'post/upsert',
      { where: { id: 1, title: 'Post 01' }, create: { id: 1, title: 'Post 01', authorId: 1 }, update: { content: 'x' } },
    ],
    ['that changes nothing', 'tag/upsert', { where: { name: 'nest' }, create: { name: 'nest' }, update: {} }],
    ['that would change nothing', 'tag/upsert', { where: { name: 'new' }, create: { name: 'new' }, update: {} }],
    ['that creates a row with another key', 'tag/upsert', { where: { id: 88 }, create: { name: 'b' }, update: { name: 'c' } }],
    ['that would create a row with another key', 'tag/upsert', { where: { name: 'nest' }, create: { name: 'b' }, update: { name: 'c' } }],
    [
      'that writes through relations',
      'order/upsert',
      { where: { number: 'N-9' }, create: { number: 'N-9', address: 'x', customer: { connect: { id: 4 } } }, update: { status: 'PAID' } },
    ],
    [
      'whose answer has more than the fields of the row',
      'post/upsert',
      { where: { id: 1 }, create: { id: 1, title: 'x', authorId: 1 }, update: { title: 'x' }, include: { author: true, comments: true } },
    ],
  ])('read the row first, in one transaction of SQL: one %s', async (_, path, args) => {
    expect(await compare(rpc(path, args))).toEqual([200]);
    expect(writers.started.trips.flat().filter((text) => text === 'COMMIT')).toHaveLength(1);
  });

  it('that push a value are executed by Prisma', async () => {
    const args = { where: { id: 1 }, create: { id: 1, title: 'x', authorId: 1 }, update: { keywords: { push: 'x' } } };
    expect(await compare(rpc('post/upsert', args))).toEqual([200, 'the operation push of a field']);
  });

  it.each<[number, string, object]>([
    [400, 'tag/upsert', { where: { id: 88 }, create: { id: 88, name: 'nest' }, update: { name: 'x' } }],
    [400, 'tag/upsert', { where: { id: 1 }, create: { id: 1, name: 'x' }, update: { name: 'nest' } }],
    [404, 'post/upsert', { where: { id: 1 }, create: { id: 1, title: 'x', authorId: 99 }, update: { title: 'x' } }],
    [404, 'post/upsert', { where: { id: 88 }, create: { id: 88, title: 'x', authorId: 1 }, update: { authorId: 99 } }],
    [
      400,
      'post/upsert',
      { where: { id: 1 }, create: { id: 1, title: 'x', authorId: 1 }, update: { viewCount: { increment: 2_147_483_647 } } },
    ],
  ])('fail with the same error, and write nothing: %d %s %j', async (status, path, args) => {
    const before = await outcomeOf(writers.started.plain, rpc('tag/findUnique', { where: { id: 1 } }));
    expect((await compare(rpc(path, args)))[0]).toBe(status);
    expect((await outcomeOf(writers.started.fast, rpc(path, args))).state).toBe(before.state);
  });

  it('of one key at the same time create one row', async () => {
    await writers.restore();
    const { fast, database } = writers.started;
    const upsert = { where: { name: 'race' }, create: { name: 'race' }, update: { name: 'race' } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => fast.rpc.call('tag/upsert', upsert)));
    expect(new Set(answers.map(({ status, data }) => `${status} ${JSON.stringify(data)}`)).size).toBe(1);
    expect([await database.prisma.tag.count({ where: { name: 'race' } }), writers.declined]).toEqual([1, []]);
  });
});
