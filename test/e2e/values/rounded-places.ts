import type { Method } from '../../support/send-request.js';

/** A request whose body has a number, as text: JavaScript would round it. */
export interface Place {
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly body: (number: string) => string;
  /** @default invalid-id */
  readonly code?: string;
  /** @default 400 */
  readonly status?: number;
}

/** Integers that are not safe: `JSON.parse` makes the second of the first. */
export const UNSAFE = [
  '9007199254740993',
  '9007199254740992',
  '-9007199254740993',
  '5828128208445124612',
  '1000000000000000000000',
  '1e21',
  '1e400',
];
const FRACTIONS = ['1.1', '1.10', '0.1', '12345678901234567890.12', '9007199254740993.5'];
/** Decimals with more digits than a JavaScript number can represent. */
const LONG_DECIMALS = ['12345678901234567890.12', '0.30000000000000004', '1234567890.1234567', '9007199254740991', '1.2345678901234567e-5'];

/** Models of a single id, a second unique key and a tree. */
export const MODELS = [
  { type: 'doc', key: 'slug', numbers: [...UNSAFE, ...FRACTIONS] },
  { type: 'big', key: 'name', numbers: [...UNSAFE, ...FRACTIONS] },
  { type: 'price', key: 'name', numbers: [...UNSAFE, ...FRACTIONS] },
  { type: 'level', key: 'name', numbers: UNSAFE },
];

export function idPlaces(type: string, key: string): Place[] {
  const existing = type === 'doc' ? 'one' : '1';
  const data = (id: string, more = ''): string => `{"data":{"type":"${type}","id":${id},"attributes":{"${key}":"new"}${more}}}`;
  const identifier = (id: string): string => `{"type":"${type}","id":${id}}`;
  const operation = (text: string): string => `{"atomic:operations":[${text}]}`;
  const related = (id: string): string => `,"relationships":{"parent":{"data":${identifier(id)}}}`;
  const create = { method: 'POST', path: `/${type}` } as const;
  const operate = { method: 'POST', path: '/operations' } as const;
  const toOne = `/${type}/${existing}/relationships/parent`;
  const toMany = `/${type}/${existing}/relationships/children`;
  const upsert = (id: string): string =>
    `{"data":{"type":"${type}","id":${id},"attributes":{"${key}":"new"}},"meta":{"operation":"upsert","matchFields":["${key}"]}}`;
  return [
    { name: 'the id of a create', ...create, body: data },
    { name: 'the id of an upsert', ...create, body: upsert },
    { name: 'the id of an update', method: 'PATCH', path: `/${type}/9007199254740992`, body: data, status: 409, code: 'id-conflict' },
    { name: 'linkage in a create', ...create, body: (id) => data('"7"', related(id)) },
    { name: 'linkage in an update', method: 'PATCH', path: `/${type}/${existing}`, body: (id) => data(`"${existing}"`, related(id)) },
    { name: 'a to-one relationship', method: 'PATCH', path: toOne, body: (id) => `{"data":${identifier(id)}}` },
    { name: 'members to add', method: 'POST', path: toMany, body: (id) => `{"data":[${identifier(id)}]}` },
    {
      name: 'members to replace',
      method: 'PATCH',
      path: toMany,
      body: (id) => `{"data":[${identifier(`"${existing}"`)},${identifier(id)}]}`,
    },
    { name: 'members to remove', method: 'DELETE', path: toMany, body: (id) => `{"data":[${identifier(id)}]}` },
    { name: 'the ref of a remove', ...operate, body: (id) => operation(`{"op":"remove","ref":${identifier(id)}}`) },
    {
      name: 'the ref of an update',
      ...operate,
      body: (id) => operation(`{"op":"update","ref":${identifier(id)},"data":{"type":"${type}","attributes":{"${key}":"new"}}}`),
    },
    {
      name: 'the ref of a relationship',
      ...operate,
      body: (id) => operation(`{"op":"update","ref":{"type":"${type}","id":${id},"relationship":"parent"},"data":null}`),
    },
    { name: 'the data of an update without ref', ...operate, body: (id) => operation(`{"op":"update",${data(id).slice(1, -1)}}`) },
    { name: 'the data of an add', ...operate, body: (id) => operation(`{"op":"add",${data(id).slice(1, -1)}}`) },
    {
      name: 'linkage of an operation',
      ...operate,
      body: (id) =>
        operation(`{"op":"update","ref":{"type":"${type}","id":"${existing}","relationship":"parent"},"data":${identifier(id)}}`),
    },
  ];
}

