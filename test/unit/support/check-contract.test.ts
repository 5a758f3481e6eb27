import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import { Contract } from '../../support/check-contract.js';

const POST = { $ref: '#/components/schemas/Post' };
const SCHEMAS = {
  'by reference': POST,
  'in line': { anyOf: [POST] },
  'in parts': { allOf: [POST, { type: 'object', properties: { note: { type: 'string' } } }] },
};

/** Returns a contract of one path, whose response is a resource with an id of this schema. */
function contract(id: object, kind: keyof typeof SCHEMAS = 'by reference'): Contract {
  const document = {
    paths: {
      '/post/{id}': {
        get: {
          operationId: 'getPost',
          responses: {
            200: {
              content: { 'application/json': { schema: SCHEMAS[kind] } },
            },
          },
        },
      },
    },
    components: { schemas: { Post: { type: 'object', properties: { id: { $ref: '#/components/schemas/Id' } } }, Id: id } },
  };
  // Only the members that a contract reads.
  return new Contract(document as unknown as OpenApiDocument);
}

function answer(body: object, status = 200) {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, text: JSON.stringify(body) };
}

const GET = { method: 'GET', path: '/post/1?x=y' } as const;

describe('the contract of an API', () => {
  it.each(['by reference', 'in line', 'in parts'] as const)(
    'finds no breach where there is none, and finds what a schema, %s, refuses',
    (kind) => {
      const api = contract({ type: 'integer', format: 'int32' }, kind);
      expect(api.check(GET, answer({ id: 1 }))).toEqual([]);
      expect(api.check(GET, answer({ id: '1' })).join()).toContain('getPost /id: must be integer {"type":"integer"}');
      expect(api.check(GET, answer({ id: 1, secret: 2 })).join()).toContain('"additionalProperty":"secret"');
    },
  );

  it('accepts the members of each part of a schema', () => {
    const api = contract({ type: 'integer' }, 'in parts');
    expect(api.check(GET, answer({ id: 1, note: 'x' }))).toEqual([]);
    expect(api.check(GET, answer({ id: 1, note: 2 })).join()).toContain('getPost /note: must be string');
  });

  it('checks by the document of its application, and not by that of another one', () => {
    const [first, second] = [contract({ type: 'integer' }), contract({ type: 'string' })];
    expect([first.check(GET, answer({ id: 1 })).length, second.check(GET, answer({ id: 1 })).length]).toEqual([0, 1]);
    expect([first.check(GET, answer({ id: '1' })).length, second.check(GET, answer({ id: '1' })).length]).toEqual([1, 0]);
  });

  it('finds statuses and answers that are not documented', () => {
    const api = contract({});
    expect(api.check(GET, answer({}, 201))).toEqual(['The OpenAPI document has no response 201 for getPost.']);
    expect(api.check({ method: 'GET', path: '/user' }, answer({}))).toHaveLength(1);
    expect(api.check({ method: 'GET', path: '/user' }, answer({}, 404))).toEqual([]);
  });
});
