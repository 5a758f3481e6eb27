import { listsIn } from './databases/this-database.js';
import { Prisma, type PrismaClient } from './generated/prisma/client.js';

/** Ids of the seeded products by name, because a test with UUIDs is hard to read. */
export const PRODUCT = {
  atlas: '0d6f5a1e-7b7c-4c3e-9a53-000000000001',
  globe: '0d6f5a1e-7b7c-4c3e-9a53-000000000002',
  compass: '0d6f5a1e-7b7c-4c3e-9a53-000000000003',
  sextant: '0d6f5a1e-7b7c-4c3e-9a53-000000000004',
} as const;

/** Ids of the seeded specimens. */
export const SPECIMEN = {
  /** Every field filled. */
  full: 1,
  /** Optional fields null, lists empty. */
  bare: 2,
  /** The ends of every range, and text that is hard to carry. */
  extreme: 3,
} as const;

/** `day(3)` is 3 January 2026, 12:00 UTC. */
export function day(number: number): Date {
  return new Date(Date.UTC(2026, 0, number, 12));
}

/** `date(3)` is 3 January 2026 as Prisma gives a `@db.Date`. */
export function date(number: number): Date {
  return new Date(Date.UTC(2026, 0, number));
}

/**
 * Fills an empty database, always with the same rows: 5 users, 12 posts, 20 comments, 5 tags, a category tree of depth 3, 4 orders
 * with 7 lines, and the odd ones out. Ids are fixed; times are whole days of January 2026.
 */
export async function seed(prisma: PrismaClient): Promise<void> {
  await seedPeople(prisma);
  await seedPosts(prisma);
  await seedShop(prisma);
  await seedCompoundIds(prisma);
  await seedSpecimens(prisma);
}

async function seedPeople(prisma: PrismaClient): Promise<void> {
  await prisma.user.createMany({
    data: [
      user({ id: 1, name: 'Ada Lovelace', role: 'ADMIN', recoveryCode: 'ADA-RECOVERY', pin: '1815', loginCount: 7 }),
      user({ id: 2, name: 'Grace Hopper', role: 'AUTHOR', recoveryCode: 'GRACE-RECOVERY' }),
      user({ id: 3, name: 'Alan Turing', role: 'AUTHOR', locale: 'de' }),
      user({ id: 4, name: 'Edsger Dijkstra', locale: 'nl' }),
      user({ id: 5, name: 'Barbara Liskov' }),
    ],
  });
  await prisma.profile.createMany({
    data: [
      {
        id: 1,
        userId: 1,
        bio: 'Wrote the first program.',
        birthday: new Date('1815-12-10'),
        avatar: Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
      },
      { id: 2, userId: 2, bio: 'Found the first bug.', birthday: new Date('1906-12-09') },
      { id: 3, userId: 3 },
    ],
  });
  await prisma.apiToken.createMany({
    data: [
      { id: 1, userId: 1, secret: 'secret-token-of-ada' },
      { id: 2, userId: 2, secret: 'secret-token-of-grace' },
    ],
  });
}

/** Ada Lovelace's address is ada@example.com. */
function user(
  own: Pick<Prisma.UserCreateManyInput, 'name' | 'role' | 'locale' | 'recoveryCode' | 'pin' | 'loginCount'> & { readonly id: number },
) {
  const [firstName = ''] = own.name.toLowerCase().split(' ');
  return {
    ...own,
    email: `${firstName}@example.com`,
    passwordHash: `$2b$10$hash-of-user-${own.id}`,
    createdAt: day(own.id),
    updatedAt: day(own.id),
  };
}

async function seedPosts(prisma: PrismaClient): Promise<void> {
  await prisma.category.createMany({
    data: [
      { id: 1, slug: 'software', name: 'Software', parentId: null },
      { id: 2, slug: 'databases', name: 'Databases', parentId: 1 },
      { id: 3, slug: 'languages', name: 'Languages', parentId: 1 },
      { id: 4, slug: 'postgresql', name: 'PostgreSQL', parentId: 2 },
      { id: 5, slug: 'cooking', name: 'Cooking', parentId: null },
    ],
  });
  await prisma.tag.createMany({
    data: ['typescript', 'postgres', 'nest', 'prisma', 'unused'].map((name, index) => ({ id: index + 1, name })),
  });
  await prisma.post.createMany({ data: Array.from({ length: 12 }, (_, index) => post(index + 1)) });
  await prisma.comment.createMany({
    data: Array.from({ length: 20 }, (_, index) => ({
      id: index + 1,
      body: `Comment ${index + 1}`,
      createdAt: day(index + 1),
      postId: (index % 10) + 1,
      authorId: index % 7 === 6 ? null : (index % 5) + 1,
    })),
  });
  for (const id of [1, 2, 3, 4]) {
    await prisma.post.update({ where: { id }, data: { tags: { connect: [{ id }, { id: (id % 4) + 1 }] }, updatedAt: day(id) } });
  }
}

