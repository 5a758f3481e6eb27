import { describe, expect, it } from '@jest/globals';
import { ByteChunks } from '../../../lib/utils/byte-chunks.js';

const TEXTS = ['plain', 'é', '€', '😀', '\ud83d', '\u2028', '"\\\u0000', 'x'.repeat(16_383), '€'.repeat(16_384), '😀'.repeat(40_000), ''];

describe('ByteChunks', () => {
  it.each([1, 2, 3, 5, 7])('joins the bytes of texts of any length: every %d. of the samples', (step) => {
    const texts = Array.from({ length: 60 }, (_, index) => TEXTS[(index * step) % TEXTS.length] ?? '');
    const whole = new ByteChunks();
    for (const text of texts) whole.append(text);
    expect(Buffer.from(whole.toBytes()).equals(Buffer.concat(texts.map((text) => Buffer.from(text))))).toBe(true);
  });

  it('appends another text of any length after its own', () => {
    for (const before of TEXTS) {
      for (const after of TEXTS) {
        const [text, other] = [new ByteChunks(), new ByteChunks()];
        text.append(before);
        other.append(after);
        text.appendAll(other);
        text.append('.');
        expect(Buffer.from(text.toBytes()).equals(Buffer.concat([Buffer.from(before), Buffer.from(after), Buffer.from('.')]))).toBe(true);
      }
    }
  });
});
