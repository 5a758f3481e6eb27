import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { itByPrisma, readsInSql } from '../../support/sql-reads.js';
import type { RestResponse } from '../../support/rest-client.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { refusalOf } from './write-suite.js';

/** Returns the linked ids of a relationship, for each resource of the data. */
function shown({ many }: RestResponse, relationship: string): readonly (readonly unknown[])[] {
  return many.map(({ relationships }) => idsOf(relationships[relationship]?.data));
}

function idsOf(data: unknown): readonly unknown[] {
  return (data as readonly { readonly id: unknown }[] | undefined)?.map(({ id }) => id) ?? [];
}

const includedIds = ({ included }: RestResponse, type: string): readonly unknown[] =>
  included
    .filter((one) => one.type === type)
    .map(({ id }) => Number(id))
    .toSorted((one, other) => one - other);

onPlatforms('includePage, includeSort and includeFilter', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  /** The ids of the posts of each author, from the newest on. */
  const posts = new Map<number, number[]>();

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { rest: { pageSize: 20, maxPageSize: 50 }, limits: { maxTake: 60 } } });
    for (const { id, authorId } of await database.prisma.post.findMany({ orderBy: { id: 'desc' } })) {
      posts.set(authorId, [...(posts.get(authorId) ?? []), id]);
    }
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const newest = (author: number, from: number, to: number): readonly number[] => (posts.get(author) ?? []).slice(from, to);

  it('PI-01, PI-03, PI-05: page, sort and filter the members of each resource separately, and not the primary data', async () => {
    const response = await app.rest.get('/user?sort=id&include=posts&includePage[posts][limit]=2&includeSort[posts]=-id');
    const expected = [1, 2, 3, 4, 5].map((author) => newest(author, 0, 2));
    expect(shown(response, 'posts')).toEqual(expected);
    expect(includedIds(response, 'post')).toEqual(expected.flat().toSorted((one, other) => one - other));
    expect(response.document.meta).toMatchObject({ total: 5 });
    const filtered = await app.rest.get('/user?sort=id&include=posts&includeFilter[posts][id$gt]=6&includeSort[posts]=-id');
    expect(shown(filtered, 'posts')).toEqual([1, 2, 3, 4, 5].map((author) => newest(author, 0, 12).filter((id) => id > 6)));
  });

  it('PI-04, PI-07: add to a relationship links to pages of its linkage, the total, and partial: true', async () => {
    const { one } = await app.rest.get(
      '/user/1?include=posts.tags&includePage[posts][offset]=1&includePage[posts][limit]=1&includeSort[posts]=-id&includeFilter[posts][id$gt]=0&fields[post]=title,tags',
    );
    const posts = one.relationships['posts'];
    expect(idsOf(posts?.data)).toEqual(newest(1, 1, 2));
    const { self, next, prev, first } = posts?.links as Readonly<Record<string, string>>;
    expect(self).toBe('http://api.test/api/rest/user/1/relationships/posts');
    expect(posts).toMatchObject({ meta: { total: newest(1, 0, 12).length, partial: true } });
    for (const [link, from] of [
      [next, 2],
      [prev, 0],
      [first, 0],
    ] as const) {
      const page = await app.rest.get(String(link).replace('http://api.test/api/rest', ''));
      expect([page.ids, includedIds(page, 'post')]).toEqual([newest(1, from, from + 1), newest(1, from, from + 1)]);
    }
  });

  it('PI-04: of a nested relationship are in the page links of the outer one', async () => {
    const query = 'include=posts.comments&includePage[posts][limit]=1&includePage[posts.comments][limit]=1&includeSort[posts.comments]=-id';
    const { one, included } = await app.rest.get(`/user/1?${query}`);
    const [post] = included.filter(({ type }) => type === 'post');
    expect(idsOf(post?.relationships['comments']?.data).length).toBeLessThanOrEqual(1);
    const { next } = one.relationships['posts']?.links as Readonly<Record<string, string>>;
    expect(new URL(String(next)).searchParams.get('includePage[posts.comments][limit]')).toBe('1');
    const page = await app.rest.get(String(next).replace('http://api.test/api/rest', ''));
    expect(page.ids).toEqual(newest(1, 0, 12).toReversed().slice(1, 2));
    expect(includedIds(page, 'comment').length).toBeLessThanOrEqual(1);
  });

  it('PI-07: add no partial to a complete list', async () => {
    const { one } = await app.rest.get('/user/1?include=posts&includePage[posts][limit]=50');
    expect(one.relationships['posts']?.meta).toEqual({ total: newest(1, 0, 12).length });
    const { one: sorted } = await app.rest.get('/user/1?include=posts&includeSort[posts]=-id');
    expect(idsOf(sorted.relationships['posts']?.data)).toEqual(newest(1, 0, 12));
    expect(sorted.relationships['posts']?.meta).toBeUndefined();
  });

  it('PI-05: apply to many-to-many relationships, at related URLs, and to the response to a write', async () => {
    const tags = await database.prisma.tag.findMany({ where: { posts: { some: { id: 1 } } }, orderBy: { id: 'desc' } });
    const { one } = await app.rest.get('/post/1?include=tags&includePage[tags][limit]=1&includeSort[tags]=-id');
    expect(idsOf(one.relationships['tags']?.data)).toEqual([tags[0]?.id]);
    const related = await app.rest.get(
      '/user/1/posts?sort=-id&include=tags,comments&includePage[tags][limit]=1&includePage[comments][limit]=1',
    );
    for (const ids of [...shown(related, 'tags'), ...shown(related, 'comments')]) expect(ids.length).toBeLessThanOrEqual(1);
    const written = await app.rest.patch('/user/1?include=posts&includePage[posts][limit]=1&includeSort[posts]=-id', {
      data: { type: 'user', id: '1', attributes: {} },
    });
    expect(idsOf(written.one.relationships['posts']?.data)).toEqual(newest(1, 0, 1));
  });

  itByPrisma('PI-08: no statement reads more of a list than its window', async () => {
    database.statements.clear();
    const response = await app.rest.get(
      '/user?sort=id&include=posts.comments&includePage[posts][limit]=2&includePage[posts.comments][limit]=1',
    );
    expect(shown(response, 'posts').flat().length).toBeGreaterThan(3);
    const lists = database.statements.all.filter((sql) => /FROM \S*\b(?:Post|Comment)\b/.test(sql) && !sql.includes('COUNT('));
    expect(lists.length).toBeGreaterThan(3);
    for (const sql of lists) expect(sql).toMatch(/LIMIT/);
  });

  (readsInSql() ? it : it.skip)('PI-08: cost one statement with SQL reads', async () => {
    database.statements.clear();
    await app.rest.get('/user?include=posts&includePage[posts][limit]=2');
    expect(database.statements.all.filter((sql) => sql.includes('"Post"'))).toHaveLength(1);
  });

  it('PI-02, PI-03: neither return nor count unreadable members', async () => {
    const ruled = await startTestApp({ platform, database, options: { rules: { 'Post': { read: { id: { gt: 6 } } }, '*': true } } });
    try {
      const { one } = await ruled.rest.get('/user/1?include=posts&includePage[posts][limit]=1');
      const visible = newest(1, 0, 12).filter((id) => id > 6);
      expect(idsOf(one.relationships['posts']?.data)).toEqual([visible.at(-1)]);
      expect(one.relationships['posts']?.meta).toEqual({ total: visible.length, partial: true });
      const list = await ruled.rest.get('/user?sort=id&include=posts&includePage[posts][limit]=2&includeSort[posts]=-id');
      expect(shown(list, 'posts')).toEqual([1, 2, 3, 4, 5].map((author) => newest(author, 0, 2).filter((id) => id > 6)));
    } finally {
      await ruled.close();
    }
  });

  it('PI-09: do not change other includes', async () => {
    const plain = await app.rest.get('/user/1?include=posts,comments');
    const beside = await app.rest.get('/user/1?include=posts,comments&includePage[posts][limit]=1');
    expect(beside.one.relationships['comments']).toEqual(plain.one.relationships['comments']);
    expect(plain.one.relationships['posts']).toEqual({ data: expect.anything() });
  });

  it.each<[string, string, readonly (number | string)[]]>([
    ['PI-02', 'includePage[posts][limit]=1', [400, 'invalid-include includePage[posts][limit]']],
    ['PI-02', 'include=posts&includePage[post][limit]=1', [400, 'invalid-include includePage[post][limit]']],
    ['PI-02', 'include=posts&includeSort[posts.tags]=id', [400, 'invalid-include includeSort[posts.tags]']],
    ['PI-02', 'include=posts.author&includeSort[posts.author]=id', [400, 'invalid-include includeSort[posts.author]']],
    ['PI-02', 'include=posts&includeSort=id', [400, 'invalid-include includeSort']],
    ['PI-02', 'include=posts&includeSort[posts]=titel', [400, 'invalid-sort includeSort[posts]']],
    ['PI-02', 'include=posts&includeFilter[posts][titel]=x', [400, 'invalid-filter includeFilter[posts][titel]']],
    [
      'PI-02',
      'include=posts&includeFilter[posts][author][passwordHash]=x',
      [400, 'invalid-filter includeFilter[posts][author][passwordHash]'],
    ],
    ['PI-02', 'include=posts&includeFilter[posts]=1', [400, 'invalid-filter includeFilter[posts]']],
    ['PI-02', 'include=posts&includeFilter[posts][viewCount]=x', [400, 'invalid-value includeFilter[posts][viewCount]']],
    ['PI-02', 'include=posts&includeFilter[posts][title$search]=a b', [400, 'invalid-filter includeFilter[posts][title$search]']],
    ['CP-04', 'include=posts&includePage[posts][size]=0', [400, 'invalid-page includePage[posts][size]']],
    ['CP-05', 'include=posts&includePage[posts][size]=51', [400, 'limit-exceeded includePage[posts][size]']],
    ['CP-08', 'include=posts&includePage[posts][after]=', [400, 'invalid-page includePage[posts][after]']],
    ['CP-08', 'include=posts&includePage[posts][before]=AWML', [400, 'invalid-page includePage[posts][before]']],
    ['CP-15', 'include=posts&includePage[posts][size]=1&includePage[posts][offset]=1', [400, 'invalid-page includePage[posts][offset]']],
    ['CP-24', 'include=posts&includePage[posts][size]=1&includeSort[posts]=comments.$count', [400, 'invalid-sort includeSort[posts]']],
    ['PI-01', 'include=posts&includePage[posts][number]=1', [400, 'invalid-page includePage[posts][number]']],
    ['PI-01', 'include=posts&includePage[posts]=1', [400, 'invalid-page includePage[posts]']],
    ['PI-09', 'include=posts&includePage[posts][limit]=51', [400, 'limit-exceeded includePage[posts][limit]']],
    ['PI-06', 'include=posts,comments.author.posts&includePage[posts][limit]=1', [400, 'invalid-include includePage[posts][limit]']],
  ])('%s: reject %s', async (_, query, expected) => {
    expect(refusalOf(await app.rest.get(`/user/1?${query}`))).toEqual(expected);
  });

  describe('with cursors', () => {
    const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';
    interface Linked {
      readonly data: readonly { readonly meta: { readonly page: { readonly cursor: string } } }[];
      readonly links: object;
    }
    const linked = (one: RestResponse['one'] | undefined): Linked => one?.relationships['posts'] as Linked;
    const linksOf = (one: Linked): Readonly<Record<string, string | null>> => one.links as Readonly<Record<string, string | null>>;
    const follow = (link: string | null | undefined): Promise<RestResponse> =>
      app.rest.get(String(link).replace('http://api.test/api/rest', ''));

    it('PI-01, CP-12, CP-13: page the members of each resource, name the profile, and add a cursor to each member', async () => {
      const response = await app.rest.get('/user?sort=id&include=posts&includePage[posts][size]=2&includeSort[posts]=-id');
      expect(shown(response, 'posts')).toEqual([1, 2, 3, 4, 5].map((author) => newest(author, 0, 2)));
      expect(response.headers['content-type']).toBe(`application/vnd.api+json;profile="${PROFILE}"`);
      expect(response.document.links).toMatchObject({ self: { type: response.headers['content-type'] } });
      const posts = linked(response.many[0]);
      expect(posts).toMatchObject({ meta: { total: 4, page: { total: 4 }, partial: true }, links: { prev: null } });
      for (const { meta } of posts.data) expect(meta.page.cursor).toMatch(/^[\w-]+$/);
    });

    it.each(['-id', 'publishedAt', '-published,categoryId', 'author.name'])(
      'PI-04, CP-30: have links that reach each member once, in the order %s',
      async (sort) => {
        const whole = await app.rest.get(`/user/1/relationships/posts?sort=${sort}`);
        const { one } = await app.rest.get(`/user/1?include=posts&includePage[posts][size]=1&includeSort[posts]=${sort}`);
        const walked = [...idsOf(linked(one).data)];
        let { next } = linksOf(linked(one));
        while (next) {
          const page = await follow(next);
          walked.push(...page.ids);
          ({ next } = page.document.links as { readonly next: string | null });
        }
        expect(walked).toEqual(whole.ids);
        const last = await follow(linksOf(linked(one))['last']);
        expect(last.ids).toEqual(whole.ids.slice(-1));
      },
    );

    it('CP-03, PI-03: apply one cursor, as a position in the order, to the list of each resource', async () => {
      const { one } = await app.rest.get('/user/1?include=posts&includePage[posts][size]=2&includeSort[posts]=-id');
      const cursor = linked(one).data[1]?.meta.page.cursor;
      const [, second = 0] = newest(1, 0, 2);
      const behind = `/user?sort=id&include=posts&includeSort[posts]=-id&includePage[posts][after]=${cursor}`;
      expect(shown(await app.rest.get(behind), 'posts')).toEqual(
        [1, 2, 3, 4, 5].map((author) => newest(author, 0, 20).filter((id) => id < second)),
      );
      const before = `/user?sort=id&include=posts&includeSort[posts]=-id&includePage[posts][before]=${cursor}&includePage[posts][size]=1`;
      expect(shown(await app.rest.get(before), 'posts')).toEqual(
        [1, 2, 3, 4, 5].map((author) =>
          newest(author, 0, 20)
            .filter((id) => id > second)
            .slice(-1),
        ),
      );
      // A cursor of another order is rejected.
      const other = await app.rest.get(`/user/1?include=posts&includePage[posts][after]=${cursor}`);
      expect(refusalOf(other)).toEqual([400, 'invalid-page includePage[posts][after]']);
    });

    it('CP-09: return the range between two cursors, and report that it is truncated', async () => {
      const { one } = await app.rest.get('/user/1?include=posts&includePage[posts][size]=4');
      const [first, , , last] = linked(one).data.map(({ meta }) => meta.page.cursor);
      const query = `include=posts&includePage[posts][after]=${first}&includePage[posts][before]=${last}`;
      const { one: range } = await app.rest.get(`/user/1?${query}`);
      expect(idsOf(linked(range).data)).toEqual(newest(1, 0, 4).toReversed().slice(1, 3));
      const { one: cut } = await app.rest.get(`/user/1?${query}&includePage[posts][size]=1`);
      expect(linked(cut)).toMatchObject({ meta: { page: { rangeTruncated: true }, partial: true } });
    });

    it('PI-07: add no partial to a complete list', async () => {
      const { one } = await app.rest.get('/user/1?include=posts&includePage[posts][size]=50');
      expect(linked(one)).toMatchObject({ links: { prev: null, next: null } });
      expect(one.relationships['posts']?.meta).toEqual({ total: 4, page: { total: 4 } });
    });

    it('PI-05: apply below another page, to a resource on two paths, and to the response to a write', async () => {
      const query = 'include=posts.comments,comments.post&includePage[posts.comments][size]=1&includePage[posts][size]=2';
      const { included, headers } = await app.rest.get(`/user/1?${query}`);
      expect(headers['content-type']).toContain(PROFILE);
      const windowed = included.filter(({ type, relationships }) => type === 'post' && relationships['comments']?.data);
      expect(windowed.length).toBe(2);
      for (const post of windowed) expect(idsOf(post.relationships['comments']?.data).length).toBeLessThanOrEqual(1);
      const written = await app.rest.patch('/user/1?include=posts&includePage[posts][size]=1&includeSort[posts]=-id', {
        data: { type: 'user', id: '1', attributes: {} },
      });
      expect([idsOf(linked(written.one).data), written.headers['content-type']]).toEqual([newest(1, 0, 1), headers['content-type']]);
    });

    it('PF-03: add no media type to an empty response', async () => {
      const silent = await app.rest.patch(
        '/user/1/relationships/posts?include=posts.tags&includePage[posts.tags][size]=1',
        { data: newest(1, 0, 4).map((id) => ({ type: 'post', id })) },
        { Prefer: 'return=minimal' },
      );
      expect([silent.status, silent.headers['content-type']]).toEqual([204, undefined]);
    });
  });

  it('PI-06: may be equal for two paths to one relationship', async () => {
    const windows = 'includePage[posts][limit]=1&includePage[comments.author.posts][limit]=1';
    const { one } = await app.rest.get(`/user/1?include=posts,comments.author.posts&${windows}`);
    expect(idsOf(one.relationships['posts']?.data)).toHaveLength(1);
  });

  it('PI-02: are rejected for the first step of the URL of a relationship, which is the primary data', async () => {
    const refused = await app.rest.get('/user/1/relationships/posts?include=posts&includePage[posts][limit]=1');
    expect(refusalOf(refused)).toEqual([400, 'invalid-include includePage[posts][limit]']);
    const page = await app.rest.get('/user/1/relationships/posts?include=posts.tags&includePage[posts.tags][limit]=1&sort=-id');
    expect(page.ids).toEqual(newest(1, 0, 12));
    for (const { relationships } of page.included.filter(({ type }) => type === 'post')) {
      expect(idsOf(relationships['tags']?.data).length).toBeLessThanOrEqual(1);
    }
  });
});
