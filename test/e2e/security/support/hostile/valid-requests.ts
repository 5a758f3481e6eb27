import fc from 'fast-check';
import type { OutgoingRequest } from '../../../../support/send-request.js';
import { writtenModel } from '../random-content.js';
import { delegateOf, model } from '../random-fields.js';
import { restRequest } from '../random-rest-request.js';
import { restWrite, restWriteOf } from '../random-rest-write.js';
import { rpcRequest } from '../random-rpc-request.js';
import { rpcWrite } from '../random-rpc-write.js';

const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"';

/** A write of a resource as an operation: its method and URL as `op` and `ref`. */
function operationOf({ method, path, body }: OutgoingRequest): object {
  const [, , , type, id, , relationship] = (path.split('?')[0] ?? '').split('/');
  const { data, ...more } = (body === undefined ? {} : JSON.parse(body)) as { readonly data?: unknown };
  const op = method === 'POST' ? 'add' : method === 'DELETE' ? 'remove' : 'update';
  const ref = id === undefined ? {} : { ref: { type, id: Number(id), ...(relationship !== undefined && { relationship }) } };
  return { op, ...ref, ...(data !== undefined && { data }), ...more };
}

const operations = fc.array(restWriteOf(writtenModel), { minLength: 1, maxLength: 3 }).map((writes): OutgoingRequest => {
  const body = JSON.stringify({ 'atomic:operations': writes.map(operationOf) });
  return { method: 'POST', path: '/api/rest/operations', headers: { 'Content-Type': ATOMIC, 'Accept': ATOMIC }, body };
});

/** Requests whose resources reference each other by local ids. */
const localIds = fc.constantFrom('a', '__proto__', '1').map((lid): OutgoingRequest => {
  const post = {
    op: 'add',
    data: { type: 'post', lid, attributes: { title: 'x' }, relationships: { author: { data: { type: 'user', id: 1 } } } },
  };
  const comment = {
    op: 'add',
    data: { type: 'comment', attributes: { body: 'x' }, relationships: { post: { data: { type: 'post', lid } } } },
  };
  const removal = { op: 'remove', ref: { type: 'post', lid } };
  const body = JSON.stringify({ 'atomic:operations': [post, comment, removal] });
  return { method: 'POST', path: '/api/rest/operations', headers: { 'Content-Type': ATOMIC }, body };
});

const PAGES = [
  ...[
    'page[size]=2&sort=id',
    'page[size]=2&page[after]=AQ',
    'page[before]=AQ&sort=-title',
    'page[number]=2&page[size]=3',
    'page[offset]=1&page[limit]=1',
    'page[total]=true',
  ],
  ...[
    'include=comments&includePage[comments][limit]=1',
    'include=comments&includeSort[comments]=-id',
    'include=comments&includeFilter[comments][id]=1',
  ],
  ...[
    'filter[or][0][title]=a&filter[or][1][id]=1',
    'filter[not][title]=a',
    'filter[title$in]=a,b',
    'filter[author][posts][id$gt]=1',
    'fields[post]=title,author&sort=author.name,-comments.$count',
  ],
];

const pages = fc
  .tuple(fc.constantFrom(...PAGES), fc.constantFrom('/post', '/user/1/posts', '/tag/1/posts'))
  .map(([query, path]): OutgoingRequest => ({ method: 'GET', path: `/api/rest${path}?${query}` }));

const exports = fc.tuple(model, fc.constantFrom('text/csv', 'application/x-ndjson')).map(([name, accept]): OutgoingRequest => {
  return { method: 'GET', path: `/api/rest/${delegateOf(name)}?sort=-id`, headers: { Accept: accept } };
});

const others = fc.constantFrom<OutgoingRequest>(
  { method: 'GET', path: '/api/rpc/$describe' },
  { method: 'GET', path: '/api/rest' },
  { method: 'HEAD', path: '/api/rest/post/1' },
  { method: 'OPTIONS', path: '/api/rest/post' },
);

/** Reads of RPC with their argument in the body, by QUERY or by POST instead of GET. */
const argumentsInBodies = fc.tuple(rpcRequest, fc.boolean()).map(([request, isQuery]): OutgoingRequest => {
  const [path = '', query] = request.path.split('?q=');
  if (query === undefined) return request;
  const headers = { 'Content-Type': 'application/json', ...(!isQuery && { 'X-HTTP-Method-Override': 'GET' }) };
  return { method: isQuery ? 'QUERY' : 'POST', path, headers, body: decodeURIComponent(query) };
});

/** Requests of both styles, most of which are valid: the mutations start from them. */
export const validRequest: fc.Arbitrary<OutgoingRequest> = fc.oneof(
  { arbitrary: restRequest, weight: 5 },
  { arbitrary: restWrite, weight: 4 },
  { arbitrary: rpcRequest, weight: 5 },
  { arbitrary: rpcWrite, weight: 4 },
  { arbitrary: argumentsInBodies, weight: 3 },
  { arbitrary: operations, weight: 3 },
  { arbitrary: pages, weight: 3 },
  localIds,
  exports,
  others,
);
