/** A request that is no plain list: the operations of an RPC request, several of which are a batch, or a page of related resources in REST. */
export type CostlyRequest =
  | { readonly style: 'rpc'; readonly operations: readonly Operation[] }
  | { readonly style: 'rest'; readonly model: string; readonly relation: string; readonly query: string };

export interface Operation {
  readonly model: string;
  readonly op: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const rpc = (...operations: readonly Operation[]): CostlyRequest => ({ style: 'rpc', operations });
const operation = (model: string, op: string, args: Operation['args']): Operation => ({ model, op, args });
const times = <Value>(count: number, make: (index: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Two lists of lists: what a filter may hold at most. */
const DEEP = { AND: times(2, (index) => ({ posts: { some: { tags: { none: { name: `w${index}` } } } } })) };

/** The most expensive requests of other kinds that the default limits allow. */
export const COSTLY_REQUESTS: readonly (readonly [name: string, request: CostlyRequest])[] = [
  [
    'a related page with a search of many words',
    { style: 'rest', model: 'User', relation: 'posts', query: `filter[content$search]=${times(75, (index) => `w${index}`).join('%7C')}` },
  ],
  [
    'a related page with lists of lists',
    {
      style: 'rest',
      model: 'Tag',
      relation: 'posts',
      query: 'filter[comments][author][posts][id]=1&filter[tags][name]=x&include=author.posts',
    },
  ],
  [
    'groups of a table by all of its texts',
    rpc(
      operation('Post', 'groupBy', {
        by: ['content', 'title'],
        _count: { _all: true },
        where: { tags: { every: { name: { not: 'x' } } } },
      }),
    ),
  ],
  [
    'groups behind searches',
    rpc(
      operation('Post', 'groupBy', {
        by: ['authorId'],
        where: { OR: times(4, () => ({ content: { search: 'zz' } })) },
        _max: { content: true, title: true },
      }),
    ),
  ],
  ['aggregates over lists of lists', rpc(operation('User', 'aggregate', { where: DEEP, _count: true, _max: { email: true } }))],
  ['a count over lists of lists', rpc(operation('User', 'count', { where: DEEP }))],
  ['counts in a batch, as many as fit', rpc(...times(180, () => operation('Comment', 'count', {})))],
  ['lists in a batch, which share one limit of rows', rpc(...times(100, () => operation('Post', 'findMany', { take: 100 })))],
  ['groups in a batch', rpc(...times(60, () => operation('Post', 'groupBy', { by: ['content'], _count: true })))],
  [
    'nested writes behind lists of lists',
    rpc(
      operation('User', 'update', {
        where: { id: 1 },
        data: {
          posts: { update: { where: { id: 1, tags: { some: { posts: { none: {} } } } }, data: { title: 'x' } } },
        },
      }),
    ),
  ],
  [
    'nested writes of many records',
    rpc(operation('User', 'update', { where: { id: 1 }, data: { posts: { create: times(150, (index) => ({ title: `t${index}` })) } } })),
  ],
  ['an update of all records', rpc(operation('Post', 'updateMany', { where: {}, data: { content: 'x' } }))],
];
