import { DB_NULL } from '../../../lib/model/values/json-value.js';
import { mapWrittenRecords } from '../../../lib/rpc/map-written-records.js';
import { findOperation } from '../../../lib/rpc/rpc-operations.js';
import { resourceOf } from '../model/model-of.js';
import { belongsTo, hasMany, ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

/** Its Json fields are called like the members of Prisma's operands. */
const SCHEMA = schemaOf({
  Author: modelOf({
    id: ID,
    data: scalar('Json', { optional: true }),
    where: scalar('Json', { optional: true }),
    books: hasMany('Book', 'author'),
  }),
  Book: modelOf({
    id: ID,
    create: scalar('Json', { optional: true }),
    authorId: scalar('Int'),
    author: belongsTo('Author', 'books', { fields: ['authorId'] }),
  }),
});

function pathsOf(model: string, operation: string, args: Readonly<Record<string, unknown>>): readonly string[] {
  const found: string[] = [];
  const known = findOperation(operation);
  if (!known) throw new Error(`There is no ${operation}.`);
  const call = { resource: resourceOf(SCHEMA, model), operation: known, args };
  const mapped = mapWrittenRecords(call, args, ({ path, action, resource, data }) => {
    found.push(`${action} ${resource.model} ${path.join('.')}`);
    return data;
  });
  expect(mapped).toEqual(args);
  return found;
}

const toAuthor = (update: object): object => ({ where: { id: 1 }, data: { author: { update } } });

describe('mapWrittenRecords', () => {
  it.each([
    ['the data itself', toAuthor({ data: 5, where: 6 }), 'data.author.update'],
    ['data that empties a Json field called data', toAuthor({ data: DB_NULL }), 'data.author.update'],
    ['an envelope', toAuthor({ where: {}, data: { data: 5 } }), 'data.author.update.data'],
  ])('tells %s in an update through a to-one relation', (_, args, place) => {
    expect(pathsOf('Book', 'update', args as Record<string, unknown>)).toEqual(['update Book data', `update Author ${place}`]);
  });

  it('takes no Json value for data of a record', () => {
    const data = { create: { create: 1 }, authorId: 1 };
    expect(pathsOf('Book', 'create', { data })).toEqual(['create Book data']);
  });

  it('looks nowhere but into data', () => {
    expect(pathsOf('Book', 'findMany', { where: { author: { is: { id: 1 } } }, include: { author: true } })).toEqual([]);
    expect(pathsOf('Author', 'update', { where: { id: 1 }, data: { books: { connect: { id: 1 }, deleteMany: {}, set: [] } } })).toEqual([
      'update Author data',
    ]);
  });

  it('walks into the relations of what it is given back', () => {
    const call = { resource: resourceOf(SCHEMA, 'Author'), operation: findOperation('create') ?? fail(), args: {} };
    const books = { create: [{ create: 1 }, { create: 2 }] };
    const mapped = mapWrittenRecords(call, { data: { books } }, ({ resource, data }) =>
      resource.model === 'Author' ? { ...data, data: 'new' } : { create: Number(data['create']) + 1 },
    );
    expect(mapped).toEqual({ data: { data: 'new', books: { create: [{ create: 2 }, { create: 3 }] } } });
  });
});

function fail(): never {
  throw new Error('There is no create.');
}
