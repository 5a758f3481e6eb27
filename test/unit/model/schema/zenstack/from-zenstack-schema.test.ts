import { buildResourceModel } from '../../../../../lib/model/build-resource-model.js';
import { fromZenStackSchema } from '../../../../../lib/model/schema/zenstack/from-zenstack-schema.js';
import type {
  ZenStackAttribute,
  ZenStackField,
  ZenStackModel,
  ZenStackSchema,
} from '../../../../../lib/model/schema/zenstack/zenstack-schema.js';

const literal = (value: string | number | boolean): object => ({ kind: 'literal', value });
const call = (name: string): object => ({ kind: 'call', function: name });
const meta = (value: string, name = '@meta'): ZenStackAttribute => ({
  name,
  args: [
    { name: 'name', value: literal('api') },
    { name: 'value', value: literal(value) },
  ],
});

/** As `zenstack generate` 3.9.4 writes it, `name` members left out. */
function schemaOf(models: Readonly<Record<string, Partial<ZenStackModel>>>): ZenStackSchema {
  return {
    provider: { type: 'postgresql' },
    enums: { Role: { values: { READER: 'READER', ADMIN: 'ADMIN' } } },
    typeDefs: { Address: {} },
    models: Object.fromEntries(
      Object.entries(models).map(([name, model]) => [
        name,
        { fields: {}, idFields: ['id'], uniqueFields: { id: { type: 'Int' } }, ...model },
      ]),
    ),
  };
}

function readField(field: ZenStackField): unknown {
  return fromZenStackSchema(schemaOf({ Post: { fields: { id: { type: 'Int' }, field } } })).models['Post']?.fields['field'];
}

