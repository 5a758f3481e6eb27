import type { RawResponse } from '../../support/check-rest-response.js';
import { ENDPOINT } from '../../support/test-app.js';
import type { HostileRequest } from './support/hostile/hostile-request.js';
import { hostileRequests } from './support/hostile/hostile-requests.js';
import { CANARY, faultsOf } from './support/hostile/judge-response.js';

const rest: HostileRequest = { method: 'GET', target: '/api/rest/post', headers: [] };
const rpc: HostileRequest = { method: 'GET', target: '/api/rpc/post/findMany', headers: [] };

const REST_ERROR = { code: 'not-found', status: 404, title: 'Not found', detail: 'There is no such record.' };

const json = (status: number, body: unknown, type = 'application/vnd.api+json'): RawResponse => ({
  status,
  headers: { 'content-type': type, 'vary': 'Accept' },
  text: JSON.stringify(body),
});

const rpcError = (status: number, error: object) => json(status, { ...error, error }, 'application/json');

describe('the judge of responses to hostile requests', () => {
  it.each<[string, HostileRequest, RawResponse]>([
    ['an error document', rest, json(404, { errors: [REST_ERROR] })],
    ['an error of RPC', rpc, rpcError(400, { message: 'No.' })],
    ['a refusal of the parser', rest, { status: 431, headers: {}, text: '' }],
    [
      'a path without a route',
      rest,
      { status: 404, headers: {}, text: '{"message":"Cannot GET /api/x","error":"Not Found","statusCode":404}' },
    ],
  ])('accepts %s', (_, request, response) => {
    expect(faultsOf(request, response, true)).toEqual([]);
  });

  it.each<[string, HostileRequest, RawResponse]>([
    ['a 500', rpc, rpcError(500, { message: 'An unexpected error occurred.' })],
    ['an error of the other style', rest, rpcError(400, { message: 'No.' })],
    ['a status that is not that of the errors', rest, json(400, { errors: [REST_ERROR] })],
    ['an error without a detail', rest, json(404, { errors: [{ ...REST_ERROR, detail: '' }] })],
    ['an HTML page', rest, { status: 404, headers: { 'content-type': 'text/html' }, text: '<pre>Cannot GET /</pre>' }],
    ['an empty 400 with a content type', rest, { status: 400, headers: { 'content-type': 'application/json' }, text: '' }],
    ['a stack trace', rpc, rpcError(400, { message: 'No.\n    at run (/x.js:1:2)' })],
    ['a text of the request without end', rpc, rpcError(400, { message: 'x'.repeat(50_000) })],
    ['a hidden value', rpc, json(200, { data: [{ name: `${CANARY.field}-hash` }] }, 'application/json')],
    ['a hidden row', rpc, json(200, { data: [{ title: `${CANARY.row} post` }] }, 'application/json')],
  ])('rejects %s', (_, request, response) => {
    expect(faultsOf(request, response, true)).not.toEqual([]);
  });

  it('rejects an included resource without a link to it, unless a fieldset may have omitted the link', () => {
    const [data, user] = ['post', 'user'].map((type) => ({ type, id: 1, links: { self: `${ENDPOINT}/${type}/1` } }));
    const response = json(200, { jsonapi: { version: '1.1' }, data, included: [user], links: { self: `${ENDPOINT}/post/1` } });
    expect(faultsOf({ ...rest, target: '/api/rest/post/1?include=author' }, response, true)).toEqual([
      'user 1: is included, but nothing links to it.',
    ]);
    expect(faultsOf({ ...rest, target: '/api/rest/post/1?include=author&fields%5Bpost%5D=title' }, response, true)).toEqual([]);
  });

  it('expects a response unless the length of the body is wrong', () => {
    expect(faultsOf(rest, 'closed', true)).toEqual(['The connection is closed.']);
    expect(faultsOf({ ...rest, isMisframed: true }, 'waiting', true)).toEqual([]);
  });
});

describe('the generator of hostile requests', () => {
  const requests = [...hostileRequests(1, 1500)];

  it('returns the same requests for the same seed', () => {
    expect([...hostileRequests(1, 100)]).toEqual(requests.slice(0, 100));
  });

  it.each<[string, RegExp]>([
    ['names of prototypes', /__proto__/],
    ['names of 60 characters', /(.)\1{59}/],
    ['arguments in another letter case', /(?!where)[wW][hH][eE][rR][eE]/],
    ['percent-encoding of percent-encoding', /%25(?:22|5B|7B)/],
    ['invalid UTF-8', /%ff|%FF|\xff/],
    ['overlong UTF-8', /%C1%[AB]/i],
    ['NUL', /%00|\\u0000/],
    ['lone surrogates', /%ED%A0%80|\\ud800/i],
    ['nested lists', /\[{30}|(?:\{"AND":\[){11}/],
    ['nested includes', /(?:\{"include":\{"(?:author|posts)":){5}/],
    ['numbers beyond 2^53', /9007199254740993/],
    ['numbers beyond all doubles', /1e400/],
    ['thousands of keys', /"k4999"/],
    ['keys that come twice', /("\w+":)null,\1/],
    ['parameters that come twice', /[?&]([^=&]+)=[^&]*&\1=/],
    ['atomic operations', /\/api\/rest\/operations/],
    ['batches', /(?:\$|%24)transaction\/sequential/],
    ['descriptions', /(?:\$|%24)describe/],
    ['exports', /text\/csv/],
    ['wrong content types', /multipart\/form-data/],
    ['wrong lengths', /Content-Length 1e3/],
  ])('generates %s', (_, pattern) => {
    const texts = requests.map(({ request: { target, headers, body = '' } }) =>
      [target, ...headers.map((pair) => pair.join(' ')), body].join('\n'),
    );
    expect(texts.some((text) => pattern.test(text))).toBe(true);
  });
});
