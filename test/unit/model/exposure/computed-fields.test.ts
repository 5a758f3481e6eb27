import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import { describeSurface } from '../../../../lib/model/surface/describe-surface.js';
import { lettersOf, resourceOf } from '../model-of.js';
import { hasMany, ID, belongsTo, modelOf, scalar, schemaOf } from '../schema-builder.js';

const SCHEMA = schemaOf({
  User: modelOf(
    { id: ID, name: scalar('String'), secret: scalar('String', { api: 'hidden' }), posts: hasMany('Post', 'author') },
    { ignored: { legacy: scalar('String') } },
  ),
  Post: modelOf({ id: ID, authorId: scalar('Int'), author: belongsTo('User', 'posts', { fields: ['authorId'] }) }),
});

function build(resources: object): ReturnType<typeof buildResourceModel> {
  return buildResourceModel(SCHEMA, { resources: resources });
}

describe('a computed field', () => {
  const user = resourceOf(SCHEMA, 'User', { User: { computed: { fullName: 'String', age: 'Int?', labels: 'String[]' } } });

  it('is an attribute with the right to read alone', () => {
    expect(lettersOf(user.fields.get('fullName'))).toBe('r');
    expect(user.fields.get('fullName')).toMatchObject({ kind: 'attribute', type: 'String', optional: false, list: false, computed: true });
    expect(user.fields.get('age')).toMatchObject({ type: 'Int', optional: true, list: false });
    expect(user.fields.get('labels')).toMatchObject({ type: 'String', optional: false, list: true });
  });

  it('comes last among the attributes, and is a member of the documents', () => {
    expect(user.attributes.map(({ name }) => name)).toEqual(['id', 'name', 'fullName', 'age', 'labels']);
    expect(user.computed.map(({ name }) => name)).toEqual(['fullName', 'age', 'labels']);
    expect(user.members.get('fullName')).toBe(user.fields.get('fullName'));
  });

  it('is in no key, and not in the storage', () => {
    const { model } = build({ User: { computed: { fullName: 'String' } } });
    expect([...user.uniqueKeys.keys()]).toEqual(['id']);
    expect([...(model.storage.byModel.get('User')?.fields.keys() ?? [])]).toEqual(['id', 'name', 'secret', 'legacy']);
  });

  it('is a line of the surface, with the reason why other rights are closed', () => {
    const { model } = build({ User: { computed: { fullName: 'String' } } });
    expect(describeSurface(model)[0]?.attributes.at(-1)).toEqual({
      name: 'fullName',
      member: 'fullName',
      rights: ['read'],
      closed: { filter: 'computed', sort: 'computed', create: 'computed', update: 'computed' },
    });
  });

  it('exists on its model alone', () => {
    expect(resourceOf(SCHEMA, 'Post', { User: { computed: { fullName: 'String' } } }).computed).toEqual([]);
  });
});

describe('the option computed', () => {
  it.each<[computed: unknown, message: string]>([
    [{ name: 'String' }, "resources.User.computed names 'name', which is a field of the schema."],
    [{ secret: 'String' }, "resources.User.computed names 'secret', which is a field of the schema."],
    [{ legacy: 'String' }, "resources.User.computed names 'legacy', which is a field of the schema."],
    [{ posts: 'String' }, "resources.User.computed names 'posts', which is a field of the schema."],
    [{ _count: 'Int' }, "resources.User.computed names '_count', which no computed field may be called."],
    [{ type: 'String' }, "resources.User.computed names 'type', which no computed field may be called."],
    [{ 'full-name': 'String' }, "resources.User.computed names 'full-name', which no computed field may be called."],
    [{ ['__proto__']: 'String' }, "resources.User.computed names '__proto__', which no computed field may be called."],
    [{ fullName: 'Text' }, "resources.User.computed.fullName is 'Text', which is no type of a computed field."],
    [{ fullName: 'string' }, "resources.User.computed.fullName is 'string', which is no type of a computed field."],
    [{ fullName: 'String[]?' }, "resources.User.computed.fullName is 'String[]?', which is no type of a computed field."],
    [{ fullName: 'Role' }, "resources.User.computed.fullName is 'Role', which is no type of a computed field."],
    [{ fullName: true }, "resources.User.computed.fullName is 'true', which is no type of a computed field."],
    ['fullName', "resources.User.computed is 'fullName'."],
  ])('refuses %j', (computed, message) => {
    expect(() => build({ User: { computed } })).toThrow(message);
  });

  it('refuses the name that another field has in REST', () => {
    const resources = { User: { fields: { name: { name: 'fullName' } }, computed: { fullName: 'String' } } };
    expect(() => build(resources)).toThrow("The fields 'name' and 'fullName' of 'User' are both called 'fullName'.");
  });

  it('takes no rights, because it can only be read', () => {
    expect(() => build({ User: { computed: { fullName: 'String' }, fields: { fullName: 'readOnly' } } })).toThrow(
      "resources.User.fields names 'fullName', which is no field of the model.",
    );
  });
});