describe('fromZenStackSchema', () => {
  const fields: readonly (readonly [string, ZenStackField, unknown])[] = [
    ['a scalar', { type: 'String' }, { kind: 'scalar', type: 'String' }],
    ['an optional list', { type: 'Int', array: true, optional: true }, { kind: 'scalar', type: 'Int', list: true, optional: true }],
    [
      'an enum with a default',
      { type: 'Role', default: 'READER' },
      { kind: 'enum', type: 'Role', default: { kind: 'value', value: 'READER' } },
    ],
    ['a structure, as JSON', { type: 'Address', array: true }, { kind: 'scalar', type: 'Json' }],
    [
      'a generated value',
      { type: 'Int', default: call('autoincrement') },
      { kind: 'scalar', type: 'Int', default: { kind: 'function', name: 'autoincrement' } },
    ],
    [
      'a value of the caller',
      { type: 'Int', default: { kind: 'member', receiver: call('auth'), members: ['id'] } },
      { kind: 'scalar', type: 'Int', default: { kind: 'function', name: 'member' } },
    ],
    ['a big default', { type: 'BigInt', default: 5n }, { kind: 'scalar', type: 'BigInt', default: { kind: 'value', value: '5' } }],
    [
      'a list default',
      { type: 'Int', array: true, default: [1] },
      { kind: 'scalar', type: 'Int', list: true, default: { kind: 'value', value: [1] } },
    ],
    ['@updatedAt', { type: 'DateTime', updatedAt: { ignore: ['x'] } }, { kind: 'scalar', type: 'DateTime', updatedAt: true }],
    [
      'a native type',
      { type: 'Decimal', attributes: [{ name: '@db.Decimal', args: [{ value: literal(3) }, { value: literal(2) }] }] },
      { kind: 'scalar', type: 'Decimal', nativeType: ['Decimal', ['3', '2']] },
    ],
    ['@omit, as write-only', { type: 'String', omit: true }, { kind: 'scalar', type: 'String', api: 'writeOnly' }],
    ['a computed field, as read-only', { type: 'Int', computed: true }, { kind: 'scalar', type: 'Int', api: 'readOnly' }],
    [
      '@meta with its arguments by name, the other way round',
      { type: 'String', attributes: [{ name: '@meta', args: meta('hidden').args?.toReversed() ?? [] }] },
      { kind: 'scalar', type: 'String', api: 'hidden' },
    ],
    ['@meta over @omit', { type: 'String', omit: true, attributes: [meta('hidden')] }, { kind: 'scalar', type: 'String', api: 'hidden' }],
    ['nothing, for a computed field with parameters', { type: 'Int', computed: true, params: { unit: { type: 'String' } } }, undefined],
    ['nothing, for an unsupported column', { type: 'Unsupported' }, undefined],
  ];

  it.each(fields)('reads %s', (_, field, expected) => {
    expect(readField(field)).toEqual(expected);
  });

  it('has the provider of the database, and zenstack as the ORM', () => {
    expect(fromZenStackSchema(schemaOf({}))).toMatchObject({ provider: 'postgresql', orm: 'zenstack' });
  });

  it('reads relations, both sides under one name', () => {
    const { models } = fromZenStackSchema(
      schemaOf({
        User: {
          fields: { id: { type: 'Int' }, posts: { type: 'Post', array: true, relation: { opposite: 'author' } } },
        },
        Post: {
          fields: {
            id: { type: 'Int' },
            authorId: { type: 'Int' },
            author: { type: 'User', relation: { opposite: 'posts', fields: ['authorId'], references: ['id'], onDelete: 'Cascade' } },
            twin: { type: 'Post', optional: true, relation: { name: 'twins' } },
          },
        },
      }),
    );
    expect(models['User']?.fields['posts']).toEqual({
      kind: 'relation',
      type: 'Post',
      list: true,
      relation: 'PostToUser',
      opposite: 'author',
    });
    expect(models['Post']?.fields['author']).toEqual({
      kind: 'relation',
      type: 'User',
      relation: 'PostToUser',
      opposite: 'posts',
      foreignKey: { fields: ['authorId'], references: ['id'], onDelete: 'Cascade' },
    });
    expect(models['Post']?.fields['twin']).toEqual({ kind: 'relation', type: 'Post', optional: true, relation: 'twins' });
  });

  it('reads keys, single and compound, also over a field called type', () => {
    const fieldsOf = { locale: { type: 'String' }, type: { type: 'String' }, email: { type: 'String' } };
    const compound = { locale_type: { locale: { type: 'String' }, type: { type: 'String' } }, email: { type: 'String' } };
    const { models } = fromZenStackSchema(schemaOf({ Text: { fields: fieldsOf, idFields: ['locale', 'type'], uniqueFields: compound } }));
    expect(models['Text']).toMatchObject({
      primaryKey: { name: 'locale_type', fields: ['locale', 'type'] },
      uniqueKeys: [{ name: 'email', fields: ['email'] }],
    });
  });

  it('exposes a view for reading, and no create of a base model', () => {
    const { models } = fromZenStackSchema(schemaOf({ View: { isView: true }, Asset: { isDelegate: true }, Post: {} }));
    expect(Object.values(models).map(({ actions }) => actions)).toEqual([['read'], ['read', 'update', 'delete'], undefined]);
  });

  it('hides a model by its meta attribute', () => {
    const { models } = fromZenStackSchema(schemaOf({ Log: { attributes: [meta('hidden', '@@meta')] } }));
    expect(models['Log']?.api).toEqual({ hidden: true });
  });

  it('refuses an exposure that does not exist, instead of exposing the field', () => {
    expect(() => readField({ type: 'String', attributes: [meta('hiden')] })).toThrow('"hiden"');
    expect(() => fromZenStackSchema(schemaOf({ Log: { attributes: [meta('readOnly', '@@meta')] } }))).toThrow('"readOnly"');
  });

  it('gives what the resource model is built from', () => {
    const { model, warnings } = buildResourceModel(fromZenStackSchema(schemaOf({ Post: { fields: { id: { type: 'Int' } } } })));
    expect([model.byModel.has('Post'), warnings]).toEqual([true, []]);
  });
});
