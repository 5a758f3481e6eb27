import { describe, expect, it } from '@jest/globals';
import * as planning from '../../../../lib/rest/plan/plan-read.js';
import type { Limits } from '../../../../lib/model/limits.js';
import { printPlan } from '../../../support/print-plan.js';
import { collectionQuery, problemsOf, readContext, relatedQuery, resourceQuery } from '../read-fixture.js';

const context = readContext();

const planCollection = (...given: Parameters<typeof planning.planCollection>) => printPlan(planning.planCollection(...given).plan);
const planResource = (...given: Parameters<typeof planning.planResource>) => printPlan(planning.planResource(...given).plan);
const planRelated = (...given: Parameters<typeof planning.planRelated>) => printPlan(planning.planRelated(...given).plan);

const COMMENT = { id: true, body: true, postId: true, authorId: true };
const USER = { id: true, email: true, name: true, role: true, managerId: true, profile: { select: { id: true } } };

describe('planCollection', () => {
  it('selects the id, attributes, foreign keys, and the other side of a one-to-one', () => {
    expect(planCollection(collectionQuery(context, 'User'), context)).toEqual({
      kind: 'collection',
      rows: { delegate: 'user', operation: 'findMany', args: { orderBy: [{ id: 'asc' }], take: 100, select: USER } },
      total: { delegate: 'user', operation: 'count', args: {} },
    });
  });

  it('filters, sorts to a total order and pages', () => {
    const query = collectionQuery(context, 'Comment', 'filter[body$contains]=a&sort=-post.title,body&page[offset]=20&page[limit]=10');
    expect(planCollection(query, context)).toEqual({
      kind: 'collection',
      rows: {
        delegate: 'comment',
        operation: 'findMany',
        args: {
          where: { body: { contains: 'a' } },
          orderBy: [{ post: { title: 'desc' } }, { body: 'asc' }, { id: 'asc' }],
          skip: 20,
          take: 10,
          select: COMMENT,
        },
      },
      total: { delegate: 'comment', operation: 'count', args: { where: { body: { contains: 'a' } } } },
    });
  });

  it.each([
    ['Post', 'sort=-comments.$count', [{ comments: { _count: 'desc' } }, { id: 'asc' }]],
    ['Post', 'sort=author.posts.$count', [{ author: { posts: { _count: 'asc' } } }, { id: 'asc' }]],
    ['Post', 'sort=-id', [{ id: 'desc' }]],
    ['Post', 'sort=author.id', [{ author: { id: 'asc' } }, { id: 'asc' }]],
    ['Line', 'sort=-sku', [{ sku: 'desc' }, { orderId: 'asc' }]],
    ['Line', 'sort=-id', [{ orderId: 'desc' }, { sku: 'desc' }]],
  ])('orders %s by %s', (model, search, orderBy) => {
    expect(planCollection(collectionQuery(context, model, search), context).rows.args).toEqual(expect.objectContaining({ orderBy }));
  });

  it('orders by the primary key where another key is the id', () => {
    const external = readContext({ resources: { User: { externalId: 'email' } } });
    expect(planCollection(collectionQuery(external, 'User', 'sort=id'), external).rows.args).toEqual(
      expect.objectContaining({ orderBy: [{ email: 'asc' }, { id: 'asc' }] }),
    );
  });

  it('loads what is included, each to-many in the order of its keys', () => {
    const query = collectionQuery(
      context,
      'Comment',
      'include=post.comments,author&fields[post]=title&fields[user]=name&fields[comment]=body,author',
    );
    expect(planCollection(query, context).rows.args).toEqual(
      expect.objectContaining({
        select: {
          id: true,
          body: true,
          postId: true,
          authorId: true,
          post: {
            select: {
              id: true,
              title: true,
              comments: { orderBy: [{ id: 'asc' }], take: 10_001, select: { id: true, body: true, authorId: true } },
            },
          },
          author: { select: { id: true, name: true } },
        },
      }),
    );
  });

  it('selects the related id where the foreign key does not hold it', () => {
    const external = readContext({ resources: { User: { externalId: 'email' } } });
    expect(planCollection(collectionQuery(external, 'Comment'), external).rows.args).toEqual(
      expect.objectContaining({ select: { ...COMMENT, author: { select: { email: true } } } }),
    );
  });

  it('builds the select of a plain request once', () => {
    const select = (): unknown => planCollection(collectionQuery(context, 'Post'), context).rows.args['select'];
    expect(select()).toBe(select());
  });

  it('has no total where pagination is off, and selects one row more than the limit to detect too many', () => {
    const endless = readContext({ settings: { pageSize: Infinity, maxPageSize: Infinity }, limits: { maxTake: 500 } });
    expect(planCollection(collectionQuery(endless, 'Tag'), endless)).toEqual({
      kind: 'collection',
      rows: {
        delegate: 'tag',
        operation: 'findMany',
        args: { orderBy: [{ id: 'asc' }], take: 501, select: { id: true, name: true } },
        expect: {
          kind: 'at-most',
          rows: 500,
          problem: { code: 'limit-exceeded', detail: 'An answer holds at most 500 resources, and as many included ones (limits.maxTake).' },
        },
      },
    });
    expect(planCollection(collectionQuery(endless, 'Tag', 'page[offset]=5'), endless).total).toBeDefined();
    expect(planCollection(collectionQuery(endless, 'Tag', 'page[limit]=5'), endless).total).toBeDefined();
  });

  it('selects one row more than the page, and no total, with `rest.count: none`', () => {
    const uncounted = readContext({ settings: { count: 'none' } });
    expect(planCollection(collectionQuery(uncounted, 'Tag', 'page[limit]=5'), uncounted)).toEqual({
      kind: 'collection',
      rows: { delegate: 'tag', operation: 'findMany', args: { orderBy: [{ id: 'asc' }], take: 6, select: { id: true, name: true } } },
    });
  });
});