/** Posts 1 to 12: authors 1, 2, 3 in turn; every third a draft; reviewer and category on some. */
function post(id: number): Prisma.PostCreateManyInput {
  const published = id % 3 !== 0;
  return {
    id,
    title: `Post ${String(id).padStart(2, '0')}`,
    content: id % 4 === 0 ? null : `Text of post ${id}: 100% true_story`,
    published,
    publishedAt: published ? day(id) : null,
    viewCount: (id * 37) % 100,
    rating: id % 4 === 0 ? null : `${(id % 5) + 1}.50`,
    ...listsIn({ keywords: ['alpha', 'beta', 'gamma'].slice(0, id % 4) }),
    metadata: id % 2 === 0 ? { source: 'import', revision: id } : Prisma.DbNull,
    createdAt: day(id),
    updatedAt: day(id),
    authorId: ((id - 1) % 3) + 1,
    reviewerId: id % 2 === 0 ? 1 : null,
    categoryId: id <= 5 ? id : null,
  };
}

async function seedShop(prisma: PrismaClient): Promise<void> {
  await prisma.country.createMany({
    data: [
      { code: 'CH', name: 'Switzerland' },
      { code: 'DE', name: 'Germany' },
      { code: 'NL', name: 'Netherlands' },
    ],
  });
  await prisma.warehouse.createMany({
    data: [
      { id: 'wh-basel', name: 'Basel', countryCode: 'CH' },
      { id: 'wh-berlin', name: 'Berlin', countryCode: 'DE' },
      { id: 'wh-central', name: 'Central', countryCode: 'CH' },
    ],
  });
  await prisma.product.createMany({
    data: [
      { id: PRODUCT.atlas, sku: 'BOOK-0001', name: 'Atlas', price: '49.90', weight: 2.5, stock: 10 },
      { id: PRODUCT.globe, sku: 'TOOL-0001', name: 'Globe', price: '120.00', weight: 3.75, stock: 2 },
      { id: PRODUCT.compass, sku: 'TOOL-0002', name: 'Compass', price: '15.05', stock: 0 },
      { id: PRODUCT.sextant, sku: 'TOOL-0003', name: 'Sextant', price: '899.99', weight: 1.125, stock: 1 },
    ],
  });
  await prisma.warehouse.update({
    where: { id: 'wh-basel' },
    data: { products: { connect: [{ id: PRODUCT.atlas }, { id: PRODUCT.globe }] } },
  });
  await prisma.warehouse.update({ where: { id: 'wh-berlin' }, data: { products: { connect: { id: PRODUCT.atlas } } } });
  await seedOrders(prisma);
}

async function seedOrders(prisma: PrismaClient): Promise<void> {
  const address = { street: 'Main Street 1', city: 'Zürich', zip: '8001' };
  await prisma.order.createMany({
    data: [
      { id: 1n, number: 'A-1', status: 'PAID', total: '149.70', customerId: 4, address, placedAt: day(1), dueOn: date(31) },
      { id: 2n, number: 'A-2', status: 'OPEN', total: '15.05', customerId: 4, address, placedAt: day(2) },
      { id: 3n, number: 'A-3', status: 'SHIPPED', total: '1019.99', customerId: 5, address, placedAt: day(3), dueOn: date(15) },
      { id: 9_007_199_254_740_993n, number: 'A-4', customerId: 5, address, placedAt: day(4) },
    ],
  });
  await prisma.orderLine.createMany({
    data: [
      { orderId: 1n, productId: PRODUCT.atlas, quantity: 3, unitPrice: '49.90' },
      { orderId: 2n, productId: PRODUCT.compass, quantity: 1, unitPrice: '15.05' },
      { orderId: 3n, productId: PRODUCT.globe, quantity: 1, unitPrice: '120.00' },
      { orderId: 3n, productId: PRODUCT.sextant, quantity: 1, unitPrice: '899.99' },
      { orderId: 9_007_199_254_740_993n, productId: PRODUCT.atlas, quantity: 1, unitPrice: '49.90' },
      { orderId: 9_007_199_254_740_993n, productId: PRODUCT.globe, quantity: 2, unitPrice: '119.00' },
      { orderId: 9_007_199_254_740_993n, productId: PRODUCT.compass, quantity: 5, unitPrice: '14.00' },
    ],
  });
  await prisma.refund.createMany({
    data: [
      { id: 1, orderId: 1n, productId: PRODUCT.atlas, amount: '49.90', reason: 'damaged' },
      { id: 2, orderId: 3n, productId: PRODUCT.sextant, amount: '0.01' },
    ],
  });
}

