import { describe, expect, it } from '@jest/globals';
import { buildResourceModel, type ResourceModelOptions } from '../../../lib/model/build-resource-model.js';
import type { Attribute, Resource } from '../../../lib/model/surface/surface.js';
import type { SchemaField, SchemaModel } from '../../../lib/model/schema/resource-schema.js';
import type { ResourceOptions } from '../../../lib/model/exposure/resources-option.js';
import { resourceOf } from './model-of.js';
import { belongsTo, BLOG, enumeration, hasMany, ID, keylessModelOf, keyOf, modelOf, scalar, schemaOf } from './schema-builder.js';

describe('buildResourceModel', () => {
  it('exposes everything without options, in schema order', () => {
    const { model, warnings } = buildResourceModel(BLOG);
    expect(warnings).toEqual([]);
    expect(model.provider).toBe('postgresql');
    expect(model.resources.map((resource) => resource.model)).toEqual(['User', 'Post', 'Tag']);
    for (const resource of model.resources) {
      const names = Object.keys(BLOG.models[resource.model]?.fields ?? {});
      expect([...resource.fields.keys()]).toEqual(names);
      expect([...resource.members.keys()]).toEqual(names);
    }
    const post = resourceOf(BLOG, 'Post');
    expect(post.attributes.map(({ name }) => name)).toEqual(['id', 'title', 'slug', 'year', 'keywords', 'updatedAt', 'authorId']);
    expect(post.relationships.map(({ name }) => name)).toEqual(['author', 'tags']);
  });

  it('links resources in a circle by the same objects', () => {
    const { model } = buildResourceModel(BLOG);
    const post = model.byModel.get('Post');
    const author = post?.relationships.find(({ name }) => name === 'author');
    expect(author?.target).toBe(model.byType.get('user'));
    expect(author?.target.relationships[0]?.target).toBe(post);
    expect(model.byDelegate.get('post')).toBe(post);
    expect(post?.fields.get('author')).toBe(author);
    expect(post?.members.get('author')).toBe(author);
    expect(post?.identifier.fields[0]).toBe(post?.fields.get('id'));
  });

  it('has the validators of the option unchanged, and does not freeze them', () => {
    class CreateTagDto {
      readonly name = '';
    }
    expect(resourceOf(BLOG, 'Tag', { Tag: { validate: { create: CreateTagDto } } }).validate).toEqual({ create: CreateTagDto });
    expect(Object.isFrozen(CreateTagDto)).toBe(false);
    expect(resourceOf(BLOG, 'Tag')).not.toHaveProperty('validate');
  });
});

describe('an attribute', () => {
  it.each<[field: SchemaField, expected: Partial<Attribute>]>([
    [scalar('String'), { type: 'String', optional: false, list: false, hasDefault: false, generated: false, foreignKeyOf: [] }],
    [scalar('String', { optional: true }), { optional: true, hasDefault: true, generated: false }],
    [scalar('String', { list: true }), { list: true, hasDefault: true, generated: false }],
    [scalar('Int', { default: { kind: 'value', value: 0 } }), { hasDefault: true, generated: false }],
    [scalar('DateTime', { default: { kind: 'function', name: 'now' } }), { hasDefault: true, generated: true }],
    [scalar('DateTime', { updatedAt: true }), { hasDefault: true, generated: true }],
    [scalar('Decimal', { nativeType: ['Decimal', ['10', '2']] }), { type: 'Decimal', nativeType: ['Decimal', ['10', '2']] }],
    [enumeration('Role'), { type: 'Enum', enumValues: new Set(['READER', 'ADMIN']), hasDefault: false }],
  ])('of %j', (field, expected) => {
    const schema = schemaOf({ Thing: modelOf({ id: ID, field }) }, { Role: ['READER', 'ADMIN'] });
    expect(resourceOf(schema, 'Thing').fields.get('field')).toMatchObject({
      kind: 'attribute',
      name: 'field',
      member: 'field',
      ...expected,
    });
  });

  it('of a foreign key has the relations with that key in foreignKeyOf', () => {
    expect(resourceOf(BLOG, 'Post').fields.get('authorId')).toHaveProperty('foreignKeyOf', ['author']);
  });
});

describe('the required members of a create', () => {
  const nameOf = ({ name }: { readonly name: string }): string => name;
  const requiredOf = (resources: ResourceModelOptions['resources'], model = 'User') => {
    const { attributes, inDocument, relationships } = resourceOf(BLOG, model, resources).required;
    return [attributes.map(nameOf), inDocument.map(nameOf), relationships.map(nameOf)];
  };

  it('are the fields without a default that may be written', () => {
    expect(requiredOf({})).toEqual([['email', 'passwordHash'], ['email', 'passwordHash'], []]);
    expect(requiredOf({ User: { fields: { passwordHash: 'hidden' } } })).toEqual([['email'], ['email'], []]);
    expect(requiredOf({ User: { clientIds: 'required', fields: { email: 'readOnly' } } })).toEqual([
      ['passwordHash'],
      ['id', 'passwordHash'],
      [],
    ]);
  });

  it('include relationships with a required foreign key', () => {
    const schema = schemaOf({
      User: modelOf({ id: ID, notes: hasMany('Note', 'author') }),
      Note: modelOf({ id: ID, authorId: scalar('Int'), author: belongsTo('User', 'notes', { fields: ['authorId'] }) }),
    });
    expect(resourceOf(schema, 'Note').required.relationships.map(nameOf)).toEqual(['author']);
    expect(requiredOf({}, 'Post')[2]).toEqual([]);
  });
});

