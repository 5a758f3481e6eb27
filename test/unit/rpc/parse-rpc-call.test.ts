import { describe, expect, it } from '@jest/globals';
import { parseRpcCall } from '../../../lib/rpc/parse-rpc-call.js';
import { type FakeRequest, fakeRequest, refusalOf } from './fake-request.js';
import { publisher } from './publisher.js';

function parse(path: string, request?: FakeRequest) {
  const [model = '', operation = ''] = path.split('/');
  return parseRpcCall(publisher, { model, operation }, fakeRequest(request));
}

function refused(path: string, request?: FakeRequest): string {
  return refusalOf(() => parse(path, request));
}

describe('the path of a call', () => {
  it.each(['post', 'POST', 'Post', 'pOsT'])('finds the model by %s', (name) => {
    expect(parse(`${name}/findMany`)).toMatchObject({ resource: { model: 'Post' }, operation: { name: 'findMany' }, args: {} });
  });

  it.each([
    ['pots/findMany', "unsupported-model: There is no model 'pots'. Did you mean 'post'?"],
    ['token/findMany', "unsupported-model: There is no model 'token'."],
    ['constructor/findMany', "unsupported-model: There is no model 'constructor'."],
    ['__proto__/findMany', "unsupported-model: There is no model '__proto__'."],
    ['post/findmany', "invalid-path: There is no operation 'findmany'. Did you mean 'findMany'?"],
    ['post/__proto__', "invalid-path: There is no operation '__proto__'."],
    ['post/queryRaw', "invalid-path: There is no operation 'queryRaw'."],
    ['post/exists', "invalid-path: There is no operation 'exists'."],
  ])('%s is refused', (path, error) => {
    expect(refused(path)).toBe(error);
  });
});

describe('the verb of a call', () => {
  it.each([
    ['findMany', 'POST', 'GET'],
    ['findMany', 'DELETE', 'GET'],
    ['create', 'GET', 'POST'],
    ['create', 'PUT', 'POST'],
    ['update', 'POST', 'PATCH or PUT'],
    ['updateMany', 'GET', 'PATCH or PUT'],
    ['upsert', 'PUT', 'POST'],
    ['delete', 'GET', 'DELETE'],
    ['deleteMany', 'HEAD', 'DELETE'],
    ['deleteMany', 'POST', 'DELETE'],
  ])('of %s may not be %s', (operation, method, allowed) => {
    expect(refused(`post/${operation}`, { method })).toBe(`invalid-verb: ${operation} is called by ${allowed}, not by ${method}.`);
  });

  it('is PATCH or PUT alike for an update, and HEAD where GET is', () => {
    const body = { where: { id: 1 }, data: {} };
    for (const method of ['PATCH', 'PUT']) expect(parse('post/update', { method, body }).args).toEqual(body);
    expect(parse('post/findMany', { method: 'HEAD' }).args).toEqual({});
  });
});

