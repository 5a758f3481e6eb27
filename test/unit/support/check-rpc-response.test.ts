import { checkRpcResponse } from '../../support/check-rpc-response.js';
import type { RawResponse } from '../../support/check-rest-response.js';
import { rpcCodec } from '../../support/rpc-codec.js';

const headers = { 'content-type': 'application/json; charset=utf-8' };

describe('checkRpcResponse', () => {
  it.each([
    ['a result', response(200, { data: [] })],
    ['no result', response(200, { data: null })],
    ['a result with dates', response(201, serialized([{ 'at': new Date(0), 'a.b\\c': 1n, '': new Date(1) }]))],
    ['a result that is one scalar', response(200, serialized(1n))],
    [
      'older metadata, where only dots are escaped',
      response(200, { data: { 'a.b\\c': '1' }, meta: { serialization: { values: { 'a\\.b\\c': ['bigint'] } } } }),
    ],
    ['an error', failure(400, { message: 'No.', orm: true, code: 'P2002' })],
    ['a refusal', failure(403, { message: 'No.', orm: true, rejectedByPolicy: true })],
  ])('accepts %s', (_, answer) => {
    expect(checkRpcResponse(answer)).toEqual([]);
  });

  it.each([
    ['another content type', { status: 200, headers: { 'content-type': 'application/vnd.api+json' }, text: '{"data":1}' }],
    ['an empty body', { status: 200, headers, text: '' }],
    ['an array', response(200, [])],
    ['a 204', response(204, { data: null })],
    ['a result without data', response(200, {})],
    ['an unknown member', response(200, { data: 1, total: 1 })],
    ['empty metadata', response(200, { data: 1, meta: {} })],
    ['metadata that say nothing', response(200, { data: 1, meta: { serialization: { values: {} } } })],
    ['metadata of a value that is not there', response(200, { data: { a: 1 }, meta: { serialization: { values: { 'a.b': ['Date'] } } } })],
    ['metadata of an inherited value', response(200, { data: {}, meta: { serialization: { values: { constructor: ['Date'] } } } })],
    ['an error without message', failure(400, { orm: true })],
    ['an error with a stack', failure(500, { message: 'No.', stack: 'at' })],
    ['an error with a message that is none', failure(400, { message: 'No.', orm: 'yes' })],
    ['a code that is not the data layer’s', failure(400, { message: 'No.', code: 'P2002' })],
    ['an error without mirror', response(400, { message: 'No.' })],
    ['a mirror that differs', response(400, { message: 'No.', error: { message: 'Yes.' } })],
    ['a message with a path', failure(500, { message: 'Cannot open /work/main/lib/index.ts' })],
    ["the Prisma client's report", failure(400, { message: 'Invalid `prisma.post.findMany()` invocation' })],
  ])('reports %s', (_, answer) => {
    expect(checkRpcResponse(answer)).toHaveLength(1);
  });
});

function response(status: number, body: unknown): RawResponse {
  return { status, headers, text: JSON.stringify(body) };
}

function failure(status: number, error: object): RawResponse {
  return response(status, { ...error, error });
}

function serialized(result: unknown): unknown {
  const { json, meta } = rpcCodec.serialize(result);
  return { data: json, meta: { serialization: meta } };
}
