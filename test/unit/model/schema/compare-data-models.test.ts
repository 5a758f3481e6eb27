import { compareDataModels } from '../../../../lib/model/schema/compare-data-models.js';
import { type PrismaField, prismaDataModelOf, prismaSchemaTextOf } from '../../../../lib/model/schema/prisma-data-model.js';
import { belongsTo, hasMany, ID, modelOf, scalar, schemaOf } from '../schema-builder.js';

const SCHEMA = schemaOf({
  User: modelOf({ id: ID, email: scalar('String'), posts: hasMany('Post', 'author') }),
  Post: modelOf({ id: ID, authorId: scalar('Int'), author: belongsTo('User', 'posts', { fields: ['authorId'] }) }),
});

const field = (name: string, type: string, more: Partial<PrismaField> = {}): PrismaField => ({ name, kind: 'scalar', type, ...more });
const relation = (name: string, type: string): PrismaField => field(name, type, { kind: 'object', relationName: 'PostToUser' });

const USER = [field('id', 'Int'), field('email', 'String'), relation('posts', 'Post')];
const POST = [field('id', 'Int'), field('authorId', 'Int'), relation('author', 'User')];

function compare(models: Readonly<Record<string, readonly PrismaField[]>>): readonly string[] {
  return compareDataModels(SCHEMA, { models: Object.fromEntries(Object.entries(models).map(([name, fields]) => [name, { fields }])) });
}

describe('compareDataModels', () => {
  it('finds nothing where both are made of one schema', () => {
    expect(compare({ User: USER, Post: POST })).toEqual([]);
  });

  it('finds nothing in what the generator leaves out: unsupported columns and composite types', () => {
    const more = [field('area', 'polygon', { kind: 'unsupported' }), field('address', 'Address', { kind: 'object', relationName: null })];
    expect(compare({ User: [...USER, ...more], Post: POST })).toEqual([]);
  });

  it.each<[problem: string, models: Readonly<Record<string, readonly PrismaField[]>>, lines: readonly string[]]>([
    ['a model that the client lacks', { User: USER }, ["the client lacks the model 'Post'"]],
    ['a model that the schema lacks', { User: USER, Post: POST, Tag: [field('id', 'Int')] }, ["the schema lacks the model 'Tag'"]],
    [
      'a field that the client lacks',
      { User: USER.slice(0, 1), Post: POST },
      ["the client lacks the field 'User.email'", "the client lacks the field 'User.posts'"],
    ],
    ['a field that the schema lacks', { User: [...USER, field('age', 'Int')], Post: POST }, ["the schema lacks the field 'User.age'"]],
    [
      'a field of another type',
      { User: [field('id', 'String'), ...USER.slice(1)], Post: POST },
      ["'User.id' is Int in the schema and String in the client"],
    ],
    [
      'a relation to another model',
      { User: USER, Post: [...POST.slice(0, 2), relation('author', 'Author')] },
      ["'Post.author' is a relation to 'User' in the schema and a relation to 'Author' in the client"],
    ],
  ])('finds %s', (_problem, models, lines) => {
    expect(compare(models)).toEqual(lines);
  });
});

describe('prismaDataModelOf', () => {
  it.each<[string, object]>([
    ['a fake', { post: {} }],
    ['a mock that has a function for every name', new Proxy({}, { get: () => () => undefined })],
    ['a mock that has an object for every name', new Proxy({}, { get: () => ({}) })],
    ['a client of another form', { _runtimeDataModel: { models: [{ name: 'Post' }] } }],
  ])('is nothing for %s', (_case, client) => {
    expect(prismaDataModelOf(client)).toBeUndefined();
    expect(prismaSchemaTextOf(client)).toBeUndefined();
  });
});
