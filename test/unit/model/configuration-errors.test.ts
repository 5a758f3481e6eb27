import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../../../lib/errors/configuration-error.js';
import { buildResourceModel, type ResourceModelOptions } from '../../../lib/model/build-resource-model.js';
import { describeSurface } from '../../../lib/model/surface/describe-surface.js';
import type { ResourceSchema } from '../../../lib/model/schema/resource-schema.js';
import { belongsTo, BLOG, hasMany, ID, keylessModelOf, keyOf, modelOf, scalar, schemaOf } from './schema-builder.js';

/** The options as plain JavaScript might give them. */
function build(schema: ResourceSchema, resources: unknown = {}, strict = false): ReturnType<typeof buildResourceModel> {
  return buildResourceModel(schema, { strict, resources: resources as NonNullable<ResourceModelOptions['resources']> });
}

function errorOf(schema: ResourceSchema, resources: unknown, strict?: boolean): ConfigurationError {
  try {
    build(schema, resources, strict);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('No error was thrown.');
}

const ALL_OPTIONS =
  "The options are 'type', 'actions', 'externalId', 'clientIds', 'version', 'concurrency', 'pagination', 'softDelete', 'fields', 'computed', 'validate'.";

describe('a wrong name in resources', () => {
  it.each<[resources: unknown, problem: string, remedy: string]>([
    [{ Pots: {} }, "resources names 'Pots', which is no model of the schema.", "Did you mean 'Post'?"],
    [{ post: 'hidden' }, "resources names 'post', which is no model of the schema.", "Did you mean 'Post'?"],
    [{ Invoice: {} }, "resources names 'Invoice', which is no model of the schema.", "The models are 'User', 'Post', 'Tag'."],
    [{ constructor: {} }, "resources names 'constructor', which is no model of the schema.", "The models are 'User', 'Post', 'Tag'."],
    [{ toString: 'hidden' }, "resources names 'toString', which is no model of the schema.", "The models are 'User', 'Post', 'Tag'."],
    [{ ['__proto__']: {} }, "resources names '__proto__', which is no model of the schema.", "The models are 'User', 'Post', 'Tag'."],
    [
      { User: { fields: { pasword: 'hidden' } } },
      "resources.User.fields names 'pasword', which is no field of the model.",
      'Its fields are ',
    ],
    [{ Tag: { fields: { nam: 'hidden' } } }, "resources.Tag.fields names 'nam', which is no field of the model.", "Did you mean 'name'?"],
    [
      { Tag: { fields: { valueOf: {} } } },
      "resources.Tag.fields names 'valueOf', which is no field of the model.",
      "Its fields are 'id', 'name', 'posts'.",
    ],
    [{ Tag: { actions: ['raed'] } }, "resources.Tag.actions names 'raed', which is no action.", "Did you mean 'read'?"],
    [
      { Tag: { actions: ['list'] } },
      "resources.Tag.actions names 'list', which is no action.",
      "The actions are 'read', 'create', 'update', 'delete'.",
    ],
    [{ Tag: { acitons: [] } }, "resources.Tag names 'acitons', which is no option.", "Did you mean 'actions'?"],
    [{ Tag: { hidden: true } }, "resources.Tag names 'hidden', which is no option.", ALL_OPTIONS],
    [{ Tag: { fields: { name: { raed: false } } } }, "resources.Tag.fields.name names 'raed', which is no right.", "Did you mean 'read'?"],
    [
      { Tag: { fields: { name: { filter: ['eq'] } } } },
      "resources.Tag.fields.name.filter names 'eq', which is no filter operator.",
      'There are ',
    ],
    [
      { Tag: { fields: { name: { filter: ['contain'] } } } },
      "resources.Tag.fields.name.filter names 'contain', which is no filter operator.",
      "Did you mean 'contains'?",
    ],
    [{ Tag: { validate: { crate: Object } } }, "resources.Tag.validate names 'crate', which is no body.", "Did you mean 'create'?"],
    [
      { Tag: { externalId: 'nam' } },
      "resources.Tag.externalId is 'nam', which is no unique key of the model.",
      "The unique keys of required fields are 'id'.",
    ],
    [
      { User: { externalId: 'emial' } },
      "resources.User.externalId is 'emial', which is no unique key of the model.",
      "Did you mean 'email'?",
    ],
  ])('throws an error with the problem and the remedy: %j', (resources, problem, remedy) => {
    const error = errorOf(BLOG, resources);
    expect(error.message.slice(0, problem.length + 1)).toBe(`${problem} `);
    expect(error.remedy.slice(0, remedy.length)).toBe(remedy);
  });
});

describe('a wrong value in resources', () => {
  it.each<[resources: unknown, message: string]>([
    [null, "resources is 'null'. Set it to an object of options by model."],
    [[], "resources is ''. Set it to an object of options by model."],
    ['hidden', "resources is 'hidden'. Set it to an object of options by model."],
    [{ Tag: { fields: null } }, "resources.Tag.fields is 'null'. Set it to an object."],
    [{ Tag: { fields: { name: { read: null } } } }, "resources.Tag.fields.name.read is 'null'. Set it to true or false."],
    [{ Tag: { fields: { name: { filter: null } } } }, "resources.Tag.fields.name.filter is 'null'. Set it to true or false."],
    [{ Tag: { fields: { name: { name: null } } } }, "resources.Tag.fields.name.name is 'null'. Set it to a string."],
    [{ '*': 'visible' }, "resources['*'] is 'visible'. It may be 'hidden'."],
    [{ '*': {} }, "resources['*'] is '[object Object]'. It may be 'hidden'."],
    [{ Tag: 'hiden' }, "resources.Tag is 'hiden'. Set it to 'hidden' or an object of options."],
    [{ Tag: false }, "resources.Tag is 'false'. Set it to 'hidden' or an object of options."],
    [{ Tag: null }, "resources.Tag is 'null'. Set it to 'hidden' or an object of options."],
    [{ Tag: { type: 5 } }, "resources.Tag.type is '5'. Set it to a string."],
    [{ Tag: { externalId: 5 } }, "resources.Tag.externalId is '5'. Set it to a string."],
    [{ Tag: { clientIds: 'require' } }, "resources.Tag.clientIds is 'require'. Did you mean 'required'?"],
    [{ Tag: { clientIds: true } }, "resources.Tag.clientIds is 'true'. It may be 'forbidden', 'allowed', 'required'."],
    [{ Tag: { actions: 'read' } }, "resources.Tag.actions is 'read'. Set it to an array."],
    [{ Tag: { fields: ['name'] } }, "resources.Tag.fields is 'name'. Set it to an object."],
    [{ Tag: { validate: 'CreateTagDto' } }, "resources.Tag.validate is 'CreateTagDto'. Set it to an object."],
    [
      { Tag: { validate: { create: 'CreateTagDto' } } },
      "resources.Tag.validate.create is 'CreateTagDto'. Set it to a class or a Standard Schema.",
    ],
    [{ Tag: { fields: { name: 'readonly' } } }, "resources.Tag.fields.name is 'readonly'. Did you mean 'readOnly'?"],
    [
      { Tag: { fields: { name: false } } },
      "resources.Tag.fields.name is 'false'. It may be 'hidden', 'readOnly', 'writeOnly', 'immutable'.",
    ],
    [{ Tag: { fields: { name: { read: 'no' } } } }, "resources.Tag.fields.name.read is 'no'. Set it to true or false."],
    [{ Tag: { fields: { name: { read: ['equals'] } } } }, "resources.Tag.fields.name.read is 'equals'. Set it to true or false."],
    [{ Tag: { fields: { name: { filter: 'equals' } } } }, "resources.Tag.fields.name.filter is 'equals'. Set it to true or false."],
    [{ Tag: { fields: { name: { name: 5 } } } }, "resources.Tag.fields.name.name is '5'. Set it to a string."],
    [
      { Tag: { fields: { posts: { filter: ['some'] } } } },
      "resources.Tag.fields.posts.filter is 'some'. Set it to true or false: operators belong to the fields of the related model.",
    ],
  ])('throws an error with the allowed values: %j', (resources, message) => {
    expect(errorOf(BLOG, resources).message).toBe(message);
  });

  it('is not undefined, which means that the option is absent', () => {
    const resources = {
      Tag: undefined,
      User: { validate: { create: undefined } },
      Post: { type: undefined, fields: { title: undefined, slug: { read: undefined, filter: undefined } } },
    };
    expect(describeSurface(build(BLOG, resources).model)).toEqual(describeSurface(build(BLOG).model));
  });
});

describe('options that do not fit together', () => {
  const VIEW = schemaOf({ Report: modelOf({ id: ID }, { actions: ['read'] }) });
  const SAME_RIGHT = 'a foreign key and its relation are one right. Give both sides the same rights, or name them on one side only.';

  it.each<[schema: ResourceSchema, resources: unknown, message: string]>([
    [
      BLOG,
      { Post: { fields: { author: 'hidden', authorId: 'readOnly' } } },
      `resources opens 'read' of 'Post.authorId' and closes it on the other side: ${SAME_RIGHT}`,
    ],
    [
      BLOG,
      { Post: { fields: { author: { create: true }, authorId: { create: false } } } },
      `resources opens 'create' of 'Post.author' and closes it on the other side: ${SAME_RIGHT}`,
    ],
    [
      BLOG,
      { User: 'hidden', Post: { fields: { author: { read: true } } } },
      "resources opens 'Post.author', a relation to 'User', which is hidden. Remove that option, or expose 'User' in resources.",
    ],
    [
      BLOG,
      { Post: 'hidden', Tag: { fields: { posts: 'readOnly' } } },
      "resources opens 'Tag.posts', a relation to 'Post', which is hidden. Remove that option, or expose 'Post' in resources.",
    ],
    [
      BLOG,
      { Tag: { clientIds: 'allowed', fields: { id: 'readOnly' } } },
      "resources.Tag.clientIds is 'allowed', and the id field 'id' may not be created. Open resources.Tag.fields.id.create, or set clientIds to 'forbidden'.",
    ],
    [
      VIEW,
      { Report: { actions: ['read', 'create'] } },
      "resources.Report.actions opens 'create', which the Prisma client does not offer for 'Report' (a view, or an unsupported column). Remove 'create' from it.",
    ],
  ])('throw an error that names both: %#', (schema, resources, message) => {
    expect(errorOf(schema, resources).message).toBe(message);
  });
});

describe('a model without an id', () => {
  const JOIN = schemaOf({
    Post: modelOf({ id: ID, links: hasMany('Link', 'post') }),
    Link: modelOf(
      { postId: scalar('Int'), rank: scalar('Int'), post: belongsTo('Post', 'links', { fields: ['postId'] }) },
      { primaryKey: keyOf('postId', 'rank') },
    ),
  });
  const KEYLESS = schemaOf({
    Log: keylessModelOf({ code: scalar('String'), host: scalar('String', { optional: true }) }, [keyOf('code'), keyOf('host')]),
  });
  const LINK_REMEDY =
    "Open it in resources.Link.fields, name another unique key as resources.Link.externalId, or set resources.Link to 'hidden'.";

  it.each<[schema: ResourceSchema, resources: unknown, message: string]>([
    [
      KEYLESS,
      { Log: { externalId: 'host' } },
      "resources.Log.externalId is 'host', which may be null. The unique keys of required fields are 'code'.",
    ],
    [
      BLOG,
      { Tag: { fields: { id: 'hidden' } } },
      "The id of 'Tag' is made of 'id', and 'id' may not be read. Open it in resources.Tag.fields, name another unique key as resources.Tag.externalId, or set resources.Tag to 'hidden'.",
    ],
    [
      BLOG,
      { User: { externalId: 'email', fields: { email: 'writeOnly' } } },
      "The id of 'User' is made of 'email', and 'email' may not be read. Open it in resources.User.fields, name another unique key as resources.User.externalId, or set resources.User to 'hidden'.",
    ],
    [
      JOIN,
      { Post: 'hidden' },
      `The id of 'Link' is made of 'postId', 'rank', and 'postId' may not be read, as its relation 'post' to 'Post' may not. ${LINK_REMEDY}`,
    ],
    [
      JOIN,
      { Link: { fields: { post: 'hidden' } } },
      `The id of 'Link' is made of 'postId', 'rank', and 'postId' may not be read, as its relation 'post' to 'Post' may not. ${LINK_REMEDY}`,
    ],
  ])('throws an error that names the fields: %#', (schema, resources, message) => {
    expect(errorOf(schema, resources).message).toBe(message);
  });

  it.each<[schema: ResourceSchema, warning: string]>([
    [
      KEYLESS,
      "The model 'Log' has no primary key to serve as the id, so REST leaves it out; RPC serves it. Set resources.Log.externalId to one of its unique keys ('code'), or resources.Log to 'hidden'.",
    ],
    [
      schemaOf({ Log: keylessModelOf({ host: scalar('String', { optional: true }) }, [keyOf('host')]) }),
      "The model 'Log' has no primary key to serve as the id, so REST leaves it out; RPC serves it. Add @id or @unique to it in the Prisma schema, or set resources.Log to 'hidden'.",
    ],
  ])('is not served by REST, with a warning: %#', (schema, warning) => {
    const { model, restModel, warnings, restWarnings } = build(schema, {});
    expect(restWarnings).toEqual([warning]);
    expect(warnings).toEqual([]);
    expect(model.byDelegate.has('log')).toBe(true);
    expect(restModel.byType.has('log')).toBe(false);
  });

  it('is left out of REST together with the relations to it', () => {
    const schema = schemaOf({
      User: modelOf({ id: ID, infos: hasMany('Info', 'user') }),
      Info: keylessModelOf({ userId: scalar('Int'), user: belongsTo('User', 'infos', { fields: ['userId'] }) }, []),
    });
    const { model, restModel } = build(schema, {});
    expect([...(model.byModel.get('User')?.fields.keys() ?? [])]).toEqual(['id', 'infos']);
    expect([...(restModel.byModel.get('User')?.fields.keys() ?? [])]).toEqual(['id']);
    expect(model.byModel.get('User')?.relationships[0]?.target).toBe(model.byModel.get('Info'));
  });

  it('gives both styles the same resource model where every model has an id', () => {
    const { model, restModel, restWarnings } = build(BLOG, {});
    expect(restModel).toBe(model);
    expect(restWarnings).toEqual([]);
  });

  it.each<[schema: ResourceSchema, resources: unknown]>([
    [KEYLESS, { Log: 'hidden' }],
    [KEYLESS, { Log: { externalId: 'code' } }],
    [JOIN, { Post: 'hidden', Link: 'hidden' }],
    [JOIN, { Post: 'hidden', Link: { fields: { postId: 'readOnly' } } }],
  ])('builds after the remedy: %#', (schema, resources) => {
    expect(() => build(schema, resources)).not.toThrow();
  });
});

describe('a schema file of another version', () => {
  it.each([
    [{ ...BLOG, version: 1 }, 'The resource schema has version 1, and this package reads version 2.'],
    [{}, 'The option `schema` is not a generated resource schema.'],
    [undefined, 'The option `schema` is not a generated resource schema.'],
  ])('throws an error with the command to run: %#', (schema, problem) => {
    const remedy = 'Run `prisma generate` with the generator of the installed nestjs-resource-api, and pass its `resourceSchema`.';
    expect(errorOf(schema as ResourceSchema, {}).message).toBe(`${problem} ${remedy}`);
  });
});
