import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../../../lib/errors/api-error.js';
import { FILTER_OPERATORS } from '../../../../lib/rest/parse/filter-operators.js';
import { printFilter } from '../print-filter.js';
import { collectionQuery, problemsOf, readContext } from '../read-fixture.js';
import { sample } from '../../../support/sample.js';

const context = readContext();

function read(search: string, model = 'Post'): string {
  return printFilter(collectionQuery(context, model, search).filter);
}

function problems(search: string, model = 'Post'): string[] {
  return problemsOf(() => collectionQuery(context, model, search));
}

describe('filter: what is understood', () => {
  it.each([
    // Equality, and lists of values.
    ['filter[title]=a', 'title = "a"'],
    ['filter[title]=', 'title = ""'],
    ['filter[title]=a,b', 'title in "a"|"b"'],
    ['filter[title]=a\\,b', 'title = "a,b"'],
    ['filter[title]=a\\\\,b', 'title in "a\\\\"|"b"'],
    ['filter[title]=a\\b', 'title = "a\\\\b"'],
    ['filter[views]=1', 'views = 1'],
    ['filter[reads]=9007199254740993', 'reads = 9007199254740993n'],
    ['filter[price]=1.10', 'price = "1.10"'],
    ['filter[createdAt]=2026-01-01T00:00:00Z', 'createdAt = "2026-01-01T00:00:00.000Z"'],
    ['filter[cover]=iVA=', 'cover = [137,80]'],
    ['filter[published]=true', 'published = true'],
    ['filter[metadata]={"a":[1,2]}', 'metadata = {"a":[1,2]}'],
    ['filter[keywords]=a,b', 'keywords = "a"|"b"'],
    ['filter[keywords]=', 'keywords = '],
    // Operators, in the three ways to write them (D9).
    ['filter[views$gt]=1', 'views gt 1'],
    ['filter[views][$gt]=1', 'views gt 1'],
    ['filter[views][gt]=1', 'views gt 1'],
    ['filter[title$contains]=a,b', 'title contains "a"|"b"'],
    ['filter[title$ne]=a', 'title ne "a"'],
    ['filter[title$ne]=a,b', 'title notIn "a"|"b"'],
    ['filter[title$in]=a', 'title in "a"'],
    ['filter[content$null]=true', 'content null true'],
    ['filter[views$between]=1,5', 'views between 1|5'],
    ['filter[keywords$hasEvery]=a,b', 'keywords hasEvery "a"|"b"'],
    ['filter[keywords$isEmpty]=false', 'keywords isEmpty false'],
    // Deep filters.
    ['filter[author][name]=Ann', 'one author [name = "Ann"]'],
    ['filter[author][name$contains]=A', 'one author [name contains "A"]'],
    ['filter[author][name][contains]=A', 'one author [name contains "A"]'],
    ['filter[comments][body]=a', 'some comments [body = "a"]'],
    ['filter[comments$some][body]=a', 'some comments [body = "a"]'],
    ['filter[comments$every][body]=a', 'every comments [body = "a"]'],
    ['filter[comments$none][author][name]=a', 'none comments [one author [name = "a"]]'],
    // Relationships by id.
    ['filter[author]=1', 'one author [id 1]'],
    ['filter[author]=1,2', 'one author [id 1|2]'],
    ['filter[author$ne]=1', 'notOne author [id 1]'],
    ['filter[comments]=1,2', 'some comments [id 1|2]'],
    ['filter[comments$none]=1', 'none comments [id 1]'],
    ['filter[comments$ne]=1', 'none comments [id 1]'],
    ['filter[comments$every]=1,2', 'every comments [id 1|2]'],
    ['filter[comments$isEmpty]=true', 'no comments'],
    ['filter[comments$isEmpty]=false', 'some comments'],
    // The id.
    ['filter[id]=1,2', 'id in 1|2'],
    ['filter[id$gt]=1', 'id gt 1'],
    ['filter[author][id]=1', 'one author [id = 1]'],
    // Several.
    ['filter[title]=a&filter[views]=1', 'all(title = "a", views = 1)'],
    ['filter[comments][body]=a&filter[comments][body]=b', 'all(some comments [body = "a"], some comments [body = "b"])'],
    ['filter[or][0][title]=a&filter[or][1][views]=1', 'any(title = "a", views = 1)'],
    ['filter[or][0][title]=a&filter[or][0][views]=1&filter[or][1][views]=2', 'any(all(title = "a", views = 1), views = 2)'],
    ['filter[id]=1&filter[or][0][title]=a&filter[or][1][title]=b', 'all(id = 1, any(title = "a", title = "b"))'],
    ['filter[or][0][or][0][title]=a&filter[or][0][or][1][title]=b', 'any(title = "a", title = "b")'],
    ['filter[or][7][title]=a', 'title = "a"'],
    ['filter[or][1234][title]=a', 'title = "a"'],
  ])('%s', (search, expected) => {
    expect(read(search)).toBe(expected);
  });

  it.each([
    ['filter[id]=1_a', 'id 1n+"a"'],
    ['filter[id]=1_a\\_b,2_c', 'id 1n+"a_b"|2n+"c"'],
    ['filter[id$ne]=1_a', 'id not 1n+"a"'],
  ])('compound ids: %s', (search, expected) => {
    expect(read(search, 'Line')).toBe(expected);
  });

  it.each([
    ['filter[line]=1_a', 'one line [id 1n+"a"]'],
    ['filter[line$null]=true', 'no line'],
  ])('compound ids of a relationship: %s', (search, expected) => {
    expect(read(search, 'Refund')).toBe(expected);
  });

  it('takes the external id for a relationship where the resource has one', () => {
    const external = readContext({ resources: { User: { externalId: 'email' } } });
    expect(printFilter(collectionQuery(external, 'Post', 'filter[author]=ann@example.com').filter)).toBe(
      'one author [id "ann@example.com"]',
    );
  });
});

