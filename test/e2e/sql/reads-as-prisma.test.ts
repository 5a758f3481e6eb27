import { describe, expect, it } from '@jest/globals';
import { sample } from '../../support/sample.js';
import { inQuery } from '../../support/rpc-client.js';
import { READS } from '../rpc/differential-reads.js';
import { useTwoApps } from './two-apps.js';

describe('two applications that differ only in withSqlReads', () => {
  const apps = useTwoApps();

  it.each([
    [{ author: { id: 'desc' } }, { id: 'asc' }],
    [{ author: { createdAt: 'asc' } }, { id: 'desc' }],
    [{ post: { id: 'asc' } }, { createdAt: 'asc' }, { id: 'asc' }],
  ])('return the same page from a cursor in an order of related rows that have fields of the same names: %j', async (...orderBy) => {
    for (let id = 1; id <= 12; id++) {
      const args = inQuery({ orderBy, cursor: { id }, take: 4, select: { id: true } });
      expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/comment/findMany${args.path}` })).toBe(200);
    }
  });

  sample.omitted.it.each([
    {},
    { take: 3 },
    { take: -3 },
    { skip: 1, orderBy: { id: 'desc' } },
    { skip: 2, take: -3, orderBy: [{ title: 'desc' }, { id: 'asc' }] },
    { orderBy: { title: 'desc' } },
    { orderBy: [{ rating: 'desc' }, { id: 'asc' }] },
    { orderBy: [{ author: { id: 'asc' } }, { id: 'asc' }] },
    { orderBy: [{ author: { id: 'asc' } }] },
    { where: { published: true }, take: 2, orderBy: [{ viewCount: 'asc' }, { id: 'asc' }] },
    { select: { _all: true, rating: true } },
  ])('return the same count from a cursor: %j', async (args) => {
    for (let id = 0; id <= 13; id += 1) {
      const { path } = inQuery({ ...args, cursor: { id } });
      expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/post/count${path}` })).toBeLessThan(500);
    }
  });

  it('return null for a missing row of findUnique, and 404 for one of findUniqueOrThrow', async () => {
    const { path } = inQuery({ where: { id: 4711 } });
    expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/tag/findUnique${path}` })).toBe(200);
    expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/tag/findUniqueOrThrow${path}` })).toBe(404);
    expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/tag/findUnique${path}` })).toBe(200);
  });

  it('match no row by an empty OR in a list', async () => {
    for (const where of [{ OR: [] }, { OR: [], AND: { id: { gt: 0 } } }, { AND: [{ OR: [] }, { id: { gt: 1 } }] }]) {
      const { path } = inQuery({ orderBy: { id: 'asc' }, include: { comments: { where, orderBy: { id: 'asc' } } } });
      expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/post/findMany${path}` })).toBe(200);
    }
  });

  it.each(sample.oneIn(3, [{ OR: [] }, { OR: [{}] }, { OR: [{ OR: [] }] }, { NOT: { OR: [] } }, { AND: [{ OR: [] }] }, {}]))(
    'return the same rows for empty groups of conditions beside others, at any depth: %j',
    async (empty) => {
      const id = { id: { lte: 3 } };
      const beside = { ...empty, ...id };
      const groups = [
        beside,
        { AND: [beside] },
        { OR: [beside, { id: 5 }] },
        { NOT: beside },
        { NOT: [{ NOT: beside }] },
        { OR: [empty, id] },
      ];
      const placed = groups.flatMap((where) => [where, { author: where }, { comments: { none: where } }, { reviewer: { isNot: where } }]);
      for (const where of placed) {
        const { path } = inQuery({ where, orderBy: { id: 'asc' }, select: { id: true } });
        expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/post/findMany${path}` })).toBe(200);
      }
      expect(apps.declined).toEqual([]);
    },
  );

  sample.omitted.it.each([
    { orderBy: { published: 'asc' } },
    { orderBy: [{ authorId: 'asc' }, { published: 'desc' }], where: { id: { not: 5 } } },
    { orderBy: { title: 'asc' }, where: { id: { not: 5 } } },
    { orderBy: { id: 'asc' }, where: { published: true } },
    { distinct: ['authorId'], orderBy: { id: 'asc' }, where: { id: { not: 5 } } },
    { distinct: ['id'] },
  ])('return the same page from a cursor whose row has no place in the order, fails the filter, or is a duplicate: %j', async (args) => {
    for (const id of [3, 5, 99]) {
      for (const cut of [{}, { take: 2 }, { take: -2 }, { skip: 1, take: 2 }]) {
        const { path } = inQuery({ ...args, ...cut, cursor: { id }, select: { id: true } });
        expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/post/findMany${path}` })).toBe(200);
      }
    }
  });

  describe.each(READS)('%s', (_, calls) => {
    it.each(sample.oneIn(29, calls).map(([operation, args]) => [operation, args] as const))('%s %j', async (operation, args) => {
      expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/${operation}${inQuery(args).path}` })).toBeLessThan(500);
    });
  });
});
