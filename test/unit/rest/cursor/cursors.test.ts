import { describe, expect, it } from '@jest/globals';
import { sample } from '../../../support/sample.js';
import fc from 'fast-check';
import { Cursors } from '../../../../lib/rest/cursor/cursors.js';
import { type Position, readPosition, writePosition } from '../../../../lib/rest/cursor/position.js';

const SECRET = 's'.repeat(32);

describe('cursors', () => {
  it('return their content in their scope alone', () => {
    const cursors = new Cursors([SECRET]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (content, scope, other) => {
        const text = cursors.seal(scope, content);
        expect(text).toMatch(/^[\w-]+$/);
        expect(cursors.open(scope, text)).toBe(content);
        if (other !== scope) expect(cursors.open(other, text)).toBeUndefined();
      }),
      { numRuns: sample.choose(30, 300) },
    );
  });

  it('are the same for the same content, and share no block of ciphertext with another', () => {
    const cursors = new Cursors([SECRET]);
    expect(cursors.seal('a', 'x')).toBe(new Cursors([SECRET]).seal('a', 'x'));
    const texts = [cursors.seal('a', 'x'), cursors.seal('a', 'y'), cursors.seal('b', 'x'), new Cursors([`${SECRET}2`]).seal('a', 'x')];
    // Behind the version and the id of the key.
    expect(new Set(texts.map((text) => Buffer.from(text, 'base64url').subarray(5, 17).toString('hex'))).size).toBe(4);
  });

  it('can be read within the process where there are no secrets', () => {
    expect(new Cursors().open('a', new Cursors([]).seal('a', 'x'))).toBe('x');
    expect(new Cursors([SECRET]).open('a', new Cursors().seal('a', 'x'))).toBeUndefined();
  });

  it('are refused with any bit changed, truncated, or in another Base64 form', () => {
    const cursors = new Cursors([SECRET]);
    const text = cursors.seal('a', 'content');
    const bytes = Buffer.from(text, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(cursors.open('a', changed.toString('base64url'))).toBeUndefined();
    }
    for (let length = 0; length < bytes.length; length += 1) {
      expect(cursors.open('a', bytes.subarray(0, length).toString('base64url'))).toBeUndefined();
    }
    for (const other of [`${text}=`, ` ${text}`, `${text}A`, text.replace(/.$/, '!'), bytes.toString('base64')]) {
      if (other !== text) expect(cursors.open('a', other)).toBeUndefined();
    }
  });

  it('are decrypted by older keys too, and encrypted by the first', () => {
    const old = new Cursors(['o'.repeat(32)]);
    const both = new Cursors([SECRET, 'o'.repeat(32)]);
    expect(both.open('a', old.seal('a', 'x'))).toBe('x');
    expect(old.open('a', both.seal('a', 'x'))).toBeUndefined();
    expect(new Cursors([SECRET]).open('a', both.seal('a', 'x'))).toBe('x');
  });
});

describe('positions', () => {
  it.each<Position>([{ side: 'start' }, { side: 'end' }, { side: 'on', values: ['a', null, 1.5, true] }, { side: 'behind', values: [] }])(
    '%j is read as it was written',
    (position) => {
      expect(readPosition(writePosition(position))).toEqual(position);
    },
  );
});
