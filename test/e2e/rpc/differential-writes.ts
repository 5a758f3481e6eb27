import { date, day, PRODUCT } from '../../support/seed.js';
import type { Call } from './differential-reads.js';

/** Writes on the seeded database. The suite compares their results, and the rows after them. */
export const WRITES: readonly Call[] = [
  ['tag/create', { data: { name: 'new' } }],
  ['tag/create', { data: { name: 'new' }, select: { name: true } }],
  ['post/create', { data: { title: 'New', authorId: 1 } }],
  [
    'post/create',
    {
      data: { title: 'New', author: { connect: { email: 'ada@example.com' } }, keywords: ['a'], metadata: { a: [1] } },
      include: { author: true },
    },
  ],
  [
    'post/create',
    { data: { title: 'New', authorId: 1, keywords: { set: ['x', 'y'] }, rating: '4.75', publishedAt: day(9) }, omit: { content: true } },
  ],
  [
    'post/create',
    {
      data: { title: 'New', authorId: 1, tags: { connect: [{ id: 1 }, { name: 'nest' }], create: { name: 'made' } } },
      include: { tags: { orderBy: { id: 'asc' } } },
    },
  ],
  [
    'post/create',
    {
      data: {
        title: 'New',
        authorId: 1,
        tags: {
          connectOrCreate: [
            { where: { name: 'nest' }, create: { name: 'nest' } },
            { where: { name: 'x' }, create: { name: 'x' } },
          ],
        },
      },
    },
  ],
  [
    'post/create',
    {
      data: { title: 'New', authorId: 1, comments: { createMany: { data: [{ body: 'a' }, { body: 'b', authorId: 2 }] } } },
      include: { comments: { orderBy: { id: 'asc' } } },
    },
  ],
  [
    'post/create',
    {
      data: {
        title: 'New',
        author: { create: { email: 'x@example.com', name: 'X', passwordHash: 'h', profile: { create: { bio: 'b' } } } },
      },
      select: { author: { include: { profile: true } } },
    },
  ],
  [
    'category/create',
    {
      data: { slug: 'a', name: 'A', parent: { connect: { slug: 'software' } }, children: { create: [{ slug: 'b', name: 'B' }] } },
      include: { children: true, parent: true },
    },
  ],
  [
    'product/create',
    { data: { sku: 'NEW', name: 'New', price: '1.10', weight: 0.1 }, select: { sku: true, price: true, weight: true, stock: true } },
  ],
  [
    'warehouse/create',
    {
      data: { name: 'Zurich', country: { connectOrCreate: { where: { code: 'AT' }, create: { code: 'AT', name: 'Austria' } } } },
      include: { country: true },
    },
  ],
  ['order/create', { data: { id: 77n, number: 'N-1', customerId: 4, address: { city: 'Bern' }, dueOn: date(9) } }],
  [
    'order/create',
    {
      data: { number: 'N-2', customerId: 4, address: 'text', lines: { create: { productId: PRODUCT.atlas, unitPrice: '9.99' } } },
      include: { lines: true },
    },
  ],
  [
    'orderLine/create',
    {
      data: { orderId: 2n, productId: PRODUCT.globe, unitPrice: '1', refunds: { create: { amount: '0.50' } } },
      include: { refunds: true },
    },
  ],
  ['exchangeRate/create', { data: { currency: 'GBP', day: date(3), rate: '0.12345678' } }],
  ['auditEvent/create', { data: { type: 'x', payload: { set: 1, meta: { serialization: true }, list: [null, { a: 1 }] } } }],
  ['specimen/create', { data: specimen() }],
  [
    'specimen/create',
    {
      data: {
        ...specimen(),
        bigIntList: [1n],
        decimalList: ['1.5'],
        dateTimeList: [day(3)],
        bytesList: [Uint8Array.of(1)],
        jsonList: [{ a: 1 }],
        levelList: { set: ['LOW'] },
      },
    },
  ],
  ['tag/createMany', { data: [{ name: 'a' }, { name: 'b' }] }],
  ['tag/createMany', { data: { name: 'a' } }],
  ['tag/createMany', { data: [] }],
  ['tag/createMany', { data: [{ name: 'a' }, { name: 'nest' }], skipDuplicates: true }],
  ['tag/createManyAndReturn', { data: [{ name: 'a' }, { name: 'b' }] }],
  ['comment/createManyAndReturn', { data: [{ body: 'a', postId: 1 }], include: { post: true } }],
  ['comment/createManyAndReturn', { data: [{ body: 'a', postId: 1 }], select: { body: true } }],
  ['post/update', { where: { id: 1 }, data: { title: 'Changed' } }],
  ['post/update', { where: { id: 1 }, data: {} }],
  ['post/update', { where: { id: 1, published: true }, data: { title: { set: 'Changed' } } }],
  ['post/update', { where: { id: 1 }, data: { viewCount: { increment: 5 }, keywords: { push: 'x' }, content: null } }],
  ['post/update', { where: { id: 2 }, data: { viewCount: { decrement: 1 }, keywords: { push: ['x', 'y'] }, rating: { set: null } } }],
  ['post/update', { where: { id: 2 }, data: { viewCount: { multiply: 3 }, keywords: { set: [] }, metadata: [1, null] } }],
  ['post/update', { where: { id: 2 }, data: { rating: { increment: '0.25' } }, select: { rating: true } }],
  ['post/update', { where: { id: 2 }, data: { authorId: 3, reviewerId: null } }],
  ['post/update', { where: { id: 2 }, data: { author: { connect: { id: 3 } }, reviewer: { disconnect: true } } }],
  ['post/update', { where: { id: 2 }, data: { category: { create: { slug: 'n', name: 'N' } } }, include: { category: true } }],
  ['post/update', { where: { id: 2 }, data: { author: { update: { name: 'Renamed' } } }, include: { author: true } }],
  ['post/update', { where: { id: 2 }, data: { author: { update: { where: { role: 'AUTHOR' }, data: { name: 'Renamed' } } } } }],
  [
    'post/update',
    {
      where: { id: 6 },
      data: { category: { upsert: { create: { slug: 'n', name: 'N' }, update: { name: 'M' } } } },
      include: { category: true },
    },
  ],
  [
    'post/update',
    { where: { id: 1 }, data: { tags: { set: [{ id: 5 }], connect: { id: 4 } } }, include: { tags: { orderBy: { id: 'asc' } } } },
  ],
  ['post/update', { where: { id: 1 }, data: { tags: { set: [] } }, include: { tags: true } }],
  ['post/update', { where: { id: 1 }, data: { tags: { disconnect: [{ id: 1 }] } }, include: { tags: true } }],
  ['post/update', { where: { id: 1 }, data: { tags: { delete: { id: 1 }, update: { where: { id: 2 }, data: { name: 'renamed' } } } } }],
  [
    'post/update',
    {
      where: { id: 1 },
      data: { comments: { updateMany: { where: { authorId: 1 }, data: { body: 'x' } }, deleteMany: { id: 11 } } },
      include: { comments: { orderBy: { id: 'asc' } } },
    },
  ],
  ['post/update', { where: { id: 1 }, data: { comments: { deleteMany: {} } }, include: { comments: true } }],
  [
    'post/update',
    {
      where: { id: 1 },
      data: { comments: { upsert: { where: { id: 1 }, create: { body: 'c' }, update: { body: 'u' } } } },
      include: { comments: { orderBy: { id: 'asc' } } },
    },
  ],
  ['user/update', { where: { email: 'ada@example.com' }, data: { profile: { delete: true } }, include: { profile: true } }],
  [
    'user/update',
    { where: { id: 1 }, data: { profile: { update: { avatar: Uint8Array.of(9), birthday: date(1) } } }, include: { profile: true } },
  ],
  ['order/update', { where: { id: 1n }, data: { total: { increment: '0.01' }, status: 'SHIPPED', placedAt: day(20) } }],
  ['exchangeRate/update', { where: { quote: { currency: 'CHF', day: date(1) } }, data: { rate: { multiply: 2 } } }],
  ['orderLine/update', { where: { orderId_productId: { orderId: 1n, productId: PRODUCT.atlas } }, data: { quantity: { divide: 3 } } }],
  ['post/updateMany', { where: { published: false }, data: { viewCount: 0 } }],
  ['post/updateMany', { where: {}, data: { viewCount: { increment: 1 } } }],
  ['post/updateMany', { where: { id: -1 }, data: { viewCount: 1 } }],
  ['tag/updateMany', { where: { name: 'nest' }, data: { name: { set: 'x' } }, limit: 1 }],
  ['tag/updateManyAndReturn', { where: { name: 'nest' }, data: { name: 'x' } }],
  ['comment/updateManyAndReturn', { where: { id: 3 }, data: { body: 'x' }, select: { id: true, post: { select: { id: true } } } }],
  ['tag/upsert', { where: { name: 'nest' }, create: { name: 'nest' }, update: { name: 'nested' } }],
  [
    'tag/upsert',
    {
      where: { name: 'other' },
      create: { name: 'other', posts: { connect: { id: 1 } } },
      update: {},
      include: { posts: { select: { id: true } } },
    },
  ],
  [
    'translation/upsert',
    { where: { locale_key: { locale: 'fr', key: 'a' } }, create: { locale: 'fr', key: 'a', text: 'b' }, update: { text: 'c' } },
  ],
  ['tag/delete', { where: { id: 5 } }],
  ['tag/delete', { where: { name: 'unused' }, select: { name: true } }],
  ['refund/delete', { where: { id: 1 }, include: { line: true } }],
  ['comment/deleteMany', { where: { createdAt: { gt: day(15) } } }],
  ['comment/deleteMany', { where: {} }],
  ['comment/deleteMany', { where: { id: -1 } }],
  ['comment/deleteMany', { where: { author: { name: 'Ada Lovelace' } }, limit: 100 }],
];

function specimen(): object {
  return {
    string: 's',
    boolean: false,
    int: 0,
    bigInt: 9_007_199_254_740_993n,
    float: 0.1,
    decimal: '0.1234567890',
    dateTime: day(4),
    date: date(4),
    json: [{ a: null }],
    bytes: Uint8Array.of(255),
    uuid: '6f9619ff-8b86-4d01-b42d-00cf4fc96477',
    level: 'HIGH',
    optionalJson: false,
    optionalBytes: new Uint8Array(),
  };
}