describe('a relationship', () => {
  it('has its foreign key, or its other side has it, or there is a join table', () => {
    const author = resourceOf(BLOG, 'Post').fields.get('author');
    expect(author).toMatchObject({ many: false, optional: true, opposite: 'posts', link: 'own-key' });
    expect(author).toHaveProperty('linkageKey', { fields: ['authorId'], references: ['id'] });
    const posts = resourceOf(BLOG, 'User').fields.get('posts');
    expect(posts).toMatchObject({ many: true, optional: false, opposite: 'author', link: 'target-key' });
    expect(posts).not.toHaveProperty('linkageKey');
    expect(resourceOf(BLOG, 'Post').fields.get('tags')).toMatchObject({ many: true, opposite: 'posts', link: 'join-table' });
  });

  it.each<[relation: string, resources: ResourceModelOptions['resources'], create: boolean, update: boolean]>([
    ['Post.author', {}, true, true],
    ['User.posts', {}, true, true],
    ['Post.tags', {}, true, true],
    ['User.posts', { Post: { actions: ['read', 'create'] } }, true, false],
    ['User.posts', { Post: { fields: { author: { update: false } } } }, true, false],
    ['User.posts', { Post: { fields: { author: { create: false } } } }, false, true],
    ['Post.author', { User: { actions: ['create'] } }, true, true],
    ['Post.author', { User: { actions: ['create'], externalId: 'email' } }, true, false],
    ['Post.tags', { Tag: { actions: ['create'] } }, true, false],
  ])('has in linkable whether a create and an update may link records by it: %s with %j', (relation, resources, create, update) => {
    const [model = '', name = ''] = relation.split('.');
    const field = resourceOf(BLOG, model, resources).fields.get(name);
    expect(field).toHaveProperty('linkable', { create, update });
    expect(Object.isFrozen(field)).toBe(true);
  });

  it('may reference its own model', () => {
    const schema = schemaOf({
      Person: modelOf({
        id: ID,
        bossId: scalar('Int', { optional: true }),
        boss: belongsTo('Person', 'staff', { fields: ['bossId'], optional: true }),
        staff: hasMany('Person', 'boss'),
      }),
    });
    const person = resourceOf(schema, 'Person');
    expect(person.relationships.map(({ target }) => target === person)).toEqual([true, true]);
  });

  it('has no linkage key where a field of the key is hidden, or where the id is another key', () => {
    const tenant = scalar('Int');
    const schema = schemaOf({
      User: modelOf(
        { tenantId: tenant, id: ID, handle: scalar('String'), posts: hasMany('Post', 'author') },
        { primaryKey: keyOf('tenantId', 'id'), uniqueKeys: [keyOf('handle')] },
      ),
      Post: modelOf({
        id: ID,
        tenantId: tenant,
        authorId: scalar('Int'),
        author: belongsTo('User', 'posts', { fields: ['tenantId', 'authorId'], references: ['tenantId', 'id'] }),
        editorId: scalar('Int', { optional: true }),
        editor: belongsTo('User', 'edited', { fields: ['tenantId', 'editorId'], references: ['tenantId', 'id'], optional: true }),
      }),
    });
    const keyOfAuthor = (resources: ResourceModelOptions['resources']): unknown => {
      const author = resourceOf(schema, 'Post', resources).fields.get('author');
      return author?.kind === 'relationship' && author.linkageKey;
    };
    expect(keyOfAuthor({})).toEqual({ fields: ['tenantId', 'authorId'], references: ['tenantId', 'id'] });
    expect(keyOfAuthor({ Post: { fields: { tenantId: 'hidden' } } })).toBeUndefined();
    expect(keyOfAuthor({ User: { externalId: 'handle' } })).toBeUndefined();
  });

  it('may have no other side', () => {
    const boss: SchemaField = {
      kind: 'relation',
      type: 'User',
      relation: 'Ignored',
      foreignKey: { fields: ['userId'], references: ['id'] },
    };
    const schema = schemaOf({ User: modelOf({ id: ID }), Post: modelOf({ id: ID, userId: scalar('Int'), boss }) });
    expect(resourceOf(schema, 'Post').fields.get('boss')).not.toHaveProperty('opposite');
  });
});

