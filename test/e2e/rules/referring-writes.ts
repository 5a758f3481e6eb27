import { onDatabases } from '../../support/databases/this-database.js';
import { PRODUCT } from '../../support/seed.js';

export const ORDER = 9_007_199_254_740_993n;

/** A comment that references an unreadable post. */
export const UNREADABLE_COMMENT = { body: 'x', postId: 3 };

type Write = readonly [what: string, operation: string, args: object];

/** Writes that reference an unreadable row: posts 3 and 6, category 2, and the line of {@link ORDER} and the atlas. */
export const REFERRING_WRITES: readonly Write[] = [
  ['a record', 'comment/create', { data: UNREADABLE_COMMENT }],
  ['a link', 'comment/create', { data: { body: 'x', post: { connect: { id: 3 } } } }],
  ['records', 'comment/createMany', { data: [{ body: 'x', postId: 1 }, UNREADABLE_COMMENT] }],
  ['an update', 'comment/update', { where: { id: 1 }, data: { postId: 6 } }],
  ['a link of an update', 'comment/update', { where: { id: 1 }, data: { post: { connect: { id: 6 } } } }],
  ['an update of many', 'comment/updateMany', { where: { id: { in: [1, 2] } }, data: { postId: 3 } }],
  ['the update of an upsert', 'comment/upsert', { where: { id: 1 }, update: { postId: 3 }, create: { body: 'x', postId: 1 } }],
  ['the create of an upsert', 'comment/upsert', { where: { id: 999 }, update: {}, create: UNREADABLE_COMMENT }],
  ['a nested record', 'user/update', { where: { id: 1 }, data: { comments: { create: UNREADABLE_COMMENT } } }],
  [
    'a record beside one that might be created',
    'user/update',
    {
      where: { id: 1 },
      data: { comments: { create: UNREADABLE_COMMENT }, posts: { connectOrCreate: { where: { id: 1 }, create: { id: 3, title: 'x' } } } },
    },
  ],
  [
    'a record beside one of an upsert',
    'user/update',
    {
      where: { id: 1 },
      data: {
        comments: { create: UNREADABLE_COMMENT },
        posts: { upsert: { where: { id: 1 }, update: {}, create: { id: 3, title: 'x' } } },
      },
    },
  ],
  ...onDatabases('postgresql', 'mariadb').rows<Write>([
    [
      'a record beside one that is left out as a duplicate',
      'user/update',
      {
        where: { id: 1 },
        data: {
          comments: { create: UNREADABLE_COMMENT },
          posts: { createMany: { data: [{ id: 3, title: 'x' }], skipDuplicates: true } },
        },
      },
    ],
  ]),
  ['a create', 'post/create', { data: { title: 'x', authorId: 1, categoryId: 2 } }],
  ['one column of a key', 'refund/update', { where: { id: 1 }, data: { orderId: ORDER } }],
  ['one column of a key, of many', 'refund/updateMany', { where: { id: 1 }, data: { orderId: ORDER } }],
  [
    'one column of a key, in an upsert',
    'refund/upsert',
    { where: { id: 1 }, update: { orderId: ORDER }, create: { amount: '1', orderId: 3n, productId: PRODUCT.globe } },
  ],
];
