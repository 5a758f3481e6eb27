import { readPreconditions, requireNoPreconditions } from '../../../lib/http/preconditions.js';

const read = (headers: Readonly<Record<string, string | string[]>>) => readPreconditions({ headers });

describe('readPreconditions', () => {
  it.each([
    ['*', '*'],
    ['"a"', [{ isWeak: false, value: 'a' }]],
    [
      ' W/"a" , "b,c" ,, ""',
      [
        { isWeak: true, value: 'a' },
        { isWeak: false, value: 'b,c' },
        { isWeak: false, value: '' },
      ],
    ],
    [
      ['"a"', '"b"'],
      [
        { isWeak: false, value: 'a' },
        { isWeak: false, value: 'b' },
      ],
    ],
  ])('CC-04: reads %j', (header, ifMatch) => {
    expect(read({ 'if-match': header })).toEqual({ ifMatch });
    expect(read({ 'if-none-match': header })).toEqual({ ifNoneMatch: ifMatch });
  });

  it.each(['', ',', 'a', '"a', '*, "a"', '"a" "b"', 'w/"a"', '"a\u007f"', '"a b"'])('CC-04: refuses %j', (header) => {
    expect(() => read({ 'if-match': header })).toThrow("If-Match must be '*', or ETags in their quotes");
  });

  it('CC-06: refuses dates', () => {
    expect(() => read({ 'if-unmodified-since': 'x' })).toThrow('If-Unmodified-Since is not supported');
  });

  it('returns undefined without preconditions', () => {
    expect(read({})).toBeUndefined();
    expect(() => {
      requireNoPreconditions({ headers: {} }, 'Not here.');
    }).not.toThrow();
  });

  it.each(['if-match', 'if-none-match'])('CC-22: refuses %s where the request cannot have one', (name) => {
    expect(() => {
      requireNoPreconditions({ headers: { [name]: '*' } }, 'Not here.');
    }).toThrow('Not here.');
  });

  it('parses a hostile list in linear time', () => {
    expect(() => read({ 'if-match': `${'"a",'.repeat(20_000)}x` })).toThrow('If-Match must be');
    expect(() => read({ 'if-match': `${' ,'.repeat(20_000)}x` })).toThrow('If-Match must be');
  });
});
