import { onDatabases } from '../../support/databases/this-database.js';
import { PRODUCT } from '../../support/seed.js';
import { describeReads, refusalOf } from './read-suite.js';

describeReads('filtering', {}, (suite) => {
  it.each<[string, readonly number[]]>([
    // Equality and lists.
    ['filter[title]=Post 01', [1]],
    ['filter[title]=Post 01,Post 02', [1, 2]],
    ['filter[viewCount]=74', [2]],
    ['filter[published]=false', [3, 6, 9, 12]],
    ['filter[published]=true,false&filter[id$lte]=2', [1, 2]],
    ['filter[rating]=2.5', [1, 6, 11]],
    ['filter[publishedAt]=2026-01-02T12:00:00Z', [2]],
    ['filter[publishedAt]=2026-01-02T13:00:00%2B01:00', [2]],
    ['filter[id]=1,3', [1, 3]],
    // The operators of the specification, section 4.1.1.
    ['filter[viewCount$lt]=22', [3, 11]],
    ['filter[viewCount$lte]=22', [3, 6, 11]],
    ['filter[viewCount$gt]=74', [5, 8]],
    ['filter[viewCount$gte]=74', [2, 5, 8]],
    ['filter[createdAt$gt]=2026-01-10T12:00:00Z', [11, 12]],
    ['filter[rating$gte]=4.5', [3, 9]],
    ['filter[title$gt]=Post 10', [11, 12]],
    ['filter[content$contains]=post 1', [1, 10, 11]],
    ...onDatabases('postgresql').rows<[string, readonly number[]]>([
      ['filter[content$contains]=POST 1', []],
      ['filter[content$icontains]=POST 1', [1, 10, 11]],
    ]),
    ['filter[title$startsWith]=Post 1', [10, 11, 12]],
    ['filter[title$endsWith]=2', [2, 12]],
    ['filter[title$endsWith]=1,2', [1, 2, 11, 12]],
    ...onDatabases('postgresql').rows<[string, readonly number[]]>([
      ['filter[keywords$has]=gamma', [3, 7, 11]],
      ['filter[keywords$hasEvery]=alpha,beta', [2, 3, 6, 7, 10, 11]],
      ['filter[keywords$hasSome]=beta,gamma', [2, 3, 6, 7, 10, 11]],
      ['filter[keywords$hasSome]=', []],
      ['filter[keywords$hasEvery]=', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
      ['filter[keywords$isEmpty]=true', [4, 8, 12]],
      ['filter[keywords$isEmpty]=false&filter[id$lt]=4', [1, 2, 3]],
      ['filter[keywords]=alpha,beta', [2, 6, 10]],
      ['filter[keywords]=', [4, 8, 12]],
    ]),
    // The extensions.
    ['filter[id$ne]=1&filter[id$lte]=3', [2, 3]],
    ['filter[id$in]=1,2', [1, 2]],
    ['filter[id$notIn]=1,2&filter[id$lte]=4', [3, 4]],
    ['filter[content$null]=true', [4, 8, 12]],
    ['filter[content$null]=false&filter[id$lte]=4', [1, 2, 3]],
    ['filter[viewCount$between]=22,44', [1, 6, 9, 12]],
    ['filter[title$notContains]=0', [11, 12]],
    ['filter[title$notStartsWith]=Post 0', [10, 11, 12]],
    ['filter[title$notEndsWith]=1,2,3,4,5', [6, 7, 8, 9, 10]],
    ...onDatabases('postgresql').rows<[string, readonly number[]]>([['filter[content$notIcontains]=POST 1', [2, 3, 4, 5, 6, 7, 8, 9, 12]]]),
    // A negation matches rows without a value.
    ['filter[rating$ne]=2.5&filter[id$lte]=4', [2, 3, 4]],
    ['filter[content$notContains]=post&filter[id$lte]=4', [4]],
    // Relationships by id.
    ['filter[author]=1', [1, 4, 7, 10]],
    ['filter[author]=1,2&filter[id$lte]=3', [1, 2]],
    ['filter[author$ne]=1&filter[id$lte]=4', [2, 3]],
    ['filter[reviewer$ne]=1&filter[id$lte]=4', [1, 3]],
    ['filter[reviewer$null]=true&filter[id$lte]=4', [1, 3]],
    ['filter[category$null]=false', [1, 2, 3, 4, 5]],
    ['filter[tags]=1', [1, 4]],
    ['filter[tags]=1,3', [1, 2, 3, 4]],
    ['filter[tags$none]=1&filter[id$lte]=4', [2, 3]],
    ['filter[tags$every]=1,2&filter[tags$isEmpty]=false', [1]],
    ['filter[comments$isEmpty]=true', [11, 12]],
    // Deep.
    ['filter[author][name]=Ada Lovelace', [1, 4, 7, 10]],
    ...onDatabases('postgresql').rows<[string, readonly number[]]>([['filter[author][name$icontains]=HOPPER', [2, 5, 8, 11]]]),
    ['filter[category][parent][slug]=software', [2, 3]],
    ['filter[category][parent]=1', [2, 3]],
    ['filter[tags][name]=nest', [2, 3]],
    ['filter[comments][author][name$startsWith]=Alan', [3, 8]],
    ['filter[comments$none][author]=1&filter[id$lte]=6', [2, 3, 4, 5]],
    ['filter[comments$every][author$null]=false&filter[id$lte]=7', [1, 2, 3, 5, 6]],
    ['filter[comments][id]=14', [4]],
    // Several.
    ['filter[author]=1&filter[published]=true&filter[viewCount$gt]=40', [4, 7, 10]],
    ['filter[tags]=1&filter[tags]=2', [1]],
    ['filter[viewCount$gt]=20&filter[viewCount$lt]=35', [6, 9]],
    ['filter[or][0][id]=1&filter[or][1][title]=Post 02', [1, 2]],
    ['filter[or][0][author]=1&filter[or][0][published]=true&filter[or][1][id]=3', [1, 3, 4, 7, 10]],
    ['filter[id$lte]=4&filter[or][0][author]=1&filter[or][1][author]=3', [1, 3, 4]],
    // Alternative syntax (D9).
    ['filter[viewCount][$gt]=74', [5, 8]],
    ['filter[viewCount][gt]=74', [5, 8]],
    ['filter%5BviewCount%24gt%5D=74', [5, 8]],
  ])('%s', async (search, ids) => {
    const { ids: found, document } = await suite.app.rest.get(`/post?${encodeURI(search).replaceAll('%25', '%')}&sort=id`);
    expect(found).toEqual(ids);
    expect(document.meta).toMatchObject({ total: ids.length });
  });

  onDatabases('postgresql', 'mariadb').it('treats % and _ as plain characters', async () => {
    expect((await suite.app.rest.get('/post?filter[content$contains]=100%25 true_&filter[id]=1')).ids).toEqual([1]);
    for (const text of ['10%25%25', '_00', 'true%25story', 'trueXstory', '\\']) {
      expect((await suite.app.rest.get(`/post?filter[content$contains]=${text}`)).ids).toEqual([]);
    }
    expect((await suite.app.rest.get('/specimen?filter[string$contains]=%25_')).ids).toEqual([3]);
    expect((await suite.app.rest.get('/specimen?filter[string$startsWith]=%22%5C')).ids).toEqual([3]);
  });

  onDatabases('postgresql', 'mariadb').it('compares all digits of large numbers', async () => {
    expect((await suite.app.rest.get('/order?filter[id]=9007199254740993')).ids).toEqual(['9007199254740993']);
    expect((await suite.app.rest.get('/order?filter[id]=9007199254740992')).ids).toEqual([]);
    expect((await suite.app.rest.get('/specimen?filter[bigInt]=9223372036854775807')).ids).toEqual([3]);
    expect((await suite.app.rest.get('/specimen?filter[decimal]=12345678901234567890.0123456789')).ids).toEqual([3]);
    expect((await suite.app.rest.get('/specimen?filter[decimal]=12345678901234567890.012345678')).ids).toEqual([]);
  });

  it.each<[string, readonly number[]]>([
    ['filter[boolean]=true', [1, 2, 3]],
    ['filter[float]=1.5e308', [3]],
    ['filter[dateTime]=0001-01-01T00:00:00Z', [3]],
    ['filter[date]=2026-01-02', [1, 2, 3]],
    ['filter[optionalDate$gt]=2026-01-30', [1]],
    ['filter[bytes]=AAH%2B/w==', [1, 2]],
    ['filter[optionalBytes$null]=true', [2, 3]],
    ['filter[uuid]=6f9619ff-8b86-4d01-b42d-00cf4fc964ff', [1, 2, 3]],
    ['filter[level]=MEDIUM', [1, 2, 3]],
    ['filter[optionalLevel$in]=LOW,HIGH', [1]],
    ['filter[json]=%7B%22nested%22:%7B%22list%22:[1,null,%22a%22]%7D%7D', [1, 2]],
    ['filter[json$null]=true', []],
    ['filter[json$null]=false', [1, 2, 3]],
    ['filter[optionalJson]=[]', [1]],
    ['filter[optionalJson]=null', [2, 3]],
    ['filter[optionalJson$null]=true', [2, 3]],
    ['filter[optionalJson$null]=false', [1]],
    ['filter[optionalJson$ne]=[]', [2, 3]],
    ['filter[optionalString]=', [1]],
    ...onDatabases('postgresql').rows<[string, readonly number[]]>([
      ['filter[stringList$has]=with\\,comma', [1]],
      ['filter[stringList]=a,,with\\,comma,with %22quotes%22', [1]],
      ['filter[booleanList$has]=false', [1]],
      ['filter[intList$hasEvery]=1,3', [1]],
      ['filter[bigIntList$has]=9007199254740993', [1]],
      ['filter[floatList$has]=1e21', [1]],
      ['filter[decimalList$hasSome]=0.2,5', [1]],
      ['filter[dateTimeList$has]=2026-01-01T12:00:00Z', [1]],
      ['filter[bytesList$has]=AgM=', [1]],
      ['filter[uuidList$isEmpty]=false', [1]],
      ['filter[levelList$hasEvery]=LOW,HIGH', [1]],
    ]),
  ])('compares values of every type: %s', async (search, ids) => {
    expect((await suite.app.rest.get(`/specimen?${search}`)).ids).toEqual(ids);
  });

  it('compares compound ids', async () => {
    const line = `3_${PRODUCT.globe}`;
    expect((await suite.app.rest.get(`/orderLine?filter[id]=${line}`)).ids).toEqual([line]);
    expect((await suite.app.rest.get(`/orderLine?filter[id$ne]=${line}`)).ids).toHaveLength(6);
    expect((await suite.app.rest.get(`/refund?filter[line]=3_${PRODUCT.sextant},${line}`)).ids).toEqual([2]);
    expect((await suite.app.rest.get('/translation?filter[id]=en\\_GB_with\\_divider,en_greeting')).ids).toEqual([
      'en_greeting',
      'en\\_GB_with\\_divider',
    ]);
    expect((await suite.app.rest.get('/order?filter[lines][product]=' + PRODUCT.atlas)).ids).toEqual(['1', '9007199254740993']);
  });

  it('filters by a relation whose foreign key is on the other side', async () => {
    expect((await suite.app.rest.get('/user?filter[profile]=2')).ids).toEqual([2]);
    expect((await suite.app.rest.get('/user?filter[profile$null]=true')).ids).toEqual([4, 5]);
    expect((await suite.app.rest.get('/user?filter[profile$ne]=2')).ids).toEqual([1, 3, 4, 5]);
    expect((await suite.app.rest.get('/user?filter[profile][bio$contains]=bug')).ids).toEqual([2]);
  });

  it.each([
    ['filter[titel]=a', "invalid-filter filter[titel]: post has no field 'titel', at position 8. Did you mean 'title'?"],
    [
      'filter[viewCount]=1abc',
      "invalid-value filter[viewCount]: '1abc' is no value of 'viewCount': it must be an integer between -2147483648 and 2147483647.",
    ],
    ['filter[title$like]=a', "invalid-filter filter[title$like]: There is no operator '$like', at position 13."],
    [
      'filter[author][passwordHash$startsWith]=$2b',
      "invalid-filter filter[author][passwordHash$startsWith]: user has no field 'passwordHash', at position 16.",
    ],
    ['filter[author][pin]=1815', "invalid-filter filter[author][pin]: 'pin' at position 16 cannot be filtered by."],
    ['filter[author][tokens][secret]=a', "invalid-filter filter[author][tokens][secret]: user has no field 'tokens', at position 16."],
    [
      'filter[title]=%00',
      "invalid-value filter[title]: '\0' is no value of 'title': it must be a string without NUL characters and lone surrogates.",
    ],
    [
      'filter[createdAt$gte]=2026-01-01T00:00:00+02:00',
      "invalid-value filter[createdAt$gte]: '2026-01-01T00:00:00 02:00' is no value of 'createdAt': it must be an ISO 8601 date and time with a time zone, such as 2024-01-31T10:00:00Z. In a URL, a plus sign means a space: write %2B.",
    ],
    ['filter[author][not]=1', "invalid-filter filter[author][not]: user has no field 'not', at position 16."],
    [
      'filter[metadata]=%7B%22__prismaRawParameters__%22:1%7D',
      "invalid-value filter[metadata]: '{\"__prismaRawParameters__\":1}' is no value of 'metadata': it must be a JSON value of at most 100 levels, without NUL characters, lone surrogates and the key '__prismaRawParameters__'.",
    ],
  ])('rejects %s before any SQL', async (search, problem) => {
    expect(refusalOf(await suite.app.rest.get(`/post?${search}`))).toEqual([400, problem]);
    expect(suite.database.statements.all).toEqual([]);
  });

  onDatabases('postgresql').it('searches texts by the full-text query of the database', async () => {
    expect((await suite.app.rest.get('/post?filter[title$search]=POST %26 (03 | 07)&sort=id')).ids).toEqual([3, 7]);
    expect((await suite.app.rest.get('/post?filter[title$search]=post %26 !03')).ids).toHaveLength(11);
    expect((await suite.app.rest.get('/post?filter[title$search]=nowhere')).many).toEqual([]);
  });

  onDatabases('postgresql').it('answers an invalid full-text query with the database and the operator', async () => {
    const { status, errors } = await suite.app.rest.get('/post?filter[title$search]=cat %26');
    expect([status, errors[0]?.code, errors[0]?.source]).toEqual([400, 'invalid-filter', { parameter: 'filter[title$search]' }]);
    expect(errors[0]?.detail).toMatch(/^The database \(postgresql\) refused the operator '\$search'/);
  });

  it('answers with all faults of a request at once', async () => {
    const { errors } = await suite.app.rest.get('/post?filter[titel]=a&sort=autor&include=autor,tag&page[limit]=0&fields[post]=x');
    expect(errors.map(({ code, source }) => `${code} ${source?.parameter}`)).toEqual([
      'invalid-filter filter[titel]',
      'invalid-sort sort',
      'invalid-page page[limit]',
      'invalid-include include',
      'invalid-include include',
      'invalid-fields fields[post]',
    ]);
  });

  it('limits the terms of a request', async () => {
    const ids = Array.from({ length: 101 }, (_, id) => id).join(',');
    expect(refusalOf(await suite.app.rest.get(`/post?filter[id]=${ids}`))).toEqual([
      400,
      'limit-exceeded filter[id]: The request needs 101 filter and sort terms (filter 101); limits.maxFilterTerms allows 100.',
    ]);
    expect(suite.database.statements.all).toEqual([]);
  });
});
