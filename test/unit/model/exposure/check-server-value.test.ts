import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import { describeSurface } from '../../../../lib/model/surface/describe-surface.js';
import { lettersOf, resourceOf } from '../model-of.js';
import { belongsTo, hasMany, ID, modelOf, scalar, schemaOf } from '../schema-builder.js';

const SCHEMA = schemaOf({
  User: modelOf({ id: ID, name: scalar('String'), posts: hasMany('Post', 'author') }),
  Post: modelOf({
    id: ID,
    slug: scalar('String', { api: 'hidden' }),
    authorId: scalar('Int'),
    author: belongsTo('User', 'posts', { fields: ['authorId'] }),
  }),
});
const make = (): number => 1;
const of = (field: unknown, name = 'authorId'): object => ({ Post: { fields: { [name]: field } } });

describe('a field that the server sets', () => {
  it('cannot be written by clients, nor can its relation, on both sides', () => {
    const post = resourceOf(SCHEMA, 'Post', of({ value: { create: make } }));
    expect(lettersOf(post.fields.get('authorId'))).toBe('rfs');
    expect(lettersOf(post.fields.get('author'))).toBe('rfs');
    expect(lettersOf(resourceOf(SCHEMA, 'User', of({ value: { update: make } })).fields.get('posts'))).toBe('rfs');
  });

  it('has server-value as the reason of its closed rights', () => {
    const { model } = buildResourceModel(SCHEMA, { resources: of({ value: { create: make } }) });
    const [, post] = describeSurface(model);
    expect(post?.attributes.find(({ name }) => name === 'authorId')?.closed).toEqual({ create: 'server-value', update: 'server-value' });
  });

  it('is not required of the client, and may be a hidden required field', () => {
    const fields = { authorId: { value: { create: make } }, slug: { value: { create: String } } };
    const { model, warnings } = buildResourceModel(SCHEMA, { resources: { Post: { fields } } });
    expect(model.byModel.get('Post')?.required).toEqual({ attributes: [], inDocument: [], relationships: [] });
    expect(warnings).toEqual([]);
    expect(model.byModel.get('Post')?.fields.has('slug')).toBe(false);
  });

  it('may have other rights denied', () => {
    expect(lettersOf(resourceOf(SCHEMA, 'Post', of({ value: { create: make }, sort: false })).fields.get('authorId'))).toBe('rf');
    expect(resourceOf(SCHEMA, 'Post', of({ value: { create: make }, read: false })).fields.has('authorId')).toBe(false);
  });
});

describe('the option value', () => {
  it.each<[field: object, message: string]>([
    [of({ value: {} }), 'resources.Post.fields.authorId.value sets nothing.'],
    [of({ value: { create: undefined } }), 'resources.Post.fields.authorId.value sets nothing.'],
    [of({ value: make }), 'resources.Post.fields.authorId.value is'],
    [of({ value: { create: 1 } }), "resources.Post.fields.authorId.value.create is '1'."],
    [of({ value: { creat: make } }), "resources.Post.fields.authorId.value names 'creat', which is no write."],
    [
      of({ value: { create: make }, update: true }),
      "resources.Post.fields.authorId opens 'update', and the server sets the field (value).",
    ],
    [of({ value: { create: make } }, 'author'), 'resources.Post.fields.author.value is for plain fields, and this is a relation.'],
    [of({ value: { create: make } }, 'id'), 'resources.Post.fields.id.value sets what the database counts itself.'],
  ])('is refused where it is invalid: %j', (resources, message) => {
    expect(() => buildResourceModel(SCHEMA, { resources })).toThrow(message);
  });

  it('is refused where its relation is exposed on the other side', () => {
    const resources = { Post: { fields: { authorId: { value: { create: make } }, author: { create: true } } } };
    expect(() => buildResourceModel(SCHEMA, { resources })).toThrow("resources opens 'create' of 'Post.author' and closes it");
  });
});