describe('filter: what is refused', () => {
  it.each([
    ['filter[titel]=a', "invalid-filter at filter[titel]: post has no field 'titel', at position 8. Did you mean 'title'?"],
    ['filter[author][nam]=a', "invalid-filter at filter[author][nam]: user has no field 'nam', at position 16. Did you mean 'name'?"],
    [
      'filter[title$contain]=a',
      "invalid-filter at filter[title$contain]: There is no operator '$contain', at position 13. Did you mean 'contains'?",
    ],
    ['filter[title][like]=a', "invalid-filter at filter[title][like]: There is no operator '$like', at position 15."],
    ['filter[title$gt][lt]=a', 'invalid-filter at filter[title$gt][lt]: Nothing can follow at position 18.'],
    ['filter[title][gt][x]=a', 'invalid-filter at filter[title][gt][x]: Nothing can follow at position 19.'],
    [
      'filter[views$contains]=1',
      "invalid-filter at filter[views$contains]: The operator '$contains' at position 13 does not go with 'views', a required Int.",
    ],
    [
      'filter[title$null]=true',
      "invalid-filter at filter[title$null]: The operator '$null' at position 13 does not go with 'title', a required String.",
    ],
    [
      'filter[keywords$contains]=a',
      "invalid-filter at filter[keywords$contains]: The operator '$contains' at position 16 does not go with 'keywords', a list of String.",
    ],
    [
      'filter[token$contains]=a',
      "invalid-filter at filter[token$contains]: The operator '$contains' at position 13 does not go with 'token', a required String (@db.Uuid).",
    ],
    ['filter=a', 'invalid-filter at filter: The filter names no field: it is written filter[field].'],
    ['filter[]=a', "invalid-filter at filter[]: post has no field '', at position 8."],
    ['filter[or]=a', "invalid-filter at filter[or]: 'or' at position 8 is followed by a number and a field: filter[or][0][field]."],
    ...['12345', '1a', 'a1', '-1'].map((number): [string, string] => [
      `filter[or][${number}][title]=a`,
      `invalid-filter at filter[or][${number}][title]: 'or' at position 8 is followed by a number and a field: filter[or][0][field].`,
    ]),
    ['filter[or][0]=a', 'invalid-filter at filter[or][0]: The filter names no field: it is written filter[field].'],
    [
      'filter[author$some][name]=a',
      "invalid-filter at filter[author$some][name]: '$some' at position 14: 'author' takes no operator there.",
    ],
    [
      'filter[comments$any][body]=a',
      "invalid-filter at filter[comments$any][body]: '$any' at position 16: 'comments' takes $some, $every or $none there.",
    ],
    ['filter[author$null]=true', "invalid-filter at filter[author$null]: 'author' takes no operator '$null', at position 14."],
    ['filter[author$gt]=1', "invalid-filter at filter[author$gt]: 'author' takes no operator '$gt', at position 14."],
    // Hidden and closed fields.
    [
      'filter[author][passwordHash$startsWith]=a',
      "invalid-filter at filter[author][passwordHash$startsWith]: user has no field 'passwordHash', at position 16.",
    ],
    ['filter[author][pin]=1', "invalid-filter at filter[author][pin]: 'pin' at position 16 cannot be filtered by."],
    // Values.
    [
      'filter[views]=1abc',
      "invalid-value at filter[views]: '1abc' is no value of 'views': it must be an integer between -2147483648 and 2147483647.",
    ],
    [
      'filter[views]=1,x',
      "invalid-value at filter[views]: 'x' is no value of 'views': it must be an integer between -2147483648 and 2147483647.",
    ],
    ['filter[published]=yes', "invalid-value at filter[published]: 'yes' is no value of 'published': it must be true or false."],
    ['filter[content$null]=1', "invalid-value at filter[content$null]: '1' must be true or false."],
    ['filter[views$between]=1', 'invalid-value at filter[views$between]: $between takes two values, separated by a comma.'],
    ['filter[views$between]=1,2,3', 'invalid-value at filter[views$between]: $between takes two values, separated by a comma.'],
    ['filter[author]=x', "invalid-value at filter[author]: 'x' cannot be an id of user."],
    ['filter[author][not]=1', "invalid-filter at filter[author][not]: user has no field 'not', at position 16."],
    [
      'filter[author][role]=KING',
      "invalid-value at filter[author][role]: 'KING' is no value of 'role': it must be one of 'READER', 'AUTHOR'.",
    ],
  ])('%s', (search, problem) => {
    expect(problems(search)).toEqual([problem]);
  });

  it('takes no order of compound ids', () => {
    expect(problems('filter[id$gt]=1_a', 'Line')).toEqual([
      "invalid-filter at filter[id$gt]: A compound id takes $in, $ne and $notIn, not '$gt' at position 10.",
    ]);
  });

  it.each([
    ['sqlite', 'filter[title$icontains]=a', 'icontains'],
    ['mysql', 'filter[title$icontains]=a', 'icontains'],
    ['sqlite', 'filter[title$search]=a', 'search'],
    ['sqlserver', 'filter[title$has]=a', 'has'],
    ['mongodb', 'filter[title$search]=a', 'search'],
  ] as const)('names the database %s and the operator that it lacks: %s', (provider, search, operator) => {
    expect(problemsOf(() => collectionQuery(readContext({ provider }), 'Post', search))).toEqual([
      `invalid-filter at ${search.slice(0, -2)}: The database (${provider}) has no operator '$${operator}'.`,
    ]);
  });

  it.each(['contains', 'startsWith', 'notEndsWith'])(
    'refuses wildcards in the value of $%s on SQLite, which cannot escape them',
    (operator) => {
      const read = (value: string, provider: 'sqlite' | 'mysql') => (): unknown =>
        collectionQuery(readContext({ provider }), 'Post', `filter[title$${operator}]=${value}`);
      for (const value of ['100%25', 'snake_case', 'a,b_c']) {
        expect(problemsOf(read(value, 'sqlite'))).toEqual([
          `invalid-filter at filter[title$${operator}]: The database (sqlite) cannot look for '%' and '_' within a text: they match anything there.`,
        ]);
        expect(read(value, 'mysql')).not.toThrow();
      }
      expect(read('100', 'sqlite')).not.toThrow();
    },
  );

  it('allows only the operators that a right names', () => {
    const limited = readContext({ resources: { User: { fields: { email: { filter: ['equals', 'gte'] } } } } });
    const filter = (search: string): string => printFilter(collectionQuery(limited, 'Post', search).filter);
    expect(filter('filter[author][email]=a')).toBe('one author [email = "a"]');
    expect(filter('filter[author][email$ne]=a')).toBe('one author [email ne "a"]');
    expect(filter('filter[author][email$gte]=a')).toBe('one author [email gte "a"]');
    for (const [search, operator] of [
      ['filter[author][email]=a,b', "The operator '$in'"],
      ['filter[author][email$startsWith]=a', "The operator '$startsWith'"],
      ['filter[author][email$between]=a,b', "The operator '$between'"],
      ['filter[author][email$search]=a', "The operator '$search'"],
    ] as const) {
      const parameter = search.slice(0, search.indexOf('='));
      expect(problemsOf(() => collectionQuery(limited, 'Post', search))).toEqual([
        `invalid-filter at ${parameter}: ${operator} is not open on 'email'.`,
      ]);
    }
  });
});

