import type {
  ResourceSchema,
  ScalarTypeName,
  SchemaEnumField,
  SchemaField,
  SchemaKey,
  SchemaModel,
  SchemaRelationField,
  SchemaScalarField,
} from '../../../lib/model/schema/resource-schema.js';

/** A schema of the given models; `ResourceSchema` in a few words. */
export function schemaOf(
  models: Readonly<Record<string, SchemaModel>>,
  enums: Readonly<Record<string, readonly string[]>> = {},
): ResourceSchema {
  const withValues = Object.fromEntries(Object.entries(enums).map(([name, values]) => [name, { values }]));
  return { version: 2, provider: 'postgresql', enums: withValues, models };
}

/** Returns a model with the primary key `id`, or with that of `keys`. */
export function modelOf(fields: Readonly<Record<string, SchemaField>>, keys: Partial<SchemaModel> = {}): SchemaModel {
  return { fields, primaryKey: keyOf('id'), uniqueKeys: [], ...keys };
}

/** A model without a primary key. */
export function keylessModelOf(fields: Readonly<Record<string, SchemaField>>, uniqueKeys: readonly SchemaKey[] = []): SchemaModel {
  return { fields, uniqueKeys };
}

export function keyOf(...fields: readonly string[]): SchemaKey {
  return { name: fields.join('_'), fields };
}

export function scalar(type: ScalarTypeName, more: Partial<SchemaScalarField> = {}): SchemaScalarField {
  return { kind: 'scalar', type, ...more };
}

export function enumeration(type: string, more: Partial<SchemaEnumField> = {}): SchemaEnumField {
  return { kind: 'enum', type, ...more };
}

/** An autoincrement id. */
export const ID = scalar('Int', { default: { kind: 'function', name: 'autoincrement' } });

/** Returns a to-one relation with a foreign key, which references the related model's `id`, or the fields `references`. */
export function belongsTo(type: string, opposite: string, more: KeyedRelation): SchemaRelationField {
  const { fields, references = ['id'], ...others } = more;
  return { kind: 'relation', type, relation: `${type}_${opposite}`, opposite, foreignKey: { fields, references }, ...others };
}

interface KeyedRelation extends Partial<SchemaRelationField> {
  readonly fields: readonly string[];
  readonly references?: readonly string[];
}

/** The side of a one-to-many relation that holds no key. */
export function hasMany(type: string, opposite: string, more: Partial<SchemaRelationField> = {}): SchemaRelationField {
  return { kind: 'relation', type, relation: `${type}_${opposite}`, opposite, list: true, ...more };
}

/** Users write posts, posts have tags: one of each kind of relation. */
export const BLOG = schemaOf(
  {
    User: modelOf(
      {
        id: ID,
        email: scalar('String'),
        passwordHash: scalar('String'),
        nickname: scalar('String', { optional: true }),
        role: enumeration('Role', { default: { kind: 'value', value: 'READER' } }),
        posts: hasMany('Post', 'author'),
      },
      { uniqueKeys: [keyOf('email'), keyOf('nickname')] },
    ),
    Post: modelOf(
      {
        id: scalar('String', { nativeType: ['Uuid', []], default: { kind: 'function', name: 'uuid' } }),
        title: scalar('String'),
        slug: scalar('String'),
        year: scalar('Int'),
        keywords: scalar('String', { list: true }),
        updatedAt: scalar('DateTime', { updatedAt: true }),
        authorId: scalar('Int', { optional: true }),
        author: belongsTo('User', 'posts', { fields: ['authorId'], optional: true }),
        tags: hasMany('Tag', 'posts'),
      },
      { uniqueKeys: [keyOf('slug', 'year')] },
    ),
    Tag: modelOf({ id: ID, name: scalar('String'), posts: hasMany('Post', 'tags') }),
  },
  { Role: ['READER', 'ADMIN'] },
);
