import { AppSuite, withOptions } from '../../support/app-suite.js';
import { onPlatforms } from '../../support/test-app.js';

onPlatforms('filters of a related row without conditions', (platform) => {
  const suite = new AppSuite(platform, withOptions, undefined);

  // Every post has an author, and some have no reviewer.
  it.each([
    [{ author: { updatedAt: {} } }, {}],
    [{ author: { is: { updatedAt: {} } } }, {}],
    [{ author: { isNot: { updatedAt: {} } } }, { id: { in: [] } }],
    [{ NOT: { author: { is: { AND: [] } } } }, { id: { in: [] } }],
    [{ reviewer: { is: { updatedAt: {} } } }, { reviewerId: { not: null } }],
    [{ reviewer: { isNot: { updatedAt: {} } } }, { reviewerId: null }],
  ])('match the same rows: %j and %j', async (where, same) => {
    const count = async (filter: object): Promise<unknown> => (await suite.app.rpc.call('post/count', { where: filter })).data;
    expect(await count(where)).toBe(await count(same));
  });

  it('are accepted beside a key, and in writes', async () => {
    const isNot = { author: { isNot: { updatedAt: {} } } };
    expect((await suite.app.rpc.call('post/findUnique', { where: { id: 1, ...isNot } })).data).toBeNull();
    expect((await suite.app.rpc.call('comment/updateMany', { where: { post: { reviewerId: {} }, id: 0 }, data: {} })).data).toEqual({
      count: 0,
    });
  });
});
