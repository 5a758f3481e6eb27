import { describe, expect, it } from '@jest/globals';
import { errorOf, problemsOf } from '../write-fixture.js';
import { POST, create, update, valuesOf, linkageOf, patchWith, user, tag } from './parse-document-helpers.js';

describe('parseDocument, the document', () => {
  it.each([
    ['no object', [], "invalid-payload ''"],
    ['a text', 'data', "invalid-payload ''"],
    ['null', null, "invalid-payload ''"],
    ['no data', {}, "invalid-payload ''"],
    ['no data but errors', { errors: [] }, "invalid-payload ''"],
    ['data that is null', { data: null }, "invalid-payload '/data'"],
    ['data that is an array', { data: [POST] }, "invalid-payload '/data'"],
    ['data that is a text', { data: 'post' }, "invalid-payload '/data'"],
    ['no type', { data: { attributes: {} } }, "invalid-payload '/data'"],
    ['a type that is no text', { data: { type: 7 } }, "invalid-payload '/data/type'"],
    ['another type', { data: { type: 'user' } }, "type-conflict '/data/type'"],
    ['a type that only an object has', { data: { type: 'constructor' } }, "type-conflict '/data/type'"],
    ['attributes that are no object', { data: { type: 'post', attributes: [] } }, "invalid-payload '/data/attributes'"],
    ['relationships that are no object', { data: { type: 'post', relationships: null } }, "invalid-payload '/data/relationships'"],
    ['meta that is no object', { data: POST, meta: [] }, "invalid-payload '/meta'"],
    ['metadata that is none', { data: POST, meta: { serialization: 'x' } }, "invalid-payload '/meta/serialization'"],
    [
      'metadata of what is not there',
      { data: POST, meta: { serialization: { values: { 'data.attributes.nothing': ['Date'] } } } },
      "invalid-payload '/meta/serialization'",
    ],
    [
      'metadata that reaches for the prototype',
      { data: POST, meta: { serialization: { values: { '__proto__.polluted': ['Date'] } } } },
      "invalid-payload '/meta/serialization'",
    ],
  ])('refuses %s', (_, body, problem) => {
    expect(problemsOf(() => update(body))).toEqual([problem]);
  });

  it('answers 409 to another type, and reads nothing else of such a document (CR-04, UP-02)', () => {
    expect(errorOf(() => create({ data: { type: 'user', attributes: { nothing: 1 } } }))).toMatchObject({ status: 409 });
  });

  it.each(['post', 'Post', 'POST'])('takes the type %s, without regard to case (D10)', (type) => {
    expect(valuesOf(update({ data: { type, attributes: { title: 'B' } } }))).toEqual({ title: 'B' });
  });

  it('ignores members that JSON:API does not define, and @-members (DS-06, MN-05)', () => {
    const body = {
      '@context': {},
      'foo': 1,
      'included': [],
      'jsonapi': { version: '1.1' },
      'links': {},
      'meta': {},
      'data': {
        ...POST,
        '@id': 'x',
        'links': { self: '/' },
        'meta': 7,
        'bar': null,
        'attributes': { '@type': 'x', ...POST.attributes },
        'relationships': {
          '@tags': 7,
          'tags': { 'data': [{ ...tag(1), '@id': 1, 'meta': {} }], 'links': {}, 'meta': {}, '@x': 1 },
        },
      },
    };
    const intent = create(body);
    expect(valuesOf(intent)).toEqual(POST.attributes);
    expect(linkageOf(intent)).toEqual({ tags: ['1'] });
  });

  it('reports all problems at once, each with its pointer', () => {
    const body = {
      data: {
        type: 'post',
        id: '3',
        attributes: { 'titel': 'x', 'slug': 7, 'a/b~c': 1 },
        relationships: { tags: { data: [tag(1), user(2), tag('x')] }, writer: { data: null } },
      },
    };
    const error = errorOf(() => create(body));
    expect(error.problems.map(({ code, source }) => [code, source])).toEqual([
      ['client-id-forbidden', { pointer: '/data/id' }],
      ['invalid-payload', { pointer: '/data/attributes/titel' }],
      ['invalid-value', { pointer: '/data/attributes/slug' }],
      ['invalid-payload', { pointer: '/data/attributes/a~1b~0c' }],
      ['type-conflict', { pointer: '/data/relationships/tags/data/1/type' }],
      ['invalid-id', { pointer: '/data/relationships/tags/data/2/id' }],
      ['invalid-payload', { pointer: '/data/relationships/writer' }],
      ['invalid-payload', { pointer: '/data/attributes' }],
      ['invalid-payload', { pointer: '/data/relationships' }],
    ]);
    expect(error.status).toBe(400);
    expect(error.problems[1]?.detail).toContain("Did you mean 'title'?");
  });

  it('reports at most 20 problems', () => {
    const attributes = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown${index}`, 1]));
    expect(errorOf(() => update(patchWith(attributes))).problems).toHaveLength(20);
  });
});

describe('parseDocument, serialization metadata', () => {
  it('revives values before it reads them', () => {
    const body = {
      data: {
        type: 'post',
        attributes: { publishedAt: '2024-01-31T10:00:00.000Z', views: '12', cover: 'AQID', price: '1.50' },
      },
      meta: {
        serialization: {
          values: {
            'data.attributes.publishedAt': ['Date'],
            'data.attributes.views': ['bigint'],
            'data.attributes.cover': [['custom', 'Bytes']],
            'data.attributes.price': [['custom', 'Decimal']],
          },
        },
      },
    };
    expect(valuesOf(update(body))).toEqual({
      publishedAt: new Date('2024-01-31T10:00:00.000Z'),
      views: 12n,
      cover: new Uint8Array([1, 2, 3]),
      price: '1.50',
    });
  });

  it('takes what it revives as undefined for not given', () => {
    const body = {
      data: { type: 'post', attributes: { title: null, year: 1 } },
      meta: { serialization: { values: { 'data.attributes.title': ['undefined'] } } },
    };
    expect(valuesOf(update(body))).toEqual({ year: 1 });
  });

  it('revives ids', () => {
    const body = { data: { type: 'order', id: '9007199254740993' }, meta: { serialization: { values: { 'data.id': ['bigint'] } } } };
    expect(update(body, { type: 'order', id: '9007199254740993' })).toMatchObject({ kind: 'update', id: { text: '9007199254740993' } });
  });
});

describe('parseDocument, strict mode', () => {
  const strict = { settings: { strict: true } };

  it('requires the id in an update (UP-01, D17)', () => {
    expect(problemsOf(() => update({ data: { type: 'post' } }, strict))).toEqual(["invalid-payload '/data'"]);
    expect(update({ data: { type: 'post', id: '7' } }, strict)).toMatchObject({ kind: 'update' });
  });

  it('takes ids as strings alone (ID-02, D2)', () => {
    expect(problemsOf(() => update({ data: { type: 'post', id: 7 } }, strict))).toEqual(["invalid-payload '/data/id'"]);
    const body = { data: { type: 'post', id: '7', relationships: { author: { data: user(1) } } } };
    expect(problemsOf(() => update(body, strict))).toEqual(["invalid-payload '/data/relationships/author/data/id'"]);
  });

  it('has no foreign keys among the attributes (DS-14, D6)', () => {
    const body = { data: { type: 'post', id: '7', attributes: { authorId: 1 } } };
    expect(problemsOf(() => update(body, strict))).toEqual(["invalid-payload '/data/attributes/authorId'"]);
    expect(errorOf(() => create({ data: { type: 'post', attributes: { slug: 'a', title: 'A' } } }, strict)).problems).toMatchObject([
      { detail: "post needs the relationship 'author'." },
    ]);
  });

  it('takes a client id as the member `id` alone (D18)', () => {
    const attributes = { code: 'FR', name: 'France' };
    expect(problemsOf(() => create({ data: { type: 'country', attributes } }, { type: 'country', ...strict }))).toEqual([
      "invalid-payload '/data/attributes/code'",
    ]);
    const body = { data: { type: 'country', id: 'FR', attributes: { name: 'France' } } };
    expect(valuesOf(create(body, { type: 'country', ...strict }))).toEqual({ code: 'FR', name: 'France' });
  });

  it('accepts an external id as the attribute that documents have it as', () => {
    const body = { data: { type: 'user', attributes: { email: 'a@b.c' } } };
    expect(valuesOf(create(body, { type: 'user', resources: { User: { externalId: 'email' } }, ...strict }))).toEqual({ email: 'a@b.c' });
  });
});