describe('the keys of a resource', () => {
  const names = ({ identifier }: Resource): readonly string[] => identifier.fields.map(({ name }) => name);

  it('are its primary key and its unique keys', () => {
    const post = resourceOf(BLOG, 'Post');
    expect(names(post)).toEqual(['id']);
    expect(post.identifier.fields.map(({ primaryKey }) => primaryKey)).toEqual(['whole']);
    expect([...post.uniqueKeys.keys()]).toEqual(['id', 'slug_year']);
    expect(post.uniqueKeys.get('slug_year')?.fields).toEqual([post.fields.get('slug'), post.fields.get('year')]);
  });

  it('name externalId as the id, single or compound', () => {
    const post = resourceOf(BLOG, 'Post', { Post: { externalId: 'slug_year', fields: { id: 'hidden' } } });
    expect([post.identifier.name, names(post)]).toEqual(['slug_year', ['slug', 'year']]);
    expect(post.identifier.fields.map(({ primaryKey }) => primaryKey)).toEqual(['no', 'no']);
    expect(names(resourceOf(BLOG, 'User', { User: { externalId: 'email' } }))).toEqual(['email']);
  });

  it('take externalId for the primary key where there is none', () => {
    const schema = schemaOf({ Log: keylessModelOf({ code: scalar('String') }, [keyOf('code')]) });
    expect(resourceOf(schema, 'Log', { Log: { externalId: 'code' } }).attributes).toMatchObject([{ name: 'code', primaryKey: 'whole' }]);
  });

  it.each<[fields: NonNullable<ResourceOptions['fields']>, keys: readonly string[]]>([
    [{ slug: 'hidden' }, ['id']],
    [{ year: 'writeOnly' }, ['id']],
    [{ year: { filter: false } }, ['id']],
    [{ year: { filter: ['gt'] } }, ['id']],
    [{ year: { filter: ['equals'] } }, ['id', 'slug_year']],
    [{ id: { filter: false } }, ['slug_year']],
    [{ slug: 'readOnly' }, ['id', 'slug_year']],
  ])('address a record only where each field may be compared for equality: %j', (fields, keys) => {
    expect([...resourceOf(BLOG, 'Post', { Post: { fields } }).uniqueKeys.keys()]).toEqual(keys);
  });
});

describe('client ids', () => {
  const COMPOUND = modelOf(
    { a: scalar('Int'), b: scalar('Int', { default: { kind: 'value', value: 0 } }) },
    { primaryKey: keyOf('a', 'b') },
  );

  it.each<[model: SchemaModel, options: ResourceOptions, clientIds: string]>([
    [modelOf({ id: ID }), {}, 'forbidden'],
    [modelOf({ id: scalar('String') }), {}, 'allowed'],
    [modelOf({ id: scalar('String') }), { fields: { id: 'readOnly' } }, 'forbidden'],
    [COMPOUND, {}, 'allowed'],
    [modelOf({ id: ID }), { clientIds: 'allowed' }, 'allowed'],
    [modelOf({ id: ID }), { clientIds: 'required' }, 'required'],
    [modelOf({ id: scalar('String') }), { clientIds: 'forbidden' }, 'forbidden'],
    [modelOf({ id: ID, code: scalar('String') }, { uniqueKeys: [keyOf('code')] }), { externalId: 'code' }, 'allowed'],
  ])('of %j with %j are %s', (model, options, clientIds) => {
    expect(resourceOf(schemaOf({ Thing: model }), 'Thing', { Thing: options }).clientIds).toBe(clientIds);
  });

  it.each<[options: ResourceOptions, writable: boolean]>([
    [{}, true],
    [{ clientIds: 'allowed' }, true],
    [{ clientIds: 'forbidden' }, false],
  ])('with %j let RPC write the id field: %s', (options, writable) => {
    const { fields } = resourceOf(schemaOf({ Thing: modelOf({ id: ID }) }), 'Thing', { Thing: options });
    expect(fields.get('id')?.rights).toEqual({ read: true, filter: true, sort: true, create: writable, update: writable });
  });
});

describe('the names of inherited object members', () => {
  const PROTOTYPE_NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

  it.each(PROTOTYPE_NAMES)('do not exist in any look-up: %s', (name) => {
    const { model } = buildResourceModel(BLOG);
    const [user] = model.resources;
    for (const map of [model.byType, model.byDelegate, model.byModel, user?.fields, user?.members, user?.uniqueKeys]) {
      expect([map?.get(name), map?.has(name)]).toEqual([undefined, false]);
    }
    const { enumValues } = user?.fields.get('role') as Attribute;
    expect(enumValues?.has(name)).toBe(false);
  });

  it('may be names of models and fields, without options that are inherited', () => {
    const schema = schemaOf({
      constructor: modelOf({ id: ID, toString: scalar('String'), valueOf: scalar('Int') }),
      Post: modelOf({ id: ID, constructor: scalar('String') }),
    });
    const { model } = buildResourceModel(schema, { resources: { Post: { fields: {} } } });
    expect(model.byType.get('constructor')?.members.get('toString')).toMatchObject({ rights: { read: true }, member: 'toString' });
    expect(model.byType.get('post')?.members.get('constructor')).toMatchObject({ rights: { read: true }, member: 'constructor' });
  });
});
