import { describe, expect, it } from '@jest/globals';
import { ANY_NULL } from '../../../../lib/model/values/json-value.js';
import { printCondition } from '../../../../lib/prisma/print-condition.js';
import { storedModel } from '../../../../lib/model/storage/stored-model.js';
import { planFilter } from '../../../../lib/rest/plan/plan-filter.js';
import { collectionQuery, readContext } from '../read-fixture.js';

const context = readContext();

function where(search: string, model = 'Post', of = context): unknown {
  const { filter, resource } = collectionQuery(of, model, search);
  const { storage } = of.model;
  return filter && printCondition(planFilter(filter, storage), storedModel(storage, resource.model));
}

describe('planFilter', () => {
  it.each([
    ['filter[title]=a', { title: 'a' }],
    ['filter[title]=a,b', { title: { in: ['a', 'b'] } }],
    ['filter[title$in]=a', { title: { in: ['a'] } }],
    ['filter[title$contains]=a', { title: { contains: 'a' } }],
    ['filter[title$icontains]=a', { title: { contains: 'a', mode: 'insensitive' } }],
    ['filter[title$search]=a%26b', { title: { search: 'a&b' } }],
    ['filter[title$contains]=a,b', { OR: [{ title: { contains: 'a' } }, { title: { contains: 'b' } }] }],
    ['filter[views$lte]=5', { views: { lte: 5 } }],
    ['filter[views$between]=1,5', { views: { gte: 1, lte: 5 } }],
    ['filter[reads$gt]=9007199254740993', { reads: { gt: 9007199254740993n } }],
    ['filter[price$gt]=1.10', { price: { gt: '1.10' } }],
    ['filter[keywords]=a,b', { keywords: { equals: ['a', 'b'] } }],
    ['filter[keywords$has]=a', { keywords: { has: 'a' } }],
    ['filter[keywords$hasSome]=a,b', { keywords: { hasSome: ['a', 'b'] } }],
    ['filter[keywords$isEmpty]=true', { keywords: { isEmpty: true } }],
    ['filter[content$null]=true', { content: null }],
    ['filter[content$null]=false', { content: { not: null } }],
    ['filter[metadata]={"a":[1,2]}', { metadata: { equals: { a: [1, 2] } } }],
    ['filter[metadata]=null', { metadata: { equals: ANY_NULL } }],
    ['filter[metadata$null]=true', { metadata: { equals: ANY_NULL } }],
    ['filter[metadata$null]=false', { metadata: { not: ANY_NULL } }],
    ['filter[metadata$ne]=1', { OR: [{ NOT: { metadata: { equals: 1 } } }, { metadata: { equals: ANY_NULL } }] }],
    ['filter[published]=true,false', { OR: [{ published: true }, { published: false }] }],
  ])('%s', (search, expected) => {
    expect(where(search)).toEqual(expected);
  });

  it.each([
    ['filter[title$ne]=a', { NOT: { title: 'a' } }],
    ['filter[title$notIn]=a,b', { NOT: { title: { in: ['a', 'b'] } } }],
    ['filter[title$notContains]=a,b', { NOT: { OR: [{ title: { contains: 'a' } }, { title: { contains: 'b' } }] } }],
    ['filter[content$ne]=a', { OR: [{ NOT: { content: 'a' } }, { content: null }] }],
    ['filter[content$notStartsWith]=a', { OR: [{ NOT: { content: { startsWith: 'a' } } }, { content: null }] }],
    ['filter[published$notIn]=true,false', { NOT: { OR: [{ published: true }, { published: false }] } }],
  ])('a negation keeps the rows without a value: %s', (search, expected) => {
    expect(where(search)).toEqual(expected);
  });

  it.each([
    ['filter[author][name$contains]=a', { author: { name: { contains: 'a' } } }],
    ['filter[comments][body]=a', { comments: { some: { body: 'a' } } }],
    ['filter[comments$none][author][name]=a', { comments: { none: { author: { name: 'a' } } } }],
    ['filter[comments$every][body]=a', { comments: { every: { body: 'a' } } }],
    ['filter[comments$isEmpty]=true', { comments: { none: {} } }],
    ['filter[comments$isEmpty]=false', { comments: { some: {} } }],
    ['filter[comments]=1', { comments: { some: { id: 1 } } }],
    ['filter[comments]=1,2', { comments: { some: { id: { in: [1, 2] } } } }],
  ])('deep: %s', (search, expected) => {
    expect(where(search)).toEqual(expected);
  });

  it.each([
    ['Post', 'filter[author]=1', { authorId: 1 }],
    ['Post', 'filter[author]=1,2', { authorId: { in: [1, 2] } }],
    ['Post', 'filter[author$ne]=1', { NOT: { authorId: 1 } }],
    ['Comment', 'filter[author$ne]=1', { OR: [{ NOT: { authorId: 1 } }, { authorId: null }] }],
    ['Comment', 'filter[author$null]=true', { author: null }],
    ['Comment', 'filter[author$null]=false', { author: { isNot: null } }],
    ['User', 'filter[profile]=1', { profile: { id: 1 } }],
    ['User', 'filter[profile$ne]=1', { NOT: { profile: { id: 1 } } }],
    ['Refund', 'filter[line]=1_a', { orderId: 1n, sku: 'a' }],
    [
      'Refund',
      'filter[line]=1_a,2_b',
      {
        OR: [
          { orderId: 1n, sku: 'a' },
          { orderId: 2n, sku: 'b' },
        ],
      },
    ],
    ['Refund', 'filter[line$ne]=1_a', { OR: [{ NOT: { orderId: 1n, sku: 'a' } }, { orderId: null }, { sku: null }] }],
    [
      'Line',
      'filter[id]=1_a,2_b',
      {
        OR: [
          { orderId: 1n, sku: 'a' },
          { orderId: 2n, sku: 'b' },
        ],
      },
    ],
    ['Line', 'filter[id$notIn]=1_a', { NOT: { orderId: 1n, sku: 'a' } }],
  ])('compares the foreign key of the row itself where it has one: %s %s', (model, search, expected) => {
    expect(where(search, model)).toEqual(expected);
  });

  it('reaches an external id through the relation', () => {
    const external = readContext({ resources: { User: { externalId: 'email' } } });
    expect(where('filter[author]=ann@example.com', 'Post', external)).toEqual({ author: { email: 'ann@example.com' } });
  });

  it('combines filters and alternatives', () => {
    expect(where('filter[views$gt]=1&filter[or][0][title]=a&filter[or][1][author]=1&filter[or][1][views]=2')).toEqual({
      views: { gt: 1 },
      OR: [{ title: 'a' }, { authorId: 1, views: 2 }],
    });
  });

  it('escapes wildcards where the database can', () => {
    const text = encodeURIComponent('50%_\\[');
    const search = `filter[title$contains]=${text}`;
    const contains = (provider: 'postgresql' | 'mysql' | 'sqlserver'): unknown => where(search, 'Post', readContext({ provider }));
    expect(contains('postgresql')).toEqual({ title: { contains: '50\\%\\_\\\\[' } });
    expect(contains('mysql')).toEqual({ title: { contains: '50\\%\\_\\\\[' } });
    expect(contains('sqlserver')).toEqual({ title: { contains: '50[%][_]\\[[]' } });
    expect(where(`filter[title]=${text}`)).toEqual({ title: '50%_\\[' });
    expect(where(`filter[title$gt]=${text}`)).toEqual({ title: { gt: '50%_\\[' } });
  });
});
