import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from '../../../lib/utils/base64.js';

describe('base64', () => {
  it('writes what Buffer writes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      }),
    );
  });

  it('reads what Buffer writes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(decodeBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
      }),
    );
  });

  it('encodes the part of a larger buffer that a view has', () => {
    const view = new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 3);
    expect(encodeBase64(view)).toBe('AgM=');
  });

  it('takes a megabyte', () => {
    const bytes = new Uint8Array(1_000_000).map((_, index) => index * 7);
    expect(Buffer.from(decodeBase64(encodeBase64(bytes)) ?? []).equals(Buffer.from(bytes))).toBe(true);
  });

  it.each([
    ['no padding', 'AQI'],
    ['one character', 'A'],
    ['one character and padding', 'A==='],
    ['nothing but padding', '===='],
    ['padding in the middle', 'AQ==AQ=='],
    ['padding before the end', 'A=Q='],
    ['white space', 'AQID\nAQI'],
    ['the alphabet of URLs', '-_-_'],
    ['a character beyond ASCII', 'AQIé'],
    ['a character whose low byte is in the alphabet', 'AQI\u0141'],
    ['a lone surrogate', 'AQI\ud800'],
  ])('refuses %s', (_, text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });
});
