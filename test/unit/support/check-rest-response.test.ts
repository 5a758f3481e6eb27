import { existsSync } from 'node:fs';
import { checkRestResponse, type RawResponse, type RestRules } from '../../support/check-rest-response.js';

const endpoint = 'http://api.test/api/rest';
const seedMode: RestRules = { strict: false, endpoint };
const strictMode: RestRules = { strict: true, endpoint };
const headers = { 'content-type': 'application/vnd.api+json', 'vary': 'Origin, Accept' };
const jsonapi = { version: '1.1' };
const withSchema = existsSync(new URL('../../../../shared/spec/jsonapi-schema-1.1-seed.json', import.meta.url)) ? it : it.skip;

describe('checkRestResponse', () => {
  it('accepts a collection', () => {
    const data = [{ type: 'post', id: 1, attributes: { title: 'A' }, links: { self: `${endpoint}/post/1` } }];
    const links = { self: `${endpoint}/post`, first: `${endpoint}/post?page%5Blimit%5D=1`, last: null, next: null, prev: null };
    expect(checkRestResponse(response(200, { jsonapi, data, links, meta: { total: 1 } }), seedMode)).toEqual([]);
  });

  it('accepts an error, and in strict mode one with a text as status', () => {
    const error = { code: 'not-found', title: 'Not found', detail: 'There is no post with id 1.' };
    expect(checkRestResponse(response(404, { errors: [{ ...error, status: 404, ormCode: 'P2025' }] }), seedMode)).toEqual([]);
    expect(checkRestResponse(response(404, { errors: [{ ...error, status: '404' }] }), strictMode)).toEqual([]);
  });

  it('accepts an empty 204, and a HEAD without a body', () => {
    expect(checkRestResponse({ status: 204, headers: {}, text: '' }, seedMode)).toEqual([]);
    expect(checkRestResponse({ status: 200, headers, text: '' }, { ...seedMode, bodiless: true })).toEqual([]);
  });

  it.each([
    ['a content type with charset', { ...success(), headers: { ...headers, 'content-type': 'application/vnd.api+json; charset=utf-8' } }],
    ['a response that does not vary by Accept', { ...success(), headers: { ...headers, vary: 'Accept-Encoding' } }],
    ['a body on a 204', { status: 204, headers: {}, text: '{}' }],
    ['a content type on a 204', { status: 204, headers, text: '' }],
    ['a body that is no JSON', { status: 200, headers, text: '<html>' }],
    ['a success without version', response(200, { data: null })],
    ['a success with errors', response(200, { jsonapi, errors: [] })],
    ['a link to another host', response(200, { jsonapi, data: null, links: { self: 'http://evil.test/post' } })],
    ['a link that only looks like the endpoint', response(200, { jsonapi, data: null, links: { self: `${endpoint}.evil.test/post` } })],
    ['a failure without errors', response(400, { errors: [] })],
    ['an error without detail', response(400, { errors: [{ code: 'a', title: 'A', status: 400 }] })],
    ['a status that no error has', response(500, { errors: [{ code: 'a', title: 'A', detail: 'A.', status: 400 }] })],
    ['an error with SQL', response(500, { errors: [{ code: 'a', title: 'A', detail: 'SELECT "a" FROM "b"', status: 500 }] })],
  ])('reports %s', (_, answer) => {
    expect(checkRestResponse(answer, seedMode)).toHaveLength(1);
  });

  it('reports an included resource that nothing links to', () => {
    const document = { jsonapi, data: [], included: [{ type: 'post', id: 1, links: { self: `${endpoint}/post/1` } }] };
    expect(checkRestResponse(response(200, document), seedMode)).toEqual(['post 1: is included, but nothing links to it.']);
  });

  withSchema('reports what the JSON Schema of the mode forbids', () => {
    const numericId = response(200, { jsonapi, data: { type: 'post', id: 1 } });
    expect(checkRestResponse(numericId, seedMode)).toEqual([]);
    expect(checkRestResponse(numericId, strictMode).join()).toMatch(/id.+must be string/);
    expect(checkRestResponse(response(200, { jsonapi, data: null, extra: 1 }), seedMode).join()).toMatch(/unevaluated/);
  });
});

function success(): RawResponse {
  return response(200, { jsonapi, data: null });
}

function response(status: number, document: unknown): RawResponse {
  return { status, headers, text: JSON.stringify(document) };
}