describe('filter: properties', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'title',
      'author',
      'comments',
      'id',
      'views',
      'or',
      '0',
      '1',
      'name',
      '$gt',
      'in',
      'titel',
      '',
      '__proto__',
      'createdAt',
    ),
    fc.string({ maxLength: 6 }),
  );
  const operator = fc.constantFrom('', ...[...FILTER_OPERATORS.keys()].map((one) => `$${one}`), '$', '$$', '$some', '$none');
  const selectors = fc.array(
    fc.tuple(name, operator).map((parts) => `[${parts.join('')}]`),
    { maxLength: 5 },
  );
  const value = fc.oneof(fc.constantFrom('1', 'true', 'a,b', '\\,', '2026-01-01T00:00:00Z', '1_2'), fc.string());

  it('never throws anything but an ApiError that points at the parameter', () => {
    fc.assert(
      fc.property(selectors, value, (brackets, text) => {
        const search = new URLSearchParams([[`filter${brackets.join('')}`, text]]).toString();
        try {
          collectionQuery(context, 'Post', search);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect((error as ApiError).status).toBe(400);
          expect((error as ApiError).problems[0].source).toEqual({ parameter: expect.any(String) });
        }
      }),
      { numRuns: sample.choose(300, 2000) },
    );
  });

  it('reads any list of values back that was written with its commas escaped', () => {
    const escape = (text: string): string => text.replace(/\\*,/g, (match) => `${'\\'.repeat((match.length - 1) * 2)}\\,`);
    const join = (values: readonly string[]): string =>
      values.map((text, index) => (index < values.length - 1 ? escape(text).replace(/\\+$/, '$&$&') : escape(text))).join(',');
    const text = fc.string({ unit: fc.constantFrom('a', ',', '\\', ' ', 'é'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (values) => {
        const search = new URLSearchParams([['filter[title$in]', join(values)]]).toString();
        expect(collectionQuery(context, 'Post', search).filter).toEqual(expect.objectContaining({ values }));
      }),
    );
  });
});
