import { onDatabases } from '../../support/databases/this-database.js';
import { describeReads } from './read-suite.js';

/** The quoted name of the table, in PostgreSQL, and in MariaDB and SQLite. */
const COMMENT = /["`]Comment["`]/;

describeReads('statements', { limits: { maxDuration: Infinity } }, (suite) => {
  /**
   * Two for a collection (rows and total) or one for a resource, and one for each relationship that is loaded. Lists of several rows whose key is
   * not at their end, or below a page of related rows, are counted before they are loaded: one more for each, and one for the keys of each level.
   */
  it.each([
    ['/comment', 2],
    ['/comment?include=post', 3],
    ['/comment?include=post.author', 5],
    ['/post?include=comments.author&fields[user]=name', 4],
    ['/post?include=author,reviewer,comments,tags&fields[user]=name&fields[comment]=body', 9],
    ['/post/1', 1],
    ['/post/1?include=comments', 2],
    ['/user/1/posts', 2],
    ['/user/1/relationships/posts', 2],
    ['/post/1/author?fields[user]=name', 2],
    ['/post/1/relationships/author', 1],
    ['/post/99/comments', 1],
    ['/user/1/posts?include=comments', 6],
    ['/comment?filter[post][author][name]=x&sort=post.author.name', 2],
  ])('of %s are %i', async (path, count) => {
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

  it('load a page of related resources by LIMIT and OFFSET', async () => {
    await suite.app.rest.get('/user/1/posts?page[limit]=2&page[offset]=1');
    expect(suite.database.statements.queries[1]).toMatch(/LIMIT .* OFFSET /);
  });

  it('load the lists of several rows by a statement with a limit', async () => {
    await suite.app.rest.get('/post?page[limit]=3&include=comments');
    const queries = suite.database.statements.queries.filter((query) => COMMENT.test(query));
    expect(queries).toEqual([expect.stringMatching(/["`]postId["`] IN \((?:\$1,\$2,\$3|\?,\?,\?)\) .*LIMIT /)]);
  });

  it('do not load the ids of a to-many relationship that is not included', async () => {
    await suite.app.rest.get('/user?fields[user]=name,posts,comments');
    expect(suite.database.statements.queries.join(' ')).not.toMatch(/["`](Post|Comment)["`]/);
  });
});

describeReads('statements of reads with a statement_timeout', {}, (suite) => {
  const TIMED = ['BEGIN', expect.stringMatching(/^SELECT set_config\('statement_timeout'/)];

  onDatabases('postgresql').it('are in a transaction if rows are filtered, sorted or counted', async () => {
    await suite.app.rest.get('/comment');
    expect(suite.database.statements.all).toEqual([...TIMED, expect.anything(), expect.stringContaining('COUNT'), 'COMMIT']);
    suite.database.statements.clear();
    await suite.app.rest.get('/user/1/posts');
    expect(suite.database.statements.all).toEqual([...TIMED, expect.anything(), expect.anything(), 'COMMIT']);
  });

  it.each(['/post/1', '/post/1?include=author', '/post/1/author'])(
    'are in no transaction if one row is read by its key: %s',
    async (path) => {
      await suite.app.rest.get(path);
      expect(suite.database.statements.transactionControl).toEqual([]);
    },
  );
});