async function seedCompoundIds(prisma: PrismaClient): Promise<void> {
  await prisma.translation.createMany({
    data: [
      { locale: 'en', key: 'greeting', text: 'Hello' },
      { locale: 'en', key: 'with_divider', text: 'An underscore in the id' },
      { locale: 'en_GB', key: 'with_divider', text: 'Underscores in both parts' },
      { locale: 'de', key: 'odd/ä b\\_c,d', text: 'Slash, space, umlaut, backslash, comma' },
    ],
  });
  await prisma.exchangeRate.createMany({
    data: [
      { currency: 'CHF', day: date(1), rate: '0.93480000' },
      { currency: 'CHF', day: date(2), rate: '0.93515000' },
      { currency: 'USD', day: date(1), rate: '1.10450000' },
      { currency: 'USD', day: date(2), rate: '1.09870001' },
    ],
  });
  await prisma.auditEvent.createMany({
    data: ['login', 'login', 'export'].map((type, index) => ({
      id: index + 1,
      type,
      payload: { user: index + 1 },
      createdAt: day(index + 1),
    })),
  });
}

async function seedSpecimens(prisma: PrismaClient): Promise<void> {
  await prisma.specimen.create({ data: { id: SPECIMEN.full, ...REQUIRED, ...OPTIONALS, ...listsIn(LISTS) } });
  await prisma.specimen.create({ data: { id: SPECIMEN.bare, ...REQUIRED } });
  await prisma.specimen.create({ data: { id: SPECIMEN.extreme, ...REQUIRED, ...EXTREMES } });
}

const REQUIRED = {
  string: 'text',
  boolean: true,
  int: 42,
  bigInt: 42n,
  float: 1.5,
  decimal: '12.5',
  dateTime: new Date('2026-01-02T03:04:05.678Z'),
  date: date(2),
  json: { nested: { list: [1, null, 'a'] } },
  bytes: Uint8Array.of(0, 1, 254, 255),
  uuid: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  level: 'MEDIUM',
} as const satisfies Partial<Prisma.SpecimenCreateInput>;

const OPTIONALS = {
  optionalString: '',
  optionalBoolean: false,
  optionalInt: 0,
  optionalBigInt: 0n,
  optionalFloat: -0.25,
  optionalDecimal: '0.0000000001',
  optionalDateTime: new Date('2026-06-30T23:59:59.999Z'),
  optionalDate: date(31),
  optionalJson: [],
  optionalBytes: new Uint8Array(),
  optionalUuid: '6f9619ff-8b86-4d01-b42d-00cf4fc96400',
  optionalLevel: 'LOW',
} as const satisfies Partial<Prisma.SpecimenCreateInput>;

const LISTS = {
  stringList: ['a', '', 'with,comma', 'with "quotes"'],
  booleanList: [true, false],
  intList: [1, -2, 3],
  bigIntList: [1n, 9_007_199_254_740_993n],
  floatList: [0.5, 1e21],
  decimalList: ['0.1', '0.2'],
  dateTimeList: [day(1), day(2)],
  dateList: [date(1), date(2)],
  jsonList: [{ a: 1 }, 'text', 3],
  bytesList: [Uint8Array.of(1), Uint8Array.of(2, 3)],
  uuidList: ['6f9619ff-8b86-4d01-b42d-00cf4fc96401'],
  levelList: ['LOW', 'HIGH'],
} satisfies Partial<Prisma.SpecimenCreateInput>;

const EXTREMES = {
  string: '"\\/\b\f\n\r\t <>& ünï 😀 %_\u2028 \u202e',
  int: -2_147_483_648,
  bigInt: 9_223_372_036_854_775_807n,
  optionalBigInt: -9_223_372_036_854_775_808n,
  float: 1.5e308,
  optionalFloat: -5e-300,
  decimal: '12345678901234567890.0123456789',
  optionalDecimal: '-99999999999999999999.9999999999',
  dateTime: new Date('0001-01-01T00:00:00.000Z'),
  optionalDateTime: new Date('9999-12-31T23:59:59.999Z'),
  json: { '__proto__x': 1, 'with.dot': { 'a\\b': '2026-01-01T00:00:00.000Z' }, '': null },
  bytes: Uint8Array.from({ length: 256 }, (_, byte) => byte),
} satisfies Partial<Prisma.SpecimenCreateInput>;
