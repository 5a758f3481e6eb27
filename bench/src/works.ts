/** One request to every contender, in the form that each of them has. `{id}` is a post, another one for each connection. */
export interface Work {
  readonly name: string;
  /** Below `/rest` (JSON:API) or `/rpc`; ours and ZenStack's. */
  readonly api: string;
  /** The same in the words of a hand-written controller. */
  readonly hand: string;
  readonly method?: 'POST' | 'PATCH';
  /** Bodies by style; the hand-written controller takes plain fields. */
  readonly body?: { readonly api: object; readonly hand: object };
  /** Whether the pipeline of `pg` and one JSON statement has it. */
  readonly json?: boolean;
  /** Whether it is several operations in one transaction, which ZenStack and the documented extension for row-level security do in other ways. */
  readonly isBatch?: boolean;
  /** Whether only rows of one tenant are read: by row rules, or by a `where` written by hand. */
  readonly isTenanted?: boolean;
  /** Part of the short form, which CI runs. */
  readonly short?: boolean;
}

const FIELDS = { title: 'New', content: 'Lorem ipsum', viewCount: 12, rating: '4.5' };
const NEW = { ...FIELDS, authorId: 1 };
const TEN = Array.from({ length: 10 }, () => NEW);
const rpc = (args: object): string => (Object.keys(args).length > 0 ? `?q=${encodeURIComponent(JSON.stringify(args))}` : '');

export const WORKS: readonly Work[] = [
  { name: 'REST list 20 + total', api: '/rest/post?page[limit]=20', hand: '/posts?take=20', json: true, short: true },
  {
    name: 'REST list 20 + author',
    api: '/rest/post?page[limit]=20&include=author',
    hand: '/posts?take=20&include=author',
    json: true,
    short: true,
  },
  {
    name: 'REST list 20 + author, tenanted',
    api: '/rest/post?page[limit]=20&include=author',
    hand: '/posts?take=20&include=author&tenant=50',
    isTenanted: true,
  },
  {
    name: 'REST list 100 + comments',
    api: '/rest/post?page[limit]=100&include=comments',
    hand: '/posts?take=100&include=comments',
    json: true,
    short: true,
  },
  { name: 'REST single', api: '/rest/post/42', hand: '/posts/42', json: true, short: true },
  {
    name: 'REST list 20, deep filter',
    api: '/rest/post?page[limit]=20&filter[author][posts][id]=42',
    hand: '/posts?take=20&authorOf=42',
  },
  {
    name: 'RPC findMany 20',
    api: `/rpc/post/findMany${rpc({ take: 20, orderBy: { id: 'asc' } })}`,
    hand: '/all-posts?take=20',
    short: true,
  },
  {
    name: 'RPC findMany 100 + comments',
    api: `/rpc/post/findMany${rpc({ take: 100, orderBy: { id: 'asc' }, include: { comments: true } })}`,
    hand: '/all-posts?take=100&include=comments',
  },
  { name: 'RPC findUnique', api: `/rpc/post/findUnique${rpc({ where: { id: 42 } })}`, hand: '/posts/42' },
  { name: 'RPC count', api: '/rpc/post/count', hand: '/posts-count' },
  {
    name: 'REST create',
    api: '/rest/post',
    hand: '/posts',
    method: 'POST',
    body: {
      api: {
        data: { type: 'post', attributes: FIELDS, relationships: { author: { data: { type: 'user', id: '1' } } } },
      },
      hand: NEW,
    },
  },
  {
    name: 'REST update',
    api: '/rest/post/{id}',
    hand: '/posts/{id}',
    method: 'PATCH',
    body: {
      api: { data: { type: 'post', id: '{id}', attributes: { content: 'Lorem ipsum' } } },
      hand: { content: 'Lorem ipsum' },
    },
  },
  {
    name: 'RPC create',
    api: '/rpc/post/create',
    hand: '/posts',
    method: 'POST',
    body: { api: { data: NEW }, hand: NEW },
  },
  {
    name: 'RPC batch of 10 creates',
    api: '/rpc/$transaction/sequential',
    hand: '/posts-batch',
    method: 'POST',
    isBatch: true,
    body: { api: TEN.map((data) => ({ model: 'post', op: 'create', args: { data } })), hand: TEN },
  },
];
