import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { batchRequest, callRequest } from '../../../lib/client/build-request.js';
import { connect } from '../../../lib/client/connect.js';
import { encodeArgument } from '../../../lib/client/encode-argument.js';
import { parseArgument } from '../../../lib/rpc/parse-argument.js';
import { RPC_OPERATIONS } from '../../../lib/rpc/protocol/rpc-operations.js';
import { encodeResult } from '../../../lib/wire/encode-result.js';
import { Prisma } from '../../support/generated/prisma/browser.js';
import { rpcCodec } from '../../support/rpc-codec.js';
import { fakeRequest } from '../rpc/fake-request.js';

describe('encodeArgument', () => {
  it.each<[string, unknown]>([
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['an invalid Date', new Date(NaN)],
    ['a Map', new Map()],
    ['a Set', new Set([1])],
    ['a RegExp', /x/],
    ['an instance of a class', new Intl.Collator()],
    ['a promise', Promise.resolve(1)],
  ])('refuses %s, naming its place', (_, value) => {
    const expected = new TypeError('post.findMany cannot send what is at where.OR.1.title.');
    expect(() => encodeArgument({ where: { OR: [{}, { title: value }] } }, 'post.findMany')).toThrow(expected);
  });

  it.each<[unknown]>([['text'], [1], [null], [[]], [new Date()]])('refuses %p as an argument', (args) => {
    expect(() => encodeArgument(args, 'post.findMany')).toThrow(new TypeError('post.findMany takes an object.'));
  });

  it.each([
    ['DbNull', Prisma.DbNull],
    ['JsonNull', Prisma.JsonNull],
    ['AnyNull', Prisma.AnyNull],
  ])('writes Prisma.%s as null', (_, value) => {
    expect(encodeArgument({ data: { metadata: value, list: [value] } }, 'post.create')).toEqual({
      json: { data: { metadata: null, list: [null] } },
    });
  });

  it('leaves an object with toJSON to JSON.stringify', () => {
    const { json } = encodeArgument({ where: { url: new URL('http://a.test/') } }, 'post.findMany');
    expect(JSON.stringify(json)).toBe('{"where":{"url":"http://a.test/"}}');
  });

  it('does not change its input', () => {
    const args = Object.freeze({ where: Object.freeze({ createdAt: new Date(0), ids: Object.freeze([1n]) }) });
    encodeArgument(args, 'post.findMany');
    expect(args).toEqual({ where: { createdAt: new Date(0), ids: [1n] } });
  });

  it('keeps keys that a plain assignment would lose', () => {
    const args = { data: { metadata: JSON.parse('{"__proto__":{"at":1}}') as unknown } };
    expect(JSON.stringify(encodeArgument(args, 'post.create').json)).toBe('{"data":{"metadata":{"__proto__":{"at":1}}}}');
  });

  it('writes no metadata below a key that superjson refuses in paths', () => {
    const args = { data: { constructor: { at: new Date(0) } } };
    expect(encodeArgument(args, 'post.create')).toEqual({ json: { data: { constructor: { at: '1970-01-01T00:00:00.000Z' } } } });
  });
});

const key = fc.oneof(fc.constantFrom('where', 'data', 'AND', 'id', 'a.b', 'a\\b', 'a\\.b', '', '0', '$x'), fc.string());
const scalar = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  // A request writes -0 as 0.
  fc.double().map((number) => number + 0),
  fc.bigInt(),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array(),
  fc.integer().map((cents) => new Decimal(cents).div(100)),
);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(key, tie('value'), { maxKeys: 4 })),
}));

const argument = fc
  .dictionary(key, value, { maxKeys: 4 })
  .filter(
    (args) =>
      !Object.hasOwn(args, 'meta') &&
      !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(encodeResult(args, undefined, 'base64').json)),
  );

describe('an encoded argument', () => {
  it('equals what lib/wire and superjson write', () => {
    fc.assert(
      fc.property(argument, (args) => {
        const encoded = encodeArgument(args, 'post.findMany');
        expect(encoded).toEqual(encodeResult(args, undefined, 'base64'));
        expect(JSON.stringify(encoded.json)).toBe(JSON.stringify(rpcCodec.serialize(args).json));
      }),
    );
  });

  it.each([
    ['in the URL', RPC_OPERATIONS.findMany, Infinity],
    ['in the body of a POST that overrides its method to GET', RPC_OPERATIONS.findMany, 0],
    ['in the body', RPC_OPERATIONS.update, Infinity],
  ])('arrives at the server as it was, %s', (_, operation, maxUrlLength) => {
    const connection = connect({ endpoint: '/api/rpc', maxUrlLength });
    fc.assert(
      fc.property(argument, (args) => {
        const request = callRequest({ model: 'post', operation: operation.name, args, relations: [] }, connection);
        const [, search = ''] = request.url.split('?');
        const body: unknown = request.body === undefined ? undefined : JSON.parse(request.body);
        const arrived = parseArgument(operation, fakeRequest({ method: request.override ?? request.method, search, body }));
        expect(rpcCodec.serialize(arrived)).toEqual(rpcCodec.serialize(withTextOfDecimals(args)));
      }),
    );
  });

  it('has its own metadata for each call of a batch', () => {
    const args = { where: { createdAt: new Date(0) } };
    const call = { model: 'post', operation: 'findMany', args, relations: [] } as const;
    const { body } = batchRequest([call, call], connect({ endpoint: '/api/rpc' }));
    const encoded = {
      where: { createdAt: '1970-01-01T00:00:00.000Z' },
      meta: { serialization: { values: { 'where.createdAt': ['Date'] } } },
    };
    expect(JSON.parse(body ?? '')).toEqual([1, 2].map(() => ({ model: 'post', op: 'findMany', args: encoded })));
  });
});

/** The server keeps decimals as text, as the data layer takes them. */
function withTextOfDecimals(given: unknown): unknown {
  if (Decimal.isDecimal(given)) return given.toString();
  if (Array.isArray(given)) return given.map(withTextOfDecimals);
  if (typeof given !== 'object' || given === null || given instanceof Date || given instanceof Uint8Array) return given;
  return Object.fromEntries(Object.entries(given).map(([name, member]) => [name, withTextOfDecimals(member)]));
}
