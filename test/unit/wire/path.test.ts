import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeKey, parsePath } from '../../../lib/wire/path.js';

describe('parsePath', () => {
  it('reads back any keys that escapeKey has written', () => {
    const anyKeys = fc.array(fc.string({ unit: fc.constantFrom('a', '.', '\\', '0') }), { minLength: 1 });
    fc.assert(
      fc.property(anyKeys, (keys) => {
        expect(parsePath(keys.map(escapeKey).join('.'), 1)).toEqual(keys);
      }),
    );
  });

  it.each([
    ['', 0, ['']],
    ['a.0.b', 0, ['a', '0', 'b']],
    ['.', 1, ['', '']],
    ['a\\.b.c', 0, ['a.b', 'c']],
    ['a\\.b.c', 1, ['a.b', 'c']],
    ['a\\b', 0, ['a\\b']],
    ['a\\\\b', 0, ['a\\\\b']],
    ['a\\\\b', 1, ['a\\b']],
    ['a\\', 0, ['a\\']],
    ['a\\\\\\.b', 1, ['a\\.b']],
    ['a\\b', 1, undefined],
    ['a\\', 1, undefined],
  ] as const)('reads %j of version %d as superjson does', (path, version, keys) => {
    expect(parsePath(path, version)).toEqual(keys);
  });
});
