import { describeReads } from './read-suite.js';

describeReads('statements', {}, (suite) => {
  /** Two for a collection (rows and total) or one for a resource, and one for each relationship that is loaded. */
  it.each([
    ['/comment', 2],
    ['/comment?include=post', 3],
    ['/comment?include=post.author', 5],
    ['/post?include=comments.author&fields[user]=name', 4],
    ['/post?include=author,reviewer,comments,tags&fields[user]=name&fields[comment]=body', 6],
    ['/post/1', 1],
    ['/post/1?include=comments', 2],
    ['/user/1/posts', 2],
    ['/user/1/relationships/posts', 2],
    ['/post/1/author?fields[user]=name', 2],
    ['/post/1/relationships/author', 1],
    ['/post/99/comments', 1],
    ['/user/1/posts?include=comments', 3],
    ['/comment?filter[post][author][name]=x&sort=post.author.name', 2],
  ])('%s takes %i', async (path, count) => {
    await suite.app.rest.get(path);
    expect(suite.database.statements.queries).toHaveLength(count);
    expect(suite.database.statements.transactionControl).toEqual([]);
  });

  it.each(['/post', '/post?include=comments.author.profile,tags', '/user/1/posts?include=tags'])(
    'their number does not depend on the number of rows: %s',
    async (path) => {
      const counts: number[] = [];
      for (const limit of [1, 3, 12]) {
        suite.database.statements.clear();
        await suite.app.rest.get(`${path}${path.includes('?') ? '&' : '?'}page[limit]=${limit}&sort=id`);
        counts.push(suite.database.statements.queries.length);
      }
      expect(new Set(counts).size).toBe(1);
    },
  );

  it('loads a page of related resources by LIMIT and OFFSET, not all of them', async () => {
    await suite.app.rest.get('/user/1/posts?page[limit]=2&page[offset]=1');
    expect(suite.database.statements.queries[1]).toMatch(/LIMIT .* OFFSET /);
  });

  it('never loads the ids of a to-many unasked', async () => {
    await suite.app.rest.get('/user?fields[user]=name,posts,comments');
    expect(suite.database.statements.queries.join(' ')).not.toMatch(/"(Post|Comment)"/);
  });
});
