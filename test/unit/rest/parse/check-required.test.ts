import { describe, expect, it } from '@jest/globals';
import { errorOf, problemsOf } from '../write-fixture.js';
import { create, update, linkageOf, user } from './parse-document-helpers.js';

describe('checkRequired', () => {
  it.each([
    ['an attribute', { type: 'post', attributes: { slug: 'a', authorId: 1 } }, ["invalid-payload '/data/attributes'"]],
    ['attributes, where there are none at all', { type: 'tag' }, ["invalid-payload '/data'"]],
    ['a relationship', { type: 'post', attributes: { slug: 'a', title: 'A' } }, ["invalid-payload '/data'"]],
    [
      'a relationship, where there are others',
      { type: 'post', attributes: { slug: 'a', title: 'A' }, relationships: { tags: { data: [] } } },
      ["invalid-payload '/data/relationships'"],
    ],
    ['a compound id', { type: 'line' }, ["invalid-payload '/data'", "invalid-payload '/data'"]],
  ])('rejects a create without %s, pointing at the parent (ER-04)', (_, data, problems) => {
    expect(problemsOf(() => create({ data }, { type: data.type }))).toEqual(problems);
  });

  it('names what is missing, and a key of two fields once', () => {
    expect(errorOf(() => create({ data: { type: 'post', attributes: { slug: 'a' } } })).problems.map(({ detail }) => detail)).toEqual([
      "post needs the attribute 'title'.",
      "post needs the relationship 'author', or its foreign key 'authorId'.",
    ]);
  });

  it('accepts a relationship in place of its foreign key', () => {
    const intent = create({ data: { type: 'post', attributes: { slug: 'a', title: 'A' }, relationships: { author: { data: user(1) } } } });
    expect(linkageOf(intent)).toEqual({ author: ['1'] });
  });

  it('requires nothing in an update (UP-03, UP-04)', () => {
    expect(update({ data: { type: 'post' } })).toMatchObject({ kind: 'update', content: { attributes: [], linkages: [] } });
  });
});
