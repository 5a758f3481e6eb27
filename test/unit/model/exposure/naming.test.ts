import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import type { ResourceSchema } from '../../../../lib/model/schema/resource-schema.js';
import type { ResourcesOption } from '../../../../lib/model/exposure/resources-option.js';
import { resourceOf } from '../model-of.js';
import { BLOG, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../schema-builder.js';

describe('the type and the delegate of a model', () => {
  it.each([
    ['Post', 'post'],
    ['BlogPost', 'blogPost'],
    ['URLEntry', 'uRLEntry'],
    ['already', 'already'],
    ['snake_case', 'snake_case'],
  ])('%s is %s', (model, name) => {
    expect(resourceOf(schemaOf({ [model]: modelOf({ id: ID }) }), model)).toMatchObject({ type: name, delegate: name });
  });

  it('may have another type, but not another delegate', () => {
    const { model } = buildResourceModel(BLOG, { resources: { Post: { type: 'Blog-Posts' } } });
    expect(model.byType.get('blog-posts')).toMatchObject({ model: 'Post', type: 'Blog-Posts', delegate: 'post' });
    expect(model.byDelegate.get('post')?.model).toBe('Post');
    expect(model.byType.has('post')).toBe(false);
  });
});

describe('the member of a field', () => {
  it('is its own name, unless an option names another', () => {
    const post = resourceOf(BLOG, 'Post', { Post: { fields: { title: { name: 'headline' }, author: { name: 'writer' } } } });
    expect(post.members.get('headline')).toBe(post.fields.get('title'));
    expect(post.members.get('writer')).toBe(post.fields.get('author'));
    expect([post.members.has('title'), post.members.has('author'), post.members.has('slug')]).toEqual([false, false, true]);
  });

  it('may be swapped with another one', () => {
    const post = resourceOf(BLOG, 'Post', { Post: { fields: { title: { name: 'slug' }, slug: { name: 'title' } } } });
    expect(post.members.get('slug')?.name).toBe('title');
    expect(post.members.get('title')?.name).toBe('slug');
  });

  it('does not clash with one that is hidden', () => {
    const resources: ResourcesOption = { Post: { fields: { title: 'hidden', slug: { name: 'title' } } } };
    expect(resourceOf(BLOG, 'Post', resources).members.get('title')?.name).toBe('slug');
  });
});

const TYPED = schemaOf({ Event: modelOf({ id: ID, type: scalar('String', { optional: true }) }) });
const ILLEGAL = schemaOf({ Event: modelOf({ id: ID, rest_: scalar('String') }) });
const EXTERNAL = schemaOf({ User: modelOf({ id: ID, email: scalar('String') }, { uniqueKeys: [keyOf('email')] }) });

describe('a doubtful name', () => {
  it.each<[schema: ResourceSchema, resources: ResourcesOption, message: string]>([
    [TYPED, {}, "'Event.type' is called 'type', as the JSON:API type is. Set resources.Event.fields.type to { name: '…' } or 'hidden'."],
    [ILLEGAL, {}, "'Event.rest_' is no legal JSON:API member name. Set resources.Event.fields.rest_ to { name: '…' } or 'hidden'."],
    [
      EXTERNAL,
      { User: { externalId: 'email' } },
      "'User.id' is called 'id' and is not the JSON:API id. Set resources.User.fields.id to { name: '…' } or 'hidden'.",
    ],
    [
      schemaOf({ Event_: modelOf({ id: ID }) }),
      {},
      "'event_', the type of 'Event_', is no legal JSON:API type. Set resources.Event_.type.",
    ],
  ])('causes a warning by default and an error in strict mode: %#', (schema, resources, message) => {
    expect(buildResourceModel(schema, { resources }).warnings).toEqual([message]);
    expect(() => buildResourceModel(schema, { resources, strict: true })).toThrow(message);
  });

  it.each<[schema: ResourceSchema, resources: ResourcesOption]>([
    [TYPED, { Event: { fields: { type: { name: 'kind' } } } }],
    [TYPED, { Event: { fields: { type: 'hidden' } } }],
    [TYPED, { Event: 'hidden' }],
    [ILLEGAL, { Event: { fields: { rest_: { name: 'rest' } } } }],
    [EXTERNAL, { User: { externalId: 'email', fields: { id: { name: 'internalId' } } } }],
    [EXTERNAL, { User: { externalId: 'email', fields: { id: 'hidden' } } }],
    [BLOG, {}],
  ])('causes no warning after the remedy: %#', (schema, resources) => {
    expect(buildResourceModel(schema, { resources, strict: true }).warnings).toEqual([]);
  });
});

describe('an impossible name', () => {
  const TWINS = schemaOf({ User: modelOf({ id: ID }), USER: modelOf({ id: ID }) });

  it.each<[schema: ResourceSchema, resources: ResourcesOption, message: string]>([
    [
      TWINS,
      {},
      "The models 'User' and 'USER' meet in the JSON:API type 'uSER', which is matched without regard to case. Set another name in resources.USER.type.",
    ],
    [
      TWINS,
      { USER: { type: 'account' } },
      "The models 'User' and 'USER' differ in case only, and RPC paths are matched without regard to case. " +
        "Set resources.USER to 'hidden', or rename the model in the Prisma schema and keep its table with @@map.",
    ],
    [
      BLOG,
      { Tag: { type: 'POST' } },
      "The models 'Post' and 'Tag' meet in the JSON:API type 'POST', which is matched without regard to case. Set another name in resources.Tag.type.",
    ],
    [
      BLOG,
      { Tag: { type: 'a/b' } },
      "resources.Tag.type is 'a/b', which is no legal JSON:API type. Use letters and digits, and '-' or '_' between them.",
    ],
    [
      BLOG,
      { Tag: { fields: { name: { name: 'a.b' } } } },
      "resources.Tag.fields.name.name is 'a.b', which is no legal JSON:API member name. " +
        "Use letters and digits, and '-' or '_' between them. 'type' and 'id' are reserved.",
    ],
    [
      BLOG,
      { Post: { fields: { title: { name: 'slug' } } } },
      "The fields 'title' and 'slug' of 'Post' are both called 'slug'. Set another name in resources.Post.fields.",
    ],
    [
      schemaOf({ Person: modelOf({ id: ID, relationships: hasMany('Person', 'relationships') }) }),
      {},
      "The relation 'Person.relationships' is called 'relationships', which is a part of every relationship's URL. " +
        "Set resources.Person.fields.relationships to { name: '…' } or 'hidden'.",
    ],
  ])('causes an error in either mode: %#', (schema, resources, message) => {
    for (const strict of [false, true]) expect(() => buildResourceModel(schema, { resources, strict })).toThrow(message);
  });

  it.each(['', 'type', 'id', 'a b ', '-a', 'a-', '_a', 'a_', 'a$b', 'a[b]', 'a,b', 'a/b', '@a', 'a:b', 'a+b', '\u007f', 'a\n'])(
    'cannot be %j',
    (name) => {
      expect(() => buildResourceModel(BLOG, { resources: { Tag: { fields: { name: { name } } } } })).toThrow(
        'no legal JSON:API member name',
      );
    },
  );

  it.each(['a', '7', 'camelCase', 'kebab-case', 'snake_case', 'two words', 'größe', '名前', '😀'])('can be %j', (name) => {
    expect(resourceOf(BLOG, 'Tag', { Tag: { fields: { name: { name } } } }).members.get(name)?.name).toBe('name');
  });

  it('does not include an attribute called relationships', () => {
    const schema = schemaOf({ Person: modelOf({ id: ID, relationships: scalar('Json') }) });
    expect(buildResourceModel(schema, { strict: true }).warnings).toEqual([]);
  });

  it('clashes with exposed models only', () => {
    expect(() => buildResourceModel(TWINS, { resources: { USER: 'hidden' } })).not.toThrow();
  });
});
