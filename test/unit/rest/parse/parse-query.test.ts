import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../../lib/errors/api-error.js';
import { collectionQuery, errorOf, problemsOf, readContext, relatedQuery, resourceQuery } from '../read-fixture.js';

const context = readContext();
const strict = readContext({ settings: { strict: true } });

function problems(search: string, model = 'Post'): string[] {
  return problemsOf(() => collectionQuery(context, model, search));
}

describe('parseQuery: names of parameters', () => {
  it.each([
    ['QP-03 a name of lower-case letters', 'foo=1', "unsupported-parameter at foo: There is no query parameter 'foo' here."],
    ['QP-03 a family of lower-case letters', 'foo[bar]=1', "unsupported-parameter at foo[bar]: There is no query parameter 'foo' here."],
    [
      'a typo',
      'filtre[title]=a',
      "unsupported-parameter at filtre[title]: There is no query parameter 'filtre' here. Did you mean 'filter'?",
    ],
    ['QP-02 an illegal name', '$top=1', "unsupported-parameter at $top: '$top' is no legal name of a query parameter."],
    ['QP-01 an illegal family', 'fooBar[$x]=1', "unsupported-parameter at fooBar[$x]: 'fooBar[$x]' is no legal name of a query parameter."],
    ['an empty name', '=1', "unsupported-parameter at : '' is no legal name of a query parameter."],
    [
      'an open bracket',
      'filter[title=a',
      "unsupported-parameter at filter[title: The brackets of 'filter[title' do not match, at position 7.",
    ],
    [
      'text after brackets',
      'page[limit]x=1',
      "unsupported-parameter at page[limit]x: The brackets of 'page[limit]x' do not match, at position 12.",
    ],
    [
      'a bracket in brackets',
      'filter[a[b]]=1',
      "unsupported-parameter at filter[a[b]]: The brackets of 'filter[a[b]]' do not match, at position 7.",
    ],
  ])('refuses %s', (_, search, problem) => {
    expect(problems(search)).toEqual([problem]);
  });

  it.each(['camelCase=1', 'utm-source=1', 'utm_source=1', 'fooBar[x][y]=1', 'X=1', 'größe=1'])('ignores %s (D12)', (search) => {
    expect(collectionQuery(context, 'Post', search).parameters).toHaveLength(1);
  });

  it('treats encoded and plain brackets alike (QP-05), and a plus as a space (QP-04)', () => {
    const plain = collectionQuery(context, 'Post', 'filter[title]=a+b&page[limit]=5');
    const encoded = collectionQuery(context, 'Post', 'filter%5Btitle%5D=a%20b&page%5Blimit%5D=5');
    expect(encoded).toEqual(plain);
    expect(plain.filter).toEqual(expect.objectContaining({ values: ['a b'] }));
  });

  it('names everything that is wrong in one error', () => {
    expect(problems('sort=titel,-views,x&include=autor&page[limit]=0&foo=1&filter[viewz]=1')).toEqual([
      "unsupported-parameter at foo: There is no query parameter 'foo' here.",
      "invalid-filter at filter[viewz]: post has no field 'viewz', at position 8. Did you mean 'views'?",
      "invalid-sort at sort: post has no field 'titel', at position 1. Did you mean 'title'?",
      "invalid-sort at sort: post has no field 'x', at position 14.",
      "invalid-page at page[limit]: '0' is no page size: it must be an integer from 1.",
      "invalid-include at include: post has no relationship 'autor', at position 1. Did you mean 'author'?",
    ]);
  });

  it('stops at twenty problems', () => {
    expect(problems(Array.from({ length: 500 }, (_, index) => `${'a'.repeat(index + 1)}=1`).join('&'))).toHaveLength(20);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('refuses %s as an unknown name everywhere', (name) => {
    for (const search of [
      `filter[${name}]=1`,
      `filter[${name}][x]=1`,
      `filter[author][${name}]=1`,
      `sort=${name}`,
      `sort=author.${name}`,
    ]) {
      expect(errorOf(() => collectionQuery(context, 'Post', search)).status).toBe(400);
    }
    for (const search of [`include=${name}`, `include=author.${name}`, `fields[${name}]=a`, `fields[post]=${name}`, `page[${name}]=1`]) {
      expect(errorOf(() => collectionQuery(context, 'Post', search)).status).toBe(400);
    }
    expect(errorOf(() => collectionQuery(context, 'Post', `page[${name}][prototype]=1`)).status).toBe(400);
  });

  it('refuses more pairs of brackets than limits.maxDepth', () => {
    const name = `filter${'[a]'.repeat(1000)}`;
    expect(problems(`${name}=1`)).toEqual([`limit-exceeded at nowhere: A parameter has at most 10 pairs of brackets (limits.maxDepth).`]);
  });

  it('parses long texts in linear time', () => {
    for (const text of ['\\'.repeat(60_000), ','.repeat(60_000), '['.repeat(60_000), 'a.'.repeat(30_000), 'a '.repeat(30_000)]) {
      for (const search of [
        `filter[title]=${text}`,
        `sort=${text}`,
        `include=${text}`,
        `fields[post]=${text}`,
        `${text}=1`,
        `filter[${text}]=1`,
      ]) {
        try {
          collectionQuery(context, 'Post', search);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }
    }
  });
});

describe('parseQuery: what each URL takes', () => {
  it.each(['filter[title]=a', 'sort=title', 'page[limit]=1'])('refuses %s for one resource', (search) => {
    expect(errorOf(() => resourceQuery(context, ['post', '1'], search)).problems[0].code).toBe('unsupported-parameter');
    expect(errorOf(() => relatedQuery(context, ['post', '1', 'author'], search)).problems[0].code).toBe('unsupported-parameter');
    expect(errorOf(() => relatedQuery(context, ['post', '1', 'relationships', 'author'], search)).problems[0].code).toBe(
      'unsupported-parameter',
    );
  });

  it('accepts all families at a to-many relationship', () => {
    const search = 'filter[body]=a&sort=-body&page[limit]=1&include=author&fields[comment]=body';
    expect(relatedQuery(context, ['post', '1', 'comments'], search)).toEqual(
      expect.objectContaining({ kind: 'collection', compound: true }),
    );
  });

  it('starts include paths at the related type, and at the relationship itself at its own URL (IN-05)', () => {
    expect(relatedQuery(context, ['post', '1', 'comments'], 'include=author').projection).toEqual(
      expect.objectContaining({ kind: 'resource' }),
    );
    expect(relatedQuery(context, ['post', '1', 'relationships', 'comments'], 'include=comments.author').projection).toEqual(
      expect.objectContaining({ kind: 'resource' }),
    );
    expect(relatedQuery(context, ['post', '1', 'relationships', 'comments']).projection.kind).toBe('key');
    expect(problemsOf(() => relatedQuery(context, ['post', '1', 'relationships', 'comments'], 'include=author'))).toEqual([
      "invalid-include at include: 'author' at position 1: paths start with 'comments' here.",
    ]);
  });

  it('has an empty include as a compound document, and no include as none (IN-02)', () => {
    expect(resourceQuery(context, ['post', '1'], 'include=').compound).toBe(true);
    expect(resourceQuery(context, ['post', '1']).compound).toBe(false);
  });
});

describe('parseQuery: parameters given twice (QP-07)', () => {
  it.each([
    ['sort=title&sort=views', 'sort=title,views'],
    ['include=author&include=tags', 'include=author,tags'],
    ['fields[post]=title&fields[post]=views', 'fields[post]=title,views'],
  ])('joins the values of %s', (pieces, whole) => {
    const expected = collectionQuery(context, 'Post', whole);
    expect(collectionQuery(context, 'Post', pieces)).toEqual({ ...expected, parameters: expect.any(Array) });
  });

  it.each([
    ['sort=title&sort=views', 'invalid-sort at sort: sort is given twice.'],
    ['include=author&include=tags', 'invalid-include at include: include is given twice.'],
    ['fields[post]=title&fields[post]=views', 'invalid-fields at fields[post]: fields[post] is given twice.'],
    ['page[limit]=1&page[limit]=2', 'invalid-page at page[limit]: page[limit] is given twice.'],
  ])('refuses %s in strict mode', (search, problem) => {
    expect(problemsOf(() => collectionQuery(strict, 'Post', search))).toEqual([problem]);
  });

  it('refuses two values of a page in either mode', () => {
    expect(problems('page[limit]=1&page[limit]=2')).toEqual(['invalid-page at page[limit]: page[limit] is given twice.']);
  });

  it('combines a filter that is given twice, in either mode', () => {
    for (const mode of [context, strict]) {
      expect(collectionQuery(mode, 'Post', 'filter[views$gt]=1&filter[views$gt]=2').filter).toEqual(
        expect.objectContaining({ kind: 'all', filters: [expect.anything(), expect.anything()] }),
      );
    }
  });
});

describe('parseQuery: the same text again', () => {
  it('is read once, and means the same for every id', () => {
    const [one, other] = ['1', '2'].map((id) => resourceQuery(context, ['post', id], 'include=author&fields[post]=title'));
    expect(other?.projection).toBe(one?.projection);
    expect([one, other].map((query) => query?.target)).toMatchObject([{ id: { text: '1' } }, { id: { text: '2' } }]);
    const filtered = (): unknown => collectionQuery(context, 'Post', 'filter[title]=a').filter;
    expect(filtered()).toBe(filtered());
  });

  it('means something else at another URL: of another resource, another relationship, or its linkage', () => {
    const search = 'fields[post]=title';
    const queries = [
      resourceQuery(context, ['post', '1'], search),
      collectionQuery(context, 'Post', search),
      relatedQuery(context, ['post', '1', 'author'], search),
      relatedQuery(context, ['post', '1', 'comments'], search),
      relatedQuery(context, ['post', '1', 'relationships', 'comments'], search),
      collectionQuery(context, 'User', search),
    ];
    const parsed = queries.map(({ kind, target, resource }) => `${kind} ${target.kind} ${resource.model}`);
    expect(parsed).toEqual([
      'single resource Post',
      'collection collection Post',
      'single related User',
      'collection related Comment',
      'collection relationship Comment',
      'collection collection User',
    ]);
  });

  it('is parsed again under other settings and where it is long, and reports its problems each time', () => {
    const search = 'sort=title&sort=views';
    expect(collectionQuery(context, 'Post', search).sort).toHaveLength(2);
    for (let round = 0; round < 2; round++) expect(problemsOf(() => collectionQuery(strict, 'Post', search))).toHaveLength(1);
    const long = (): unknown => collectionQuery(context, 'Post', `filter[title]=${'a'.repeat(2_000)}`).filter;
    expect(long()).not.toBe(long());
    expect(long()).toEqual(long());
  });
});
