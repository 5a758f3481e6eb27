import { bytesOfSize, cacheBytes, replyBytes, sizeLimit, toJsonBytes } from '../../../lib/http/response-size.js';
import { sample } from '../../support/sample.js';

const TEXT = 'x'.repeat(1_000_000);

describe('the size of a response', () => {
  it.each<[number | string, number]>([
    [2048, 2048],
    ['2048', 2048],
    ['100b', 100],
    ['500kb', 512_000],
    ['1.5 MB', 1_572_864],
    ['1gb', 2 ** 30],
    [Infinity, Infinity],
  ])('reads the option %p as %d bytes', (size, bytes) => {
    expect(bytesOfSize(size)).toBe(bytes);
  });

  it.each([
    ['an object', { data: [{ id: 1, title: 'é"\n', none: undefined, empty: null, list: [], nested: { a: [1, true] } }] }],
    ['a text', 'hello'],
    ['a list', [1, 'two', null]],
  ])('accepts %s of the maximum size, and refuses it where the maximum is a byte less', (_, value) => {
    const bytes = Buffer.from(JSON.stringify(value));
    expect(toJsonBytes(value, sizeLimit(bytes.byteLength))).toEqual(bytes);
    expect(() => toJsonBytes(value, sizeLimit(bytes.byteLength - 1))).toThrow(/limits\.maxResponseSize/);
  });

  sample.omitted.it('refuses a text that is longer than a string of V8, without building it', () => {
    const rows = Array.from({ length: 600 }, () => ({ author: { name: TEXT } }));
    expect(() => JSON.stringify(rows)).toThrow(RangeError);
    expect(() => toJsonBytes({ data: rows }, sizeLimit('50mb'))).toThrow('The answer is larger than limits.maxResponseSize allows: 50mb.');
  });

  it('caches the bytes of a reply, and makes them again for a copy or a changed body', () => {
    const limit = sizeLimit(100);
    const reply = cacheBytes({ status: 201, body: { data: 1 } }, limit);
    expect(replyBytes(reply, limit)).toBe(replyBytes(reply, limit));
    const changed = { ...reply, body: { data: 2 } };
    expect(String(replyBytes(changed, limit))).toBe('{"data":2}');
    const body = { data: 1 };
    const looked = cacheBytes({ status: 201, body }, limit);
    (looked.body as typeof body).data = 3;
    expect(String(replyBytes(looked, limit))).toBe('{"data":3}');
    expect(() => cacheBytes({ status: 201, body: TEXT }, limit)).toThrow(/maxResponseSize/);
    expect(replyBytes(cacheBytes({ status: 204 }, limit), limit)).toBeUndefined();
  });

  it('counts the escapes of JSON and the bytes of UTF-8', () => {
    expect(() => toJsonBytes('\u0000'.repeat(100), sizeLimit(200))).toThrow(/maxResponseSize/);
    expect(() => toJsonBytes('€'.repeat(100), sizeLimit(200))).toThrow(/maxResponseSize/);
  });
});
