import { describe, expect, it } from '@jest/globals';
import { inQuery } from '../../support/rpc-client.js';
import { READS } from '../rpc/differential-reads.js';
import { useTwoApps } from './two-apps.js';

describe('two applications that differ only in withSqlReads', () => {
  const apps = useTwoApps();

  it.each([
    [{ author: { id: 'desc' } }, { id: 'asc' }],
    [{ author: { createdAt: 'asc' } }, { id: 'desc' }],
    [{ post: { id: 'asc' } }, { createdAt: 'asc' }, { id: 'asc' }],
  ])('page from a cursor on in the order of related rows, whose fields have the names of their own: %j', async (...orderBy) => {
    for (let id = 1; id <= 12; id++) {
      const args = inQuery({ orderBy, cursor: { id }, take: 4, select: { id: true } });
      expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/comment/findMany${args.path}` })).toBe(200);
    }
  });

  it.each([
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
  ])('count from a cursor on: %j', async (args) => {
    for (let id = 0; id <= 13; id += 1) {
      const { path } = inQuery({ ...args, cursor: { id } });
      expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/post/count${path}` })).toBeLessThan(500);
    }
  });

  it('find nothing in a list by OR without alternatives', async () => {
    for (const where of [{ OR: [] }, { OR: [], AND: { id: { gt: 0 } } }, { AND: [{ OR: [] }, { id: { gt: 1 } }] }]) {
      const { path } = inQuery({ orderBy: { id: 'asc' }, include: { comments: { where, orderBy: { id: 'asc' } } } });
      expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/post/findMany${path}` })).toBe(200);
    }
  });

  describe.each(READS)('%s', (_, calls) => {
    it.each(calls.map(([operation, args]) => [operation, args] as const))('%s %j', async (operation, args) => {
      expect(await apps.statusOf({ method: 'GET', path: `/api/rpc/${operation}${inQuery(args).path}` })).toBeLessThan(500);
    });
  });
});
