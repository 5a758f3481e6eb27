import { describe, expect, it, jest } from '@jest/globals';
import { once, memoizeByObject } from '../../../lib/utils/memoize-by-object.js';

describe('once', () => {
  it('returns the same result, or throws the same error, without a second call', () => {
    const make = jest.fn(() => {
      throw new Error('not now');
    });
    const made = once(make);
    expect(made).toThrow('not now');
    expect(made).toThrow('not now');
    expect(make).toHaveBeenCalledTimes(1);
  });
});

describe('memoizeByObject', () => {
  it('calls the function once for each object, where it returned undefined too', () => {
    const find = jest.fn(({ name }: { readonly name?: string }) => name);
    const found = memoizeByObject(find);
    const [ann, bob, nobody] = [{ name: 'Ann' }, { name: 'Bob' }, {}];
    expect([ann, bob, nobody, ann, bob, nobody].map(found)).toEqual(['Ann', 'Bob', undefined, 'Ann', 'Bob', undefined]);
    expect(find).toHaveBeenCalledTimes(3);
  });

  it('compares objects by identity, and not by their members', () => {
    const found = memoizeByObject((one: { name: string }) => one.name);
    const [one, other] = [{ name: 'Ann' }, { name: 'Ann' }];
    expect(found(one)).toBe('Ann');
    other.name = 'Bob';
    expect(found(other)).toBe('Bob');
  });
});
