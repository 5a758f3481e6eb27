import { HOSTILE_CALLS } from './hostile-calls.js';
import type { OutgoingRequest } from '../../../support/send-request.js';

const JSON_API = { 'Content-Type': 'application/vnd.api+json' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

const METHODS: Readonly<Record<string, 'POST' | 'PATCH' | 'DELETE'>> = {
  create: 'POST',
  createMany: 'POST',
  upsert: 'POST',
  update: 'PATCH',
  updateMany: 'PATCH',
  deleteMany: 'DELETE',
};

export type Hostile = readonly [title: string, request: OutgoingRequest];

/** Requests for members that need a grant, on every endpoint of both styles, and for members that need none. */
export const HOSTILE_REQUESTS: readonly Hostile[] = [
  ...[
    '/user/1',
    '/user?sort=id',
    '/user?sort=-loginCount',
    '/user?sort=mail',
    '/user?sort=mial',
    '/user?filter[loginCount]=7',
    '/user?filter[loginCount$gt]=1',
    '/user?filter[logincount]=7',
    '/user?filter[mail$startsWith]=ada',
    '/user?filter[email$startsWith]=ada',
    '/user?filter[recoveryCode$startsWith]=ADA',
    '/user?filter[or][0][loginCount]=7',
    '/user?filter[orders$some][number]=A-1',
    '/user?filter[orders]=1',
    '/user?filter[tokens$none][id]=1',
    '/user?fields[user]=loginCount',
    '/user?fields[user]=mail,name',
    '/user?fields[order]=number',
    '/user?fields[ordr]=number',
    '/user?include=orders',
    '/user?include=tokens',
    '/user?include=order',
    '/user?include=orders.lines',
    '/user?sort=orders.$count',
    '/user/1/orders',
    '/user/1/ordres',
    '/user/1/relationships/orders',
    '/user/1/tokens',
    '/user/1/reviewedPosts',
    '/user/1/relationships/reviewedPosts',
    '/user?filter[reviewedPosts$some][id]=1',
    '/user?page[cursor]=loginCount',
    '/post/1',
    '/post?sort=id&include=author',
    '/post?sort=author.loginCount',
    '/post?sort=author.mail',
    '/post?sort=reviewerId',
    '/post?filter[reviewerId]=1',
    '/post?filter[reviewer]=1',
    '/post?filter[author][loginCount]=7',
    '/post?filter[author][mail]=ada@example.com',
    '/post?filter[author][orders][id]=1',
    '/post?include=reviewer',
    '/post?include=author.orders',
    '/post?include=author.reviewedPosts',
    '/post?include=%61uthor&fields[user]=mail',
    '/post?fields[post]=reviewerId',
    '/post?fields[post]=title&fields[order]=number',
    '/post/1/reviewer',
    '/post/1/author?fields[user]=loginCount',
    '/post/1/relationships/reviewer',
    '/tag?include=posts.author',
    '/tag?include=posts.reviewer',
    '/tag?filter[posts.author.loginCount]=7',
    '/tag?filter[posts][author][loginCount]=7',
    '/tag/1',
    '/tag/1?fields[Order]=number',
    '/country?fields[order]=number',
    '/country?fields[user]=mail',
    '/order',
    '/Order/1',
    '/order/1',
    '/order/x',
    '/order/1/customer',
    '/order/1/relationships/customer',
    '/order?sort=nothing',
    '/order?filter[number]=A-1',
    '/order/1/nothing/at/all',
    '/orderLine',
    '/refund',
    '/apiToken',
    '/apiToken/1?include=user',
    '/apitokn',
    '/odrer',
    '/comment/1?include=author',
    '/product?include=lines',
    '/product?filter[lines$some][quantity]=1',
  ].map(rest),
  ...['', '/user', '/order', '/refund', '/apiToken', '/odrer'].map((path): Hostile => [
    `$describe${path}`,
    { method: 'GET', path: `/api/rpc/$describe${path}` },
  ]),
  ...['DELETE /order/1', 'DELETE /comment/1', 'DELETE /apiToken/1', 'HEAD /order', 'OPTIONS /order', 'PUT /order'].map((text) => {
    const [method, path] = text.split(' ') as ['DELETE' | 'HEAD' | 'OPTIONS' | 'PUT', string];
    return [text, { method, path: `/api/rest${path}` }] as const;
  }),
  ...(
    [
      ['POST', '/user', { data: { type: 'user', attributes: { name: 'Eve' } } }],
      ['POST', '/user', { data: { type: 'user', attributes: { name: 'Eve', mail: 'eve@example.com' } } }],
      ['POST', '/user', { data: { type: 'user', attributes: { name: 'Eve', mail: 'ada@example.com' } } }],
      ['POST', '/user', { data: { type: 'user', attributes: { name: 'Eve', email: 'eve@example.com' } } }],
      ['POST', '/user', { data: { type: 'user', attributes: { name: 'Eve', loginCount: 3 } } }],
      ['PATCH', '/user/2', { data: { type: 'user', id: 2, attributes: { loginCount: 3 } } }],
      ['PATCH', '/user/2', { data: { type: 'user', id: 2, attributes: { recoveryCode: 'ADA-RECOVERY' } } }],
      ['PATCH', '/user/2', { data: { type: 'user', id: 2, attributes: { mail: 'ada@example.com' } } }],
      ['PATCH', '/user/2', { data: { type: 'user', id: 2, attributes: { name: 'Eve' } } }],
      ['PATCH', '/user/2', { data: { type: 'user', id: 2, attributes: { logincount: 3 } } }],
      ['PATCH', '/user/2', { data: { type: 'user', id: 2, relationships: { orders: { data: [{ type: 'order', id: '1' }] } } } }],
      ['PATCH', '/user/2/relationships/orders', { data: [{ type: 'order', id: '1' }] }],
      ['PATCH', '/user/2/relationships/reviewedPosts', { data: [{ type: 'post', id: 1 }] }],
      ['PATCH', '/post/1', { data: { type: 'post', id: 1, attributes: { reviewerId: 2 } } }],
      ['PATCH', '/post/1', { data: { type: 'post', id: 1, relationships: { reviewer: { data: { type: 'user', id: 2 } } } } }],
      ['PATCH', '/post/1/relationships/reviewer', { data: { type: 'user', id: 2 } }],
      ['PATCH', '/post/1/relationships/author', { data: { type: 'order', id: '1' } }],
      ['PATCH', '/post/1/relationships/author', { data: { type: 'nothing', id: '1' } }],
      ['PATCH', '/comment/1', { data: { type: 'comment', id: 1, attributes: { body: 'mine' } } }],
      [
        'POST',
        '/order',
        {
          data: { type: 'order', attributes: { number: 'Z', address: {} }, relationships: { customer: { data: { type: 'user', id: 1 } } } },
        },
      ],
      ['POST', '/order', 'no document'],
      ['PATCH', '/order/1', { data: { type: 'order', id: '1', attributes: { status: 'PAID' } } }],
      ['POST', '/user', { data: { type: 'user', attributes: { name: 'Eve' } }, meta: { operation: 'upsert', matchFields: ['mail'] } }],
      [
        'POST',
        '/user',
        {
          data: { type: 'user', attributes: { name: 'Eve', recoveryCode: 'ADA-RECOVERY' } },
          meta: { operation: 'upsert', matchFields: ['recoveryCode'] },
        },
      ],
    ] as const
  ).map(([method, path, body]): Hostile => {
    return [
      `${method} ${path} ${JSON.stringify(body)}`,
      { method, path: `/api/rest${path}`, headers: JSON_API, body: JSON.stringify(body) },
    ];
  }),
  ...HOSTILE_CALLS.flatMap(([operation, args]): readonly Hostile[] => [call(operation, args), batch(operation, args)]),
  [
    'a batch of several models',
    sequential([
      ['tag', 'count', {}],
      ['order', 'count', {}],
      ['user', 'count', { select: { email: true } }],
    ]),
  ],
  [
    'atomic operations',
    operations([
      { op: 'update', data: { type: 'post', id: 1, relationships: { reviewer: { data: { type: 'user', id: 2 } } } } },
      { op: 'update', data: { type: 'user', id: 2, attributes: { loginCount: 3 } } },
    ]),
  ],
  [
    'an atomic operation on an unknown relationship',
    operations([{ op: 'update', ref: { type: 'tag', id: 1, relationship: 'orders' }, data: [] }]),
  ],
  ['an atomic operation on a type that takes a grant', operations([{ op: 'remove', ref: { type: 'order', id: '1' } }])],
  ['an atomic operation on an unknown type', operations([{ op: 'remove', ref: { type: 'ordr', id: '1' } }])],
  [
    'a query in the body',
    {
      method: 'QUERY',
      path: '/api/rest/tag',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'filter%5Bposts%5D%5Bauthor%5D%5BloginCount%5D=7',
    },
  ],
  ['a batch that is none', { method: 'POST', path: '/api/rpc/$transaction/sequential', headers: JSON_TYPE, body: '{"order":1}' }],
];

function rest(path: string): Hostile {
  return [`GET ${path}`, { method: 'GET', path: `/api/rest${path}` }];
}

function call(operation: string, args: object): Hostile {
  const method = METHODS[operation.split('/')[1] ?? ''] ?? 'GET';
  const title = `${operation} ${JSON.stringify(args)}`;
  const path = `/api/rpc/${operation}`;
  if (method === 'GET' || method === 'DELETE') return [title, { method, path: `${path}?q=${encodeURIComponent(JSON.stringify(args))}` }];
  return [title, { method, path, headers: JSON_TYPE, body: JSON.stringify(args) }];
}

function batch(operation: string, args: object): Hostile {
  const [model = '', op = ''] = operation.split('/');
  return [
    `${operation} ${JSON.stringify(args)} in a batch`,
    sequential([
      ['tag', 'count', {}],
      [model, op, args],
    ]),
  ];
}

function operations(list: readonly object[]): OutgoingRequest {
  const type = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"';
  const headers = { 'Content-Type': type, 'Accept': type };
  return { method: 'POST', path: '/api/rest/operations', headers, body: JSON.stringify({ 'atomic:operations': list }) };
}

function sequential(operations: readonly (readonly [model: string, op: string, args: object])[]): OutgoingRequest {
  const body = JSON.stringify(operations.map(([model, op, args]) => ({ model, op, args })));
  return { method: 'POST', path: '/api/rpc/$transaction/sequential', headers: JSON_TYPE, body };
}