describe('what a request of REST costs', () => {
  const problems = (model: string, search: string, limits: Partial<Limits> = {}): readonly string[] => {
    const limited = readContext({ limits });
    return problemsOf(() => planCollection(collectionQuery(limited, model, search), limited));
  };

  it.each<[string, Partial<Limits>, string]>([
    [
      'filter[title]=a,b&filter[author]=1,2',
      { maxFilterTerms: 3 },
      'filter: The request needs 4 filter and sort terms (filter 4); limits.maxFilterTerms allows 3.',
    ],
    [
      'filter[title]=a,b,c&sort=views',
      { maxFilterTerms: 3 },
      'filter[title]: The request needs 4 filter and sort terms (filter 3, sort 1); limits.maxFilterTerms allows 3.',
    ],
    [
      `filter[title$search]=${'w+'.repeat(900)}`,
      {},
      'filter[title$search]: The request needs 920 filter and sort terms (filter 920); limits.maxFilterTerms allows 100.',
    ],
    [
      'filter[author][posts][author][posts][author][name]=a',
      {},
      'filter[author][posts][author][posts][author][name]: The request needs 31 joins (filter 31); limits.maxJoins allows 30.',
    ],
    [
      'sort=comments.$count,tags.$count&include=author,tags&filter[author][name]=a',
      { maxJoins: 6 },
      'sort: The request needs 8 joins (sort 4, include 3, filter 1); limits.maxJoins allows 6.',
    ],
    [
      `filter[author]${'[manager]'.repeat(8)}[name$contains]=a`,
      {},
      `filter[author]${'[manager]'.repeat(8)}[name$contains]: The request needs 11 levels of nesting (filter 11); limits.maxDepth allows 10.`,
    ],
  ])('is refused for %s %j', (search, limits, problem) => {
    expect(problems('Post', search, limits)).toEqual([`limit-exceeded at ${problem}`]);
  });

  it('is the same at the URL of a relationship, and of one resource', () => {
    const limited = readContext({ limits: { maxJoins: 2 } });
    const search = 'filter[author][posts][title]=a';
    expect(problemsOf(() => planRelated(relatedQuery(limited, ['post', '1', 'comments'], search), limited))).toEqual([
      `limit-exceeded at filter[author][posts][title]: The request needs 6 joins (filter 3, relationship 3); limits.maxJoins allows 2.`,
    ]);
    expect(problemsOf(() => planResource(resourceQuery(limited, ['post', '1'], 'include=author,comments,tags'), limited))).toEqual([
      'limit-exceeded at include: The request needs 4 joins (include 4); limits.maxJoins allows 2.',
    ]);
  });
});

describe('planResource', () => {
  it('finds a resource by its id', () => {
    expect(planResource(resourceQuery(context, ['comment', '7']), context)).toEqual({
      kind: 'call',
      call: { delegate: 'comment', operation: 'findUnique', args: { where: { id: 7 }, select: COMMENT } },
    });
  });

  it('finds one by a compound id', () => {
    expect(planResource(resourceQuery(context, ['line', '1_a']), context).call.args).toEqual({
      where: { orderId_sku: { orderId: 1n, sku: 'a' } },
      select: { orderId: true, sku: true, quantity: true },
    });
  });
});

describe('planRelated', () => {
  it('loads a page and its total through the parent', () => {
    const query = relatedQuery(context, ['post', '1', 'comments'], 'filter[author]=2&sort=-body&page[offset]=5&page[limit]=5');
    expect(planRelated(query, context)).toEqual({
      kind: 'call',
      call: {
        delegate: 'post',
        operation: 'findUnique',
        args: {
          where: { id: 1 },
          select: {
            comments: {
              where: { authorId: 2 },
              orderBy: [{ body: 'desc' }, { id: 'asc' }],
              skip: 5,
              take: 5,
              select: COMMENT,
            },
            _count: { select: { comments: { where: { authorId: 2 } } } },
          },
        },
      },
    });
  });

  it('loads identifiers alone for a relationship', () => {
    expect(planRelated(relatedQuery(context, ['post', '1', 'relationships', 'tags']), context).call.args).toEqual({
      where: { id: 1 },
      select: { tags: { orderBy: [{ id: 'asc' }], take: 100, select: { id: true } }, _count: { select: { tags: true } } },
    });
  });

  it('loads the one that a to-one leads to', () => {
    expect(planRelated(relatedQuery(context, ['comment', '1', 'author']), context).call.args).toEqual({
      where: { id: 1 },
      select: { author: { select: USER } },
    });
  });

  it('reads the linkage of a to-one from the foreign key where the parent holds it', () => {
    const select = (...path: readonly [string, string, string]): unknown => {
      const [type, id, name] = path;
      return planRelated(relatedQuery(context, [type, id, 'relationships', name]), context).call.args['select'];
    };
    expect(select('comment', '1', 'author')).toEqual({ authorId: true });
    expect(select('refund', '1', 'line')).toEqual({ orderId: true, sku: true });
    expect(select('user', '1', 'profile')).toEqual({ profile: { select: { id: true } } });
  });

  it('loads what a relationship includes', () => {
    const query = relatedQuery(context, ['comment', '1', 'relationships', 'author'], 'include=author.profile&fields[user]=name');
    expect(planRelated(query, context).call.args).toEqual({
      where: { id: 1 },
      // The key too: it is the linkage where the author may not be read.
      select: { authorId: true, author: { select: { id: true, name: true, profile: { select: { id: true, bio: true, userId: true } } } } },
    });
  });
});
