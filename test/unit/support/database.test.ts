import { Decimal } from 'decimal.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { SPECIMEN } from '../../support/seed.js';

describe('openTestDatabase', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => database.reset());
  afterAll(() => database.close());

  it('holds the base seed', async () => {
    const { prisma } = database;
    const counts = await Promise.all([prisma.user.count(), prisma.post.count(), prisma.comment.count(), prisma.orderLine.count()]);
    expect(counts).toEqual([5, 12, 20, 7]);
  });

  it('carries every scalar type there and back, in lists too', async () => {
    const specimen = await database.prisma.specimen.findUniqueOrThrow({ where: { id: SPECIMEN.full } });
    expect(specimen).toMatchObject({
      bigIntList: [1n, 9_007_199_254_740_993n],
      optionalBytes: new Uint8Array(),
      bytesList: [Uint8Array.of(1), Uint8Array.of(2, 3)],
      levelList: ['LOW', 'HIGH'],
      jsonList: [{ a: 1 }, 'text', 3],
      dateList: [new Date('2026-01-01'), new Date('2026-01-02')],
    });
    expect(specimen.decimalList.map(String)).toEqual(['0.1', '0.2']);
    expect(Decimal.isDecimal(specimen.decimal)).toBe(true);
  });

  it('brings back deleted, changed and linked rows on reset', async () => {
    const { prisma } = database;
    const before = await snapshot();
    await prisma.post.delete({ where: { id: 1 } });
    await prisma.category.update({ where: { id: 4 }, data: { parentId: null } });
    await prisma.order.update({ where: { id: 1n }, data: { lines: { deleteMany: {} } } });
    await prisma.tag.create({ data: { name: 'new', posts: { connect: { id: 2 } } } });
    expect(await snapshot()).not.toEqual(before);

    await database.reset();
    expect(await snapshot()).toEqual(before);
  });

  it('gives the next generated id anew after a reset', async () => {
    const { prisma } = database;
    const first = await prisma.tag.create({ data: { name: 'new' } });
    await database.reset();
    const again = await prisma.tag.create({ data: { name: 'new' } });
    expect([first.id, again.id]).toEqual([6, 6]);
  });

  it('counts statements at the driver, and transaction control apart', async () => {
    const { prisma, statements } = database;
    await prisma.user.findMany();
    expect(statements.all).toEqual([expect.stringMatching(/^SELECT .+"User"/)]);

    statements.clear();
    await prisma.$transaction([prisma.user.count(), prisma.tag.delete({ where: { id: 5 } })]);
    expect(statements.transactionControl).toEqual(['BEGIN', 'COMMIT']);
    expect(statements.queries).toHaveLength(2);
    expect(statements.writes).toEqual([expect.stringMatching(/^DELETE/)]);
  });

  it('counts a rollback', async () => {
    const { prisma, statements } = database;
    const refused = prisma.$transaction([prisma.tag.delete({ where: { id: 5 } }), prisma.tag.delete({ where: { id: 5 } })]);
    await expect(refused).rejects.toMatchObject({ code: 'P2025' });
    expect(statements.transactionControl).toEqual(['BEGIN', 'ROLLBACK']);
    expect(await prisma.tag.count()).toBe(5);
  });

  it('refuses what only the database checks', async () => {
    const update = database.prisma.product.updateMany({ data: { stock: -1 } });
    await expect(update).rejects.toThrow(/Product_stock_check/);
  });

  async function snapshot(): Promise<unknown> {
    const { prisma } = database;
    const [posts, categories, tags, lines] = await Promise.all([
      prisma.post.findMany({ orderBy: { id: 'asc' }, include: { comments: { orderBy: { id: 'asc' } }, tags: { orderBy: { id: 'asc' } } } }),
      prisma.category.findMany({ orderBy: { id: 'asc' } }),
      prisma.tag.findMany({ orderBy: { id: 'asc' } }),
      prisma.orderLine.findMany({ orderBy: [{ orderId: 'asc' }, { productId: 'asc' }] }),
    ]);
    return { posts, categories, tags, lines };
  }
});
