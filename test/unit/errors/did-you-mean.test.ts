import fc from 'fast-check';
import { didYouMean } from '../../../lib/errors/did-you-mean.js';

const NAMES = ['title', 'content', 'author', 'authorId', 'createdAt'];

describe('didYouMean', () => {
  it.each([
    ['titel', " Did you mean 'title'?"],
    ['TITLE', " Did you mean 'title'?"],
    ['auther', " Did you mean 'author'?"],
    ['createdat', " Did you mean 'createdAt'?"],
    ['nothing', ''],
    ['', ''],
    ['constructor', ''],
  ])('suggests the intended name for %p', (name, hint) => {
    expect(didYouMean(name, NAMES)).toBe(hint);
  });

  it('suggests a name of which two adjacent characters are swapped', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{4,20}$/), fc.nat(18), (name, at) => {
        const index = at % (name.length - 1);
        const typo = name.slice(0, index) + (name[index + 1] ?? '') + (name[index] ?? '') + name.slice(index + 2);
        expect(didYouMean(typo, [name])).toBe(` Did you mean '${name}'?`);
      }),
    );
  });

  it('suggests nothing for names that are too long to be typos', () => {
    expect(didYouMean('x'.repeat(100_000), ['x'.repeat(100_000)])).toBe('');
  });
});
