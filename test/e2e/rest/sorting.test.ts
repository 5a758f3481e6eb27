import { THIS_DATABASE } from '../../support/databases/this-database.js';
import { describeReads, refusalOf } from './read-suite.js';

describeReads('sorting', {}, (suite) => {
  it.each([
    ['SO-02 ascending', '/category?sort=name', [5, 2, 3, 4, 1]],
    ['SO-02 descending', '/category?sort=-name', [1, 4, 3, 2, 5]],
    ['SO-03 several keys, in the order given', '/post?sort=published,-viewCount&page[limit]=6', [12, 9, 6, 3, 8, 5]],
    ['SO-04 a to-one path', '/post?sort=author.name,-id&page[limit]=5', [10, 7, 4, 1, 12]],
    ['a path of two', '/comment?sort=-post.author.name,id&page[limit]=3', [2, 5, 8]],
    ['the number of related resources', '/user?sort=-comments.$count', [1, 3, 5, 2, 4]],
    ['the number of related resources, to-many', '/post?sort=-tags.$count,-id&page[limit]=5', [4, 3, 2, 1, 12]],
    ['the id', '/tag?sort=-id', [5, 4, 3, 2, 1]],
    ['a date', '/post?sort=-createdAt&page[limit]=2', [12, 11]],
    // The order of the values in the schema; SQLite has texts.
    ['an enum', '/user?sort=-role,id', THIS_DATABASE === 'sqlite' ? [4, 5, 2, 3, 1] : [1, 2, 3, 4, 5]],
    ['nothing at all', '/tag?sort=', [1, 2, 3, 4, 5]],
  ])('%s', async (_, path, ids) => {
    expect((await suite.app.rest.get(path)).ids).toEqual(ids);
  });

  it('PG-04: pages of equal values never overlap', async () => {
    const seen: (string | number)[] = [];
    for (const offset of [0, 4, 8, 12, 16]) {
      const { ids } = await suite.app.rest.get(`/comment?sort=author.role&page[limit]=4&page[offset]=${offset}`);
      seen.push(...ids);
    }
    expect(new Set(seen).size).toBe(20);
  });

  it('sorts by a compound id', async () => {
    expect((await suite.app.rest.get('/exchangeRate?sort=-id')).ids).toEqual([
      'USD_2026-01-02T00:00:00.000Z',
      'USD_2026-01-01T00:00:00.000Z',
      'CHF_2026-01-02T00:00:00.000Z',
      'CHF_2026-01-01T00:00:00.000Z',
    ]);
  });

  it('sorts by the id of the resource of a to-one relationship', async () => {
    const { ids } = await suite.app.rest.get('/post?sort=-author,id');
    expect(ids).toEqual((await suite.app.rest.get('/post?sort=-author.id,id')).ids);
    expect(ids).not.toEqual((await suite.app.rest.get('/post?sort=author,id')).ids);
  });

  it('SO-05: sorts related resources and relationships', async () => {
    expect((await suite.app.rest.get('/user/1/posts?sort=-viewCount')).ids).toEqual([10, 7, 4, 1]);
    expect((await suite.app.rest.get('/user/1/relationships/posts?sort=-viewCount')).ids).toEqual([10, 7, 4, 1]);
  });

  it.each([
    ['SO-01 an unknown field', 'sort=titel', "invalid-sort sort: post has no field 'titel', at position 1. Did you mean 'title'?"],
    ['a hidden field', 'sort=-author.passwordHash', "invalid-sort sort: user has no field 'passwordHash', at position 9."],
    ['a write-only field', 'sort=author.pin', "invalid-sort sort: 'pin' at position 8 cannot be sorted by."],
    [
      'a to-many relationship',
      'sort=comments',
      "invalid-sort sort: 'comments' at position 1 is a relationship: sort by its number, 'comments.$count'.",
    ],
    ['a hidden relation', 'sort=author.tokens.$count', "invalid-sort sort: user has no field 'tokens', at position 8."],
  ])('%s is rejected before any SQL', async (_, search, problem) => {
    expect(refusalOf(await suite.app.rest.get(`/post?${search}`))).toEqual([400, problem]);
    expect(suite.database.statements.all).toEqual([]);
  });
});