describe('the argument in the query', () => {
  it('is q, revived by meta', () => {
    const q = JSON.stringify({ where: { createdAt: '2026-01-01T00:00:00.000Z', id: '5' } });
    const meta = JSON.stringify({ serialization: { values: { 'where.createdAt': ['Date'], 'where.id': ['bigint'] } } });
    expect(parse('post/findMany', { query: { q, meta } }).args).toEqual({ where: { createdAt: new Date('2026-01-01'), id: 5n } });
    expect(parse('post/findMany', { query: { meta, q } }).args).toEqual({ where: { createdAt: new Date('2026-01-01'), id: 5n } });
  });

  it('is {} where q is absent, also beside parameters of others', () => {
    for (const search of ['', '_=123', 'utm_source=x&_=1', '&&']) expect(parse('post/findMany', { search }).args).toEqual({});
  });

  it('may have spaces as plus signs or percent-encoded', () => {
    for (const space of ['+', '%20']) {
      expect(parse('post/findMany', { search: `q={"where":{"title":"a${space}b%2Bc"}}` }).args).toEqual({ where: { title: 'a b+c' } });
    }
  });

  it.each<[string, string]>([
    ['q=', 'invalid-payload: The query parameter q is not valid JSON.'],
    ['q', 'invalid-payload: The query parameter q is not valid JSON.'],
    ['q=%7B', 'invalid-payload: The query parameter q is not valid JSON.'],
    ['q={where:{}}', 'invalid-payload: The query parameter q is not valid JSON.'],
    ['q=[]', 'invalid-payload: The query parameter q must be a JSON object.'],
    ['q=null', 'invalid-payload: The query parameter q must be a JSON object.'],
    ['q="x"', 'invalid-payload: The query parameter q must be a JSON object.'],
    ['q={}&meta=1', 'invalid-payload: The query parameter meta must be a JSON object.'],
    ['q={}&meta={"serialization":[]}', 'invalid-payload: The serialization metadata is not an object.'],
    ['q={}&q={}', 'unsupported-parameter: The query parameter q is there twice.'],
    ['q={}&meta={}&meta={}', 'unsupported-parameter: The query parameter meta is there twice.'],
    ['query={}', "unsupported-parameter: There is no query parameter 'query'."],
    ['Q={}', "unsupported-parameter: There is no query parameter 'Q'. Did you mean 'q'?"],
    ['q=%zz', 'unsupported-parameter: The query string is not percent-encoded UTF-8.'],
    ['q=%ff', 'unsupported-parameter: The query string is not percent-encoded UTF-8.'],
    ['q={}&%c0%ae=1', 'unsupported-parameter: The query string is not percent-encoded UTF-8.'],
  ])('%s is refused', (search, error) => {
    expect(refused('post/findMany', { search })).toBe(error);
  });

  it.each([
    ['where.a', 'not the path of a value'],
    ['__proto__.x', 'not the path of a value'],
    ['constructor.prototype.x', 'not the path of a value'],
  ])('cannot have metadata at %s', (path, fault) => {
    const meta = JSON.stringify({ serialization: { values: { [path]: ['Date'] } } });
    expect(refused('post/findMany', { query: { q: '{"where":{}}', meta } })).toContain(fault);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each([[['class', 'User']], [['custom', 'Evil']], ['regexp'], ['Error'], ['map'], ['set'], [['symbol', 'x']], ['URL']])(
    'cannot be revived as %j',
    (type) => {
      const meta = JSON.stringify({ serialization: { values: { a: [type] } } });
      expect(refused('post/findMany', { query: { q: '{"a":"x"}', meta } })).toMatch(
        /^invalid-payload: The serialization metadata gives "?'?a/,
      );
    },
  );
});

describe('the argument in the body', () => {
  it('is the JSON object itself, revived by its own meta', () => {
    const body = { data: { createdAt: '2026-01-01T00:00:00.000Z' }, meta: { serialization: { values: { 'data.createdAt': ['Date'] } } } };
    expect(parse('post/create', { method: 'POST', body }).args).toEqual({ data: { createdAt: new Date('2026-01-01') } });
    expect(body.data.createdAt).toBe('2026-01-01T00:00:00.000Z');
  });

  it("may have paths from its data, as an example in ZenStack's documentation has", () => {
    const body = { data: { avatar: 'AAE=' }, meta: { serialization: { values: { avatar: [['custom', 'Bytes']] } } } };
    expect(parse('profile/create', { method: 'POST', body }).args).toEqual({ data: { avatar: Uint8Array.of(0, 1) } });
  });

  it('keeps a meta of any other form as an argument', () => {
    for (const meta of [1, null, {}, [], { serialisation: {} }]) {
      expect(parse('post/create', { method: 'POST', body: { data: {}, meta } }).args).toEqual({ data: {}, meta });
    }
  });

  it('is accepted in place of q with an operation of GET or DELETE', () => {
    expect(parse('post/findMany', { method: 'GET', body: { take: 1 } }).args).toEqual({ take: 1 });
    expect(parse('post/deleteMany', { method: 'DELETE', body: { where: {} } }).args).toEqual({ where: {} });
  });

  it.each<[string, FakeRequest, string]>([
    ['post/create', { method: 'POST' }, 'invalid-payload: The request needs a JSON body, and has none.'],
    ['post/create', { method: 'POST', body: [] }, 'invalid-payload: The request body must be a JSON object.'],
    ['post/create', { method: 'POST', body: 'x' }, 'invalid-payload: The request body must be a JSON object.'],
    ['post/create', { method: 'POST', body: null }, 'invalid-payload: The request body must be a JSON object.'],
    [
      'post/create',
      { method: 'POST', body: {}, query: { q: '{}' } },
      'unsupported-parameter: The argument of this create is in its body; q and meta must be absent.',
    ],
    [
      'post/findMany',
      { body: {}, query: { q: '{}' } },
      'unsupported-parameter: The argument of this findMany is in its body; q and meta must be absent.',
    ],
    [
      'post/create',
      { method: 'POST', body: { meta: { serialization: 5 } } },
      'invalid-payload: The serialization metadata is not an object.',
    ],
  ])('of %s %j is refused', (path, request, error) => {
    expect(refused(path, request)).toBe(error);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'application/jsonp',
    undefined,
  ])('may not be %s', (contentType) => {
    for (const [path, method] of [
      ['post/create', 'POST'],
      ['post/deleteMany', 'DELETE'],
    ] as const) {
      expect(refused(path, { method, body: { where: {}, data: {} }, contentType })).toBe(
        'unsupported-media-type: The Content-Type of the request body must be application/json.',
      );
    }
  });

  it.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', ' application/json ;x=y'])(
    'may be %s',
    (contentType) => {
      expect(refused('post/create', { method: 'POST', body: {}, contentType })).toBe('accepted');
    },
  );
});