/** Fields in the data of REST: ids, foreign keys and plain ones, lists too. */
export function attributePlaces(): (Place & { readonly numbers: readonly string[] })[] {
  const invalid = { method: 'POST', code: 'invalid-value' } as const;
  const of = (type: string, members: (number: string) => string) => (number: string) =>
    `{"data":{"type":"${type}","attributes":{${members(number)}}}}`;
  return [
    { ...invalid, name: 'big.id', path: '/big', body: of('big', (n) => `"id":${n},"name":"new"`), numbers: UNSAFE },
    { ...invalid, name: 'big.parentId', path: '/big', body: of('big', (n) => `"id":7,"name":"new","parentId":${n}`), numbers: UNSAFE },
    { ...invalid, name: 'amount.big', path: '/amount', body: of('amount', (n) => `"big":${n}`), numbers: UNSAFE },
    { ...invalid, name: 'amount.bigs', path: '/amount', body: of('amount', (n) => `"bigs":[1,${n}]`), numbers: UNSAFE },
    ...['decimal', 'decimals'].map((name) => ({
      ...invalid,
      name: `amount.${name}`,
      path: '/amount',
      body: of('amount', (n) => (name === 'decimals' ? `"decimals":[1,${n}]` : `"decimal":${n}`)),
      numbers: [...UNSAFE, ...LONG_DECIMALS],
    })),
    {
      ...invalid,
      name: 'price.parentId',
      path: '/price',
      body: of('price', (n) => `"id":"7","name":"new","parentId":${n}`),
      numbers: [...UNSAFE, ...LONG_DECIMALS],
    },
  ];
}

export interface RpcPlace {
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly args: (number: string) => string;
}

const READS: Method = 'GET';

/** @param key the other unique key of the model */
function keyedPlaces(model: string, key: string): RpcPlace[] {
  const read = (operation: string, args: (n: string) => string): RpcPlace => ({
    name: operation,
    method: READS,
    path: `${model}/${operation}`,
    args,
  });
  const write = (method: Method, operation: string, args: (n: string) => string): RpcPlace => ({
    name: operation,
    method,
    path: `${model}/${operation}`,
    args,
  });
  const created = (n: string): string => `{"id":${n},"${key}":"new"}`;
  return [
    read('findUnique', (n) => `{"where":{"id":${n}}}`),
    read('findMany', (n) => `{"where":{"id":${n}}}`),
    ...['equals', 'not', 'lt', 'lte', 'gt', 'gte'].map((operator) => read('findMany', (n) => `{"where":{"id":{"${operator}":${n}}}}`)),
    read('findMany', (n) => `{"where":{"id":{"in":[1,${n}]}}}`),
    read('findMany', (n) => `{"where":{"NOT":{"OR":[{"id":{"notIn":[${n}]}}]}}}`),
    read('findMany', (n) => `{"where":{"parent":{"is":{"id":${n}}}}}`),
    read('findMany', (n) => `{"where":{"children":{"some":{"parentId":${n}}}}}`),
    read('findMany', (n) => `{"cursor":{"id":${n}}}`),
    read('count', (n) => `{"where":{"id":${n}}}`),
    read('findMany', (n) => `{"include":{"children":{"where":{"id":${n}}}}}`),
    read('groupBy', (n) => `{"by":["id"],"having":{"id":{"_max":{"gt":${n}}}}}`),
    read('groupBy', (n) => `{"by":["id"],"having":{"id":{"_sum":{"equals":${n}}}}}`),
    write('DELETE', 'delete', (n) => `{"where":{"id":${n}}}`),
    write('DELETE', 'deleteMany', (n) => `{"where":{"id":{"in":[${n}]}}}`),
    write('PATCH', 'update', (n) => `{"where":{"id":${n}},"data":{"title":"x"}}`),
    write('PATCH', 'update', (n) => `{"where":{"id":1},"data":{"parentId":${n}}}`),
    write('PATCH', 'update', (n) => `{"where":{"id":1},"data":{"id":{"set":${n}}}}`),
    write('PATCH', 'update', (n) => `{"where":{"id":1},"data":{"parent":{"connect":{"id":${n}}}}}`),
    write('PATCH', 'update', (n) => `{"where":{"id":1},"data":{"children":{"set":[{"id":${n}}]}}}`),
    write('PATCH', 'update', (n) => `{"where":{"id":1},"data":{"children":{"create":${created(n)}}}}`),
    write('PATCH', 'update', (n) => `{"where":{"id":1},"data":{"children":{"deleteMany":{"id":${n}}}}}`),
    write('PATCH', 'updateMany', (n) => `{"where":{"id":{"gte":${n}}},"data":{"title":"x"}}`),
    write('POST', 'create', (n) => `{"data":${created(n)}}`),
    write('POST', 'createMany', (n) => `{"data":[${created(n)}]}`),
    write('POST', 'upsert', (n) => `{"where":{"id":${n}},"create":${created('"8"')},"update":{}}`),
    write('POST', 'upsert', (n) => `{"where":{"id":"8"},"create":${created(n)},"update":{}}`),
  ];
}

