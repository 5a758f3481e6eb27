import { isJsonPath } from '../../../lib/prisma/read-json-filter.js';

describe('isJsonPath', () => {
  it.each([
    ['sqlite', ['$', '$.a', '$.a.b', '$[0]', '$.a[0].b[1]', '$."b c"', '$.b c', '$.a[#-1]', '$.a-b', '$.é', '$.""']],
    [
      'mysql',
      [
        '$',
        '$.a',
        '$.a.b',
        '$[0]',
        '$.a[0].b[1]',
        '$."b c"',
        '$."a\\"b"',
        '$[last]',
        '$[last-1]',
        '$[1 to 3]',
        '$[*]',
        '$.*',
        '$**.a',
        '$.é',
        '$.a_1',
      ],
    ],
  ] as const)('takes the paths of %s', (provider, paths) => {
    expect(paths.filter((path) => !isJsonPath(path, provider))).toEqual([]);
  });

  it.each([
    [
      'sqlite',
      [
        '',
        'a',
        '$a',
        '$.',
        '$..a',
        '$[',
        '$[x]',
        '$[0',
        '$.a[',
        '$.a[x]',
        '$.a[0]x',
        '$."a',
        '$."a"b',
        '$.a.',
        '$[last]',
        '$[*]',
        '$ .a',
        '$.a[-1]',
        '$.a\0b'.slice(0, -2) + '[',
      ],
    ],
    [
      'mysql',
      [
        '',
        'a',
        '$a',
        '$.',
        '$..a',
        '$[',
        '$[x]',
        '$[0',
        '$.a[',
        '$.a b',
        '$."a',
        '$.a.',
        '$**',
        '$.1a',
        '$[-1]',
        '$[#-1]',
        '$.a-b',
        '$.a"',
      ],
    ],
  ] as const)('takes nothing else on %s', (provider, paths) => {
    expect(paths.filter((path) => isJsonPath(path, provider))).toEqual([]);
  });
});
