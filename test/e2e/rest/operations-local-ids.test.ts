import { describeOperations, refusal } from './operations-suite.js';
import { tag, user } from './write-suite.js';

const post = (more: object = {}) => ({
  type: 'post',
  attributes: { title: 'New' },
  relationships: { author: { data: user(1) } },
  ...more,
});

describeOperations('local ids of atomic operations', (suite) => {
  it('AO-22, AO-24, AO-25: identify a resource of an earlier operation in linkage, ref and data, and are not in results', async () => {
    const answer = await suite.send(
      { op: 'add', data: { type: 'category', lid: 'x', attributes: { slug: 'new', name: 'New' } } },
      { op: 'add', data: { type: 'tag', lid: 'x', attributes: { name: 'fresh' } } },
      {
        op: 'add',
        data: post({
          lid: 'p',
          relationships: {
            author: { data: user(1) },
            category: { data: { type: 'category', lid: 'x' } },
            tags: { data: [{ type: 'tag', lid: 'x' }, tag(1)] },
          },
        }),
      },
      { op: 'add', ref: { type: 'post', lid: 'p', relationship: 'tags' }, data: [tag(2)] },
      { op: 'update', ref: { type: 'post', lid: 'p' }, data: { type: 'post', lid: 'p', attributes: { title: 'Newer' } } },
      { op: 'update', data: { type: 'category', lid: 'x', attributes: { name: 'Newer' } } },
      { op: 'update', ref: { type: 'post', id: '1', relationship: 'category' }, data: { type: 'category', lid: 'x' } },
      { op: 'remove', ref: { type: 'post', lid: 'p', relationship: 'tags' }, data: [{ type: 'tag', lid: 'x' }] },
    );
    expect([answer.status, answer.errors]).toEqual([200, []]);
    expect(answer.text).not.toContain('lid');
    const posts = { select: { title: true, tags: { select: { id: true }, orderBy: { id: 'asc' } } }, orderBy: { id: 'desc' } } as const;
    const created = await suite.database.prisma.category.findUnique({ where: { slug: 'new' }, select: { name: true, posts } });
    expect(created).toMatchObject({ name: 'Newer', posts: [{ title: 'Newer', tags: [{ id: 1 }, { id: 2 }] }, {}] });
  });

  it('AO-27: are never used as ids', async () => {
    const answer = await suite.send(
      { op: 'add', data: { type: 'tag', lid: '1', attributes: { name: 'fresh' } } },
      { op: 'add', data: { type: 'tag', attributes: { name: 'other' } } },
      { op: 'update', ref: { type: 'post', id: '3', relationship: 'tags' }, data: [tag('1'), { type: 'tag', lid: '1' }] },
    );
    expect(answer.status).toBe(200);
    const tags = await suite.database.prisma.tag.findMany({
      where: { posts: { some: { id: 3 } } },
      select: { name: true },
      orderBy: { id: 'asc' },
    });
    expect(tags).toEqual([{ name: 'typescript' }, { name: 'fresh' }]);
  });

  it('AO-24: identify rows with compound and string keys, also in foreign keys of several columns', async () => {
    const answer = await suite.send(
      {
        op: 'add',
        data: {
          type: 'order',
          lid: 'o',
          attributes: { number: 'N-9', address: {}, total: '1' },
          relationships: { customer: { data: user(1) } },
        },
      },
      { op: 'add', data: { type: 'product', lid: 'p', attributes: { sku: 'NEW', name: 'New', price: '2.50' } } },
      {
        op: 'add',
        data: {
          type: 'orderLine',
          lid: 'l',
          attributes: { unitPrice: '2.50' },
          relationships: { order: { data: { type: 'order', lid: 'o' } }, product: { data: { type: 'product', lid: 'p' } } },
        },
      },
      {
        op: 'add',
        data: { type: 'refund', attributes: { amount: '1' }, relationships: { line: { data: { type: 'orderLine', lid: 'l' } } } },
      },
    );
    expect([answer.status, answer.errors]).toEqual([200, []]);
    expect(await suite.database.prisma.refund.count({ where: { line: { order: { number: 'N-9' }, product: { sku: 'NEW' } } } })).toBe(1);
  });

  it.each<[string, readonly object[], readonly (number | string)[]]>([
    [
      'AO-23 forward',
      [
        { op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [{ type: 'tag', lid: 'a' }] },
        { op: 'add', data: { type: 'tag', lid: 'a', attributes: { name: 'x' } } },
      ],
      [400, 'invalid-payload /atomic:operations/0/data/0/lid'],
    ],
    [
      'AO-23 itself',
      [
        {
          op: 'add',
          data: {
            type: 'category',
            lid: 'a',
            attributes: { slug: 'x', name: 'x' },
            relationships: { parent: { data: { type: 'category', lid: 'a' } } },
          },
        },
      ],
      [400, 'invalid-payload /atomic:operations/0/data/relationships/parent/data/lid'],
    ],
    [
      'AO-23 of another type',
      [
        { op: 'add', data: { type: 'tag', lid: 'a', attributes: { name: 'x' } } },
        { op: 'remove', ref: { type: 'user', lid: 'a' } },
      ],
      [400, 'invalid-payload /atomic:operations/1/ref/lid'],
    ],
    [
      'AO-23 twice',
      [
        { op: 'add', data: { type: 'tag', lid: 'a', attributes: { name: 'x' } } },
        { op: 'add', data: { type: 'tag', lid: 'a', attributes: { name: 'y' } } },
      ],
      [400, 'invalid-payload /atomic:operations/1/data/lid'],
    ],
    [
      'AO-23 beside an id',
      [{ op: 'add', data: { type: 'country', id: 'se', lid: 'a', attributes: { name: 'x' } } }],
      [400, 'invalid-payload /atomic:operations/0/data/lid'],
    ],
    [
      'AO-23 no string',
      [{ op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [{ type: 'tag', lid: 1 }] }],
      [400, 'invalid-payload /atomic:operations/0/data/0/lid'],
    ],
    [
      'AO-26 where ids are the client’s',
      [{ op: 'add', data: { type: 'country', lid: 'a', attributes: { name: 'x' } } }],
      [400, 'invalid-payload /atomic:operations/0/data'],
    ],
    [
      'AO-26 of a resource that is gone again',
      [
        { op: 'add', data: { type: 'tag', lid: 'a', attributes: { name: 'x' } } },
        { op: 'remove', ref: { type: 'tag', lid: 'a' } },
        { op: 'update', data: { type: 'tag', lid: 'a', attributes: { name: 'y' } } },
      ],
      [404, 'not-found /atomic:operations/2'],
    ],
    [
      'AO-26 of a linked resource that is gone again',
      [
        { op: 'add', data: { type: 'tag', lid: 'a', attributes: { name: 'x' } } },
        { op: 'remove', ref: { type: 'tag', lid: 'a' } },
        { op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [{ type: 'tag', lid: 'a' }] },
      ],
      [404, 'not-found /atomic:operations/2/data/0'],
    ],
  ])('%s', async (_, operations, expected) => {
    expect(refusal(await suite.send(...operations))).toEqual(expected);
    expect(await suite.database.prisma.tag.count()).toBe(5);
  });
});