/** @param type of the fields of `Amount` */
function valuePlaces(type: 'big' | 'decimal'): RpcPlace[] {
  const update = (data: (n: string) => string): RpcPlace => ({
    name: `update ${data('n')}`,
    method: 'PATCH',
    path: 'amount/update',
    args: (n) => `{"where":{"id":1},"data":${data(n)}}`,
  });
  const find = (where: (n: string) => string): RpcPlace => ({
    name: `find ${where('n')}`,
    method: READS,
    path: 'amount/findMany',
    args: (n) => `{"where":${where(n)}}`,
  });
  return [
    ...['increment', 'decrement', 'multiply', 'divide', 'set'].map((verb) => update((n) => `{"${type}":{"${verb}":${n}}}`)),
    update((n) => `{"${type}":${n}}`),
    update((n) => `{"${type}s":{"push":${n}}}`),
    update((n) => `{"${type}s":{"push":[1,${n}]}}`),
    update((n) => `{"${type}s":{"set":[${n}]}}`),
    update((n) => `{"amounts":{"create":{"${type}":${n}}}}`),
    update((n) => `{"amounts":{"updateMany":{"where":{},"data":{"${type}":${n}}}}}`),
    ...['equals', 'lt'].map((operator) => find((n) => `{"${type}":{"${operator}":${n}}}`)),
    ...['has', 'hasEvery', 'hasSome', 'equals'].map((operator) =>
      find((n) => `{"${type}s":{"${operator}":${operator === 'has' ? n : `[${n}]`}}}`),
    ),
    ...(['_avg', '_sum', '_min'] as const)
      .filter((name) => type === 'decimal' || name !== '_avg')
      .map((name): RpcPlace => ({
        name: `having ${name}`,
        method: READS,
        path: 'amount/groupBy',
        args: (n) => `{"by":["id"],"having":{"${type}":{"${name}":{"gt":${n}}}}}`,
      })),
  ];
}

/** Parts of a compound key. */
const PAIR_PLACES: readonly RpcPlace[] = ['tenant', 'code'].flatMap((part) => {
  const key = (n: string): string => `{"tenant_code":${JSON.stringify({ tenant: 1, code: 1, [part]: 'N' }).replace('"N"', n)}}`;
  return [
    { name: `findUnique by ${part}`, method: READS, path: 'pair/findUnique', args: (n: string) => `{"where":${key(n)}}` },
    { name: `cursor by ${part}`, method: READS, path: 'pair/findMany', args: (n: string) => `{"cursor":${key(n)}}` },
    { name: `delete by ${part}`, method: 'DELETE' as const, path: 'pair/delete', args: (n: string) => `{"where":${key(n)}}` },
  ];
});

export const RPC_PLACES = [
  ...keyedPlaces('big', 'name').map((place) => ({ place, numbers: UNSAFE })),
  ...keyedPlaces('price', 'name').map((place) => ({ place, numbers: [...UNSAFE, ...LONG_DECIMALS] })),
  ...valuePlaces('big').map((place) => ({ place, numbers: UNSAFE })),
  ...valuePlaces('decimal').map((place) => ({ place, numbers: [...UNSAFE, ...LONG_DECIMALS] })),
  ...PAIR_PLACES.map((place) => ({ place, numbers: UNSAFE })),
];
