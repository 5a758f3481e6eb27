import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import type { FieldPreset, ResourceSchema } from '../../../../lib/model/schema/resource-schema.js';
import type { FieldOption, ResourceOptions, ResourcesOption } from '../../../../lib/model/exposure/resources-option.js';
import { lettersOf, resourceOf } from '../model-of.js';
import { belongsTo, BLOG, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../schema-builder.js';

describe('exposure of a field', () => {
  it.each<[comment: FieldPreset | undefined, option: FieldOption | undefined, letters: string]>([
    [undefined, undefined, 'rfscu'],
    ['hidden', undefined, '-'],
    ['readOnly', undefined, 'rfs'],
    ['writeOnly', undefined, 'cu'],
    ['immutable', undefined, 'rfsc'],
    [undefined, 'hidden', '-'],
    [undefined, 'readOnly', 'rfs'],
    [undefined, 'writeOnly', 'cu'],
    [undefined, 'immutable', 'rfsc'],
    // Options win over comments.
    ['hidden', 'readOnly', 'rfs'],
    ['readOnly', 'immutable', 'rfsc'],
    ['hidden', { read: true }, 'r'],
    ['readOnly', { update: true }, 'rfsu'],
    ['writeOnly', { read: true }, 'rcu'],
    // The comment decides rights that the object does not name.
    ['readOnly', { name: 'other' }, 'rfs'],
    ['hidden', { name: 'other' }, '-'],
    [undefined, {}, 'rfscu'],
    // Filters and sorting reveal a value as reading does.
    [undefined, { read: false }, 'cu'],
    [undefined, { read: false, filter: ['equals'] }, 'f(equals)cu'],
    [undefined, { filter: false }, 'rscu'],
    [undefined, { sort: false }, 'rfcu'],
    [undefined, { filter: ['equals', 'in'] }, 'rf(equals,in)scu'],
    [undefined, { filter: [] }, 'rscu'],
    [undefined, { read: false, create: false, update: false }, '-'],
  ])('by the comment %j and the option %j leaves open %s', (api, option, letters) => {
    const schema = schemaOf({ User: modelOf({ id: ID, secret: scalar('String', api && { api }) }) });
    const user = resourceOf(schema, 'User', { User: { fields: option === undefined ? {} : { secret: option } } });
    expect(lettersOf(user.fields.get('secret'))).toBe(letters);
  });
});

describe('exposure of a model', () => {
  const COMMENTED = schemaOf({ User: modelOf({ id: ID }, { api: { hidden: true } }), Post: modelOf({ id: ID }) });

  it.each<[resources: ResourcesOption, models: readonly string[]]>([
    [{}, ['Post']],
    [{ User: {} }, ['User', 'Post']],
    [{ User: 'hidden', Post: 'hidden' }, []],
    [{ '*': 'hidden' }, []],
    [{ '*': 'hidden', 'User': {} }, ['User']],
    [{ '*': 'hidden', 'User': { actions: ['read'], fields: { id: 'readOnly' } } }, ['User']],
    [{ '*': 'hidden', 'User': { type: 'User' } }, ['User']],
    [{ '*': 'hidden', 'User': { fields: { id: 'hidden' } }, 'Post': { fields: { id: { sort: false } } } }, []],
    [{ '*': 'hidden', 'Post': { fields: {} } }, []],
    [{ User: { fields: { id: { name: 'key' } } } }, ['Post']],
    [{ Post: { fields: { id: { sort: false } } } }, ['Post']],
  ])('by %j beside a comment that hides User', (resources, models) => {
    const { model } = buildResourceModel(COMMENTED, { resources });
    expect(model.resources.map((resource) => resource.model)).toEqual(models);
    expect([...model.byModel.keys()]).toEqual(models);
    expect([...model.byType.keys()]).toEqual(models.map((name) => name.toLowerCase()));
    expect([...model.byDelegate.keys()]).toEqual(models.map((name) => name.toLowerCase()));
  });

  it('warns of options with fields alone, which expose no model', () => {
    const warningsOf = (resources: ResourcesOption) => buildResourceModel(COMMENTED, { resources }).warnings;
    const warning = (name: string): string =>
      `resources.${name} has 'fields' alone, which opens no model: '${name}' stays hidden. ` +
      "To open it, add actions: ['read', 'create', 'update', 'delete'], or some of them.";
    const fields = { id: { sort: false } } as const;
    expect(warningsOf({ '*': 'hidden', 'User': { fields }, 'Post': { fields } })).toEqual([warning('User'), warning('Post')]);
    expect(warningsOf({ User: { fields }, Post: { fields } })).toEqual([warning('User')]);
    expect(warningsOf({ '*': 'hidden', 'User': {}, 'Post': { fields, actions: ['read'] } })).toEqual([]);
    expect(warningsOf({ User: 'hidden' })).toEqual([]);
  });

  it('allows the named actions, and all four by default', () => {
    expect(resourceOf(BLOG, 'Tag').actions).toEqual(new Set(['read', 'create', 'update', 'delete']));
    expect(resourceOf(BLOG, 'Tag', { Tag: { actions: ['read'] } }).actions).toEqual(new Set(['read']));
    expect(resourceOf(BLOG, 'Tag', { Tag: { actions: [] } }).actions).toEqual(new Set());
  });

  it('allows those actions of a view that the Prisma client has', () => {
    const schema = schemaOf({ Report: modelOf({ id: ID }, { actions: ['read'] }) });
    expect(resourceOf(schema, 'Report').actions).toEqual(new Set(['read']));
  });
});

describe('a foreign key and its relation', () => {
  const options = (fields: ResourceOptions['fields']): ResourcesOption => ({ Post: { fields: fields ?? {} } });

  it.each<[option: FieldOption, letters: string]>([
    ['hidden', '-'],
    ['readOnly', 'rfs'],
    ['writeOnly', 'cu'],
    ['immutable', 'rfsc'],
    [{ read: false }, 'cu'],
    [{ filter: false }, 'rscu'],
    [{ create: false }, 'rfsu'],
    [{ name: 'other' }, 'rfscu'],
  ])('are one right: %j on either side leaves %s of both', (option, letters) => {
    for (const side of ['author', 'authorId']) {
      const post = resourceOf(BLOG, 'Post', options({ [side]: option }));
      expect([side, lettersOf(post.fields.get('author')), lettersOf(post.fields.get('authorId'))]).toEqual([side, letters, letters]);
    }
  });

  it('close what either comment closes, and open what an option on either side opens', () => {
    const schema = (relation: FieldPreset | undefined, key: FieldPreset | undefined): ResourceSchema =>
      schemaOf({
        User: modelOf({ id: ID, posts: hasMany('Post', 'author') }),
        Post: modelOf({
          id: ID,
          authorId: scalar('Int', key && { api: key }),
          author: belongsTo('User', 'posts', { fields: ['authorId'], ...(relation && { api: relation }) }),
        }),
      });
    const letters = (of: ResourceSchema, resources?: ResourcesOption): string[] => {
      const { fields } = resourceOf(of, 'Post', resources);
      return [lettersOf(fields.get('author')), lettersOf(fields.get('authorId'))];
    };
    expect(letters(schema('hidden', undefined))).toEqual(['-', '-']);
    expect(letters(schema(undefined, 'hidden'))).toEqual(['-', '-']);
    expect(letters(schema('immutable', 'writeOnly'))).toEqual(['c', 'c']);
    expect(letters(schema('hidden', undefined), options({ authorId: 'readOnly' }))).toEqual(['rfs', 'rfs']);
    expect(letters(schema('readOnly', 'readOnly'), options({ author: { update: true } }))).toEqual(['rfsu', 'rfsu']);
  });

  it('are no contradiction where both sides have the same option, or options of different rights', () => {
    const post = resourceOf(BLOG, 'Post', options({ author: { create: false }, authorId: { update: false, filter: ['equals'] } }));
    expect(lettersOf(post.fields.get('author'))).toBe('rfs');
    expect(lettersOf(post.fields.get('authorId'))).toBe('rf(equals)s');
  });
});

describe('a key of several fields', () => {
  const TENANTS = schemaOf({
    Tenant: modelOf({ id: ID, users: hasMany('User', 'tenant'), posts: hasMany('Post', 'tenant') }),
    User: modelOf(
      {
        tenantId: scalar('Int'),
        id: scalar('Int'),
        handle: scalar('String'),
        tenant: belongsTo('Tenant', 'users', { fields: ['tenantId'] }),
        posts: hasMany('Post', 'author'),
      },
      { primaryKey: keyOf('tenantId', 'id'), uniqueKeys: [keyOf('handle')] },
    ),
    Post: modelOf({
      id: ID,
      tenantId: scalar('Int'),
      authorId: scalar('Int'),
      tenant: belongsTo('Tenant', 'posts', { fields: ['tenantId'] }),
      author: belongsTo('User', 'posts', { fields: ['tenantId', 'authorId'], references: ['tenantId', 'id'] }),
    }),
  });

  it.each<[fields: NonNullable<ResourceOptions['fields']>, names: readonly string[]]>([
    [{}, ['id', 'tenantId', 'authorId', 'tenant', 'author']],
    [{ author: 'hidden' }, ['id', 'tenantId', 'tenant']],
    [{ authorId: 'hidden' }, ['id', 'tenantId', 'tenant']],
    [{ tenant: 'hidden' }, ['id', 'authorId', 'author']],
    [{ tenantId: 'hidden' }, ['id', 'authorId', 'author']],
    [{ tenant: 'hidden', author: 'hidden' }, ['id']],
  ])('with %j leaves %j', (fields, names) => {
    expect([...resourceOf(TENANTS, 'Post', { Post: { fields } }).fields.keys()]).toEqual(names);
  });

  it('that two relations share is exposed while one of them is', () => {
    const schema = schemaOf({
      User: modelOf({ id: ID, posts: hasMany('Post', 'author'), drafts: hasMany('Post', 'drafter') }),
      Post: modelOf({
        id: ID,
        userId: scalar('Int'),
        author: belongsTo('User', 'posts', { fields: ['userId'] }),
        drafter: belongsTo('User', 'drafts', { fields: ['userId'] }),
      }),
    });
    const fields = (own: NonNullable<ResourceOptions['fields']>): string[] => [
      ...resourceOf(schema, 'Post', { Post: { fields: own } }).fields.keys(),
    ];
    expect(fields({ drafter: 'hidden' })).toEqual(['id', 'userId', 'author']);
    expect(fields({ drafter: 'hidden', author: 'hidden' })).toEqual(['id']);
    expect(fields({ userId: 'hidden' })).toEqual(['id']);
  });

  it('keeps its relation without linkage where a shared field of the key is hidden', () => {
    const { fields } = resourceOf(TENANTS, 'Post', { Post: { fields: { tenantId: 'hidden' } } });
    expect(fields.get('author')).toMatchObject({ link: 'own-key', optional: false });
    expect(fields.get('author')).not.toHaveProperty('linkageKey');
  });

  it('is hidden with a hidden model, but for the fields that other relations share', () => {
    expect([...resourceOf(TENANTS, 'Post', { User: 'hidden' }).fields.keys()]).toEqual(['id', 'tenantId', 'tenant']);
    const withoutTenant: ResourcesOption = { Tenant: 'hidden', User: { externalId: 'handle' } };
    expect([...resourceOf(TENANTS, 'User', withoutTenant).fields.keys()]).toEqual(['id', 'handle', 'posts']);
    expect([...resourceOf(TENANTS, 'Post', withoutTenant).fields.keys()]).toEqual(['id', 'authorId', 'author']);
  });
});

describe('a relation', () => {
  it('to a hidden model does not exist, nor does its key', () => {
    expect([...resourceOf(BLOG, 'Post', { User: 'hidden' }).fields.keys()]).not.toEqual(expect.arrayContaining(['author', 'authorId']));
    expect(resourceOf(BLOG, 'User', { Post: 'hidden' }).relationships).toEqual([]);
  });

  it('to a hidden model leaves its key where an option names the key', () => {
    const post = resourceOf(BLOG, 'Post', { User: 'hidden', Post: { fields: { authorId: 'readOnly' } } });
    expect(post.fields.has('author')).toBe(false);
    expect(lettersOf(post.fields.get('authorId'))).toBe('rfs');
    expect(post.fields.get('authorId')).toMatchObject({ foreignKeyOf: [] });
  });

  it('has no other side where that is hidden', () => {
    expect(resourceOf(BLOG, 'User').fields.get('posts')).toHaveProperty('opposite', 'author');
    expect(resourceOf(BLOG, 'User', { Post: { fields: { author: 'hidden' } } }).fields.get('posts')).not.toHaveProperty('opposite');
  });

  it('may be written but not read, filtered or sorted by where the related records may not be read', () => {
    const actions = ['create', 'update'] as const;
    expect(lettersOf(resourceOf(BLOG, 'Post', { User: { actions } }).fields.get('author'))).toBe('cu');
    expect(lettersOf(resourceOf(BLOG, 'Post', { User: { actions } }).fields.get('authorId'))).toBe('rfscu');
    expect(lettersOf(resourceOf(BLOG, 'User', { Post: { actions } }).fields.get('posts'))).toBe('cu');
    const readOnly: ResourcesOption = { User: { actions }, Post: { fields: { author: 'readOnly' } } };
    expect(resourceOf(BLOG, 'Post', readOnly).fields.has('author')).toBe(false);
  });

  it.each<[key: FieldOption, letters: string]>([
    ['hidden', 'rfs'],
    ['readOnly', 'rfs'],
    ['immutable', 'rfscu'],
    [{ create: false }, 'rfscu'],
    [{ name: 'writer' }, 'rfscu'],
  ])('never writes the key of the other side where that is %j: %s', (key, letters) => {
    for (const side of ['author', 'authorId']) {
      const user = resourceOf(BLOG, 'User', { Post: { fields: { [side]: key } } });
      expect([side, lettersOf(user.fields.get('posts'))]).toEqual([side, letters]);
    }
  });

  it('with a join table has separate rights on each side', () => {
    expect(lettersOf(resourceOf(BLOG, 'Tag', { Post: { fields: { tags: 'readOnly' } } }).fields.get('posts'))).toBe('rfscu');
  });
});
