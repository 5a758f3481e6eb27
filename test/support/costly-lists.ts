/** A request for a list, in one of the styles. */
export type ListRequest =
  | { readonly style: 'rest'; readonly model: string; readonly query: string }
  | { readonly style: 'rpc'; readonly model: string; readonly args: Readonly<Record<string, unknown>> };

const words = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `w${index}`);
const listed = (count: number): string => words(count).join(',');
const alternatives = (count: number, filter: string): string =>
  Array.from({ length: count }, (_, index) => `filter[or][${index}]${filter}`).join('&');

const rest = (model: string, ...parameters: readonly string[]): ListRequest => ({ style: 'rest', model, query: parameters.join('&') });
const rpc = (model: string, args: Readonly<Record<string, unknown>>): ListRequest => ({ style: 'rpc', model, args });

/** Keys of orders that count lists behind one record. */
const COUNTED_ORDERS = [
  { comments: { _count: 'asc' } },
  { tags: { _count: 'asc' } },
  { author: { posts: { _count: 'asc' } } },
  { author: { comments: { _count: 'asc' } } },
  { author: { reviewedPosts: { _count: 'asc' } } },
  { category: { posts: { _count: 'asc' } } },
  { category: { children: { _count: 'asc' } } },
  { reviewer: { posts: { _count: 'asc' } } },
  { reviewer: { comments: { _count: 'asc' } } },
  { author: { name: 'asc' } },
  { reviewer: { name: 'asc' } },
];

/**
 * The most expensive lists that the default limits allow: the first attacks, reduced to the limits, and the results of the search of
 * `costly-shapes.test.ts` (`COST_SHOW=1` prints them).
 */
export const COSTLY_LISTS: readonly (readonly [name: string, request: ListRequest])[] = [
  ['chains of lists, REST', rest('Post', 'filter[comments][author][posts][id]=1', 'filter[tags][posts][title$contains]=zz')],
  ['authors without such posts, REST', rest('Post', alternatives(9, '[author][posts$none][title$contains]=zz'))],
  ['comments that are not there, RPC', rpc('Post', { where: { AND: words(15).map((word) => ({ comments: { none: { body: word } } })) } })],
  ['lists of every one, RPC', rpc('User', { where: { AND: words(15).map((word) => ({ posts: { every: { title: { not: word } } } })) } })],
  ['lists within lists, RPC', rpc('Tag', { where: { AND: words(3).map((word) => nested(word)) } })],
  ['four searches, REST', rest('Post', alternatives(4, '[content$search]=zz'))],
  ['four searches, RPC', rpc('Post', { where: { OR: words(4).map((word) => ({ content: { search: word } })) } })],
  ['one search of many words, REST', rest('Post', `filter[content$search]=${words(79).join('%7C')}`)],
  ['searches by relevance, RPC', rpc('Post', { orderBy: { _relevance: { fields: ['title', 'content'], search: 'zz', sort: 'desc' } } })],
  ['a long list behind two records, REST', rest('Comment', `filter[post][author][name]=${listed(97)}`)],
  ['texts in texts, REST', rest('Comment', alternatives(30, '[post][title$contains]=zz'))],
  ['orders by counts, RPC', rpc('Post', { orderBy: COUNTED_ORDERS })],
  ['orders by counts, REST', rest('Post', `sort=${COUNTED_ORDERS.map(sortOf).join(',')}`)],
  ['counts with conditions, RPC', rpc('User', { include: { _count: { select: countsOf('posts', 'comments', 'reviewedPosts') } } })],
  ['as many rows as may be, and as many along with them, RPC', rpc('Comment', { take: 10_000, include: { post: true } })],
  ['as many wide rows as may be, each with another, RPC', rpc('Post', { take: 10_000, include: { author: true } })],
  ['the largest page, with all that it refers to, REST', rest('Post', 'page[limit]=1000', 'include=comments,tags,author,category')],
  ['includes in circles, RPC', rpc('Tag', { take: 10, include: { posts: { include: { author: { include: { posts: true } } } } } })],
  ['includes of everything, REST', rest('Post', 'include=author.posts,author.comments,comments.author,tags.posts,category.posts')],
  [
    'filters, orders and includes at once, REST',
    rest(
      'Post',
      'filter[category][children][parent][posts][content$contains]=a',
      `filter[or][0][content$search]=${words(17).join('%7C')}`,
      `filter[or][1][tags][name]=${listed(2)}`,
      'include=tags.posts',
      'sort=author.profile.bio,reviewer.reviewedPosts.$count,reviewer.profile.user.comments.$count,author.email',
    ),
  ],
  [
    'a circle of one-to-one, REST',
    rest(
      'User',
      `filter[profile][user][comments][author][name]=${listed(79)}`,
      'filter[or][0][comments][post][title$contains]=a',
      'include=profile.user.posts.comments.author,reviewedPosts',
      'sort=profile.user.orders.$count',
      'filter[posts][title$contains]=a',
    ),
  ],
  [
    'lists with none of a list, RPC',
    rpc('Tag', {
      where: {
        AND: [
          { posts: { none: { category: { parent: { posts: { none: { title: { in: words(22) } } } } } } } },
          { posts: { none: { title: { contains: 'a' } } } },
        ],
        OR: [{ name: { in: words(54) } }, { posts: { every: { title: { in: words(2) } } } }],
      },
      orderBy: [{ posts: { _count: 'asc' } }],
    }),
  ],
];

function nested(word: string): object {
  return { posts: { some: { tags: { some: { name: word } } } } };
}

function sortOf(key: object): string {
  const [[name, value] = ['', '']] = Object.entries(key) as readonly (readonly [string, unknown])[];
  if (typeof value !== 'object' || value === null) return name;
  return name === '_count' || Object.hasOwn(value, '_count') ? `${name}.$count` : `${name}.${sortOf(value)}`;
}

function countsOf(...lists: readonly string[]): object {
  return Object.fromEntries(lists.map((list) => [list, { where: { id: { gt: 3 } } }]));
}
