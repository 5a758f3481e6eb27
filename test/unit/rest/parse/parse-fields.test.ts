import { describe, expect, it } from '@jest/globals';
import { collectionQuery, problemsOf, readContext } from '../read-fixture.js';

const context = readContext();

/** The members that documents show: attributes, then relationships. */
function shown(search: string, of = context): string[] {
  const { projection } = collectionQuery(of, 'Post', search);
  if (projection.kind !== 'resource') throw new Error('Identifiers show no members.');
  return [
    ...projection.attributes.map(({ attribute }) => attribute.member),
    ...projection.relationships.filter((one) => one.shown).map((one) => one.relationship.member),
  ];
}

describe('fields', () => {
  it('selects the named attributes and relationships (SF-01)', () => {
    expect(shown('fields[post]=title,author')).toEqual(['title', 'author']);
    expect(shown('fields[post]=')).toEqual([]);
    expect(shown('fields[post]=id,type,title')).toEqual(['title']);
    expect(shown('fields[POST]=title')).toEqual(['title']);
  });

  it('does not affect other types', () => {
    expect(shown('fields[user]=name')).toEqual(shown(''));
  });

  it('never has the id or hidden fields as attributes', () => {
    expect(shown('')).toEqual([
      ...['title', 'content', 'published', 'views', 'reads', 'price', 'createdAt', 'cover', 'metadata', 'token', 'keywords', 'authorId'],
      ...['author', 'comments', 'tags'],
    ]);
  });

  it('leaves foreign keys out in strict mode (D6)', () => {
    const strict = readContext({ settings: { strict: true } });
    expect(shown('', strict)).toEqual(shown('').filter((member) => member !== 'authorId'));
    expect(problemsOf(() => collectionQuery(strict, 'Post', 'fields[post]=authorId'))).toEqual([
      "invalid-fields at fields[post]: post has no field 'authorId', at position 1. Did you mean 'author'?",
    ]);
  });

  it('has an external id as an attribute too, and no primary key', () => {
    const external = readContext({ resources: { User: { externalId: 'email' } } });
    const { projection } = collectionQuery(external, 'User', 'fields[user]=email,name');
    expect(projection.kind === 'resource' && projection.attributes.map(({ attribute }) => attribute.name)).toEqual(['email', 'name']);
  });

  it.each([
    ['fields[post]=titel', "invalid-fields at fields[post]: post has no field 'titel', at position 1. Did you mean 'title'?"],
    ['fields[post]=title,,views', "invalid-fields at fields[post]: post has no field '', at position 7."],
    ['fields[pots]=title', "invalid-fields at fields[pots]: There is no resource type 'pots'. Did you mean 'post'?"],
    ['fields=title', "invalid-fields at fields: There is no 'fields': a sparse fieldset is written fields[TYPE]."],
    [
      'fields[post][x]=title',
      "invalid-fields at fields[post][x]: There is no 'fields[post][x]': a sparse fieldset is written fields[TYPE].",
    ],
    ['fields[user]=passwordHash', "invalid-fields at fields[user]: user has no field 'passwordHash', at position 1."],
    ['fields[user]=pin', "invalid-fields at fields[user]: user has no field 'pin', at position 1."],
  ])('refuses %s', (search, problem) => {
    expect(problemsOf(() => collectionQuery(context, 'Post', search))).toEqual([problem]);
  });
});
