import { describe, expect, it } from '@jest/globals';
import { toApiError } from '../../../lib/errors/to-api-error.js';
import { withCallIndex } from '../../../lib/errors/with-call-index.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { toMissingColumnError } from '../../../lib/platform/to-missing-column-error.js';
import { belongsTo, hasMany, ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

const schema = schemaOf({
  Post: modelOf({
    id: ID,
    title: scalar('String', { optional: true }),
    hash: scalar('String', { optional: true }),
    authorId: scalar('Int', { optional: true }),
    author: belongsTo('User', 'posts', { fields: ['authorId'], optional: true, relation: 'Author' }),
  }),
  User: modelOf({ id: ID, posts: hasMany('Post', 'author', { relation: 'Author' }) }),
});
const { model } = buildResourceModel(schema, { resources: { Post: { fields: { hash: 'hidden' } } } });

/** As Prisma 7 throws it. */
function prismaError(cause: object): Error {
  return Object.assign(new Error('Null constraint violation'), {
    name: 'PrismaClientKnownRequestError',
    code: 'P2011',
    meta: { modelName: 'Post', driverAdapterError: { cause: { kind: 'NullConstraintViolation', ...cause } } },
  });
}

const postgresql = (column: string, table = 'Post') =>
  prismaError({
    originalCode: '23502',
    originalMessage: `null value in column "${column}" of relation "${table}" violates not-null constraint`,
  });
const mariadb = (column: string) => prismaError({ constraint: { fields: [column] }, originalCode: '1364' });

/** As ZenStack 3 throws it. */
const zenstack = (column: string) =>
  Object.assign(new Error('DB error'), {
    name: 'ORMError',
    reason: 'db-query-error',
    dbErrorCode: '23502',
    cause: Object.assign(new Error('null value'), { code: '23502', table: 'Post', column }),
  });

describe('a required column without a value', () => {
  it.each([
    ['PostgreSQL', postgresql('title')],
    ['PostgreSQL, of a foreign key', postgresql('authorId')],
    ['MariaDB', mariadb('title')],
    ['SQLite, with quotes', mariadb('"title"')],
    ['ZenStack', zenstack('title')],
  ])('is an error of the client that could set it: %s', (_, thrown) => {
    expect(toMissingColumnError(toApiError(thrown), model)).toMatchObject({ status: 400, message: 'A required value is missing.' });
  });

  it.each([
    ['PostgreSQL', postgresql('tenant')],
    ['PostgreSQL, with a hostile name', postgresql('a" of relation "Post')],
    ['a hidden field', postgresql('hash')],
    ['a column of another table', postgresql('title', 'audit')],
    ['a message in another language', prismaError({ originalCode: '23502', originalMessage: 'NULL-Wert in Spalte »title«' })],
    ['no message', prismaError({})],
    ['MariaDB', mariadb('tenant')],
    ['the prototype of a map', mariadb('constructor')],
    ['ZenStack', zenstack('tenant')],
  ])('is an error of the server where the client cannot set it: %s', (_, thrown) => {
    const error = toMissingColumnError(withCallIndex(toApiError(thrown), 2), model);
    expect(error).toMatchObject({ status: 500, message: 'An unexpected error occurred.', callIndex: 2, cause: thrown });
    expect(error.orm).toBeDefined();
  });

  it('leaves any other error alone', () => {
    const tooLong = toApiError(Object.assign(new Error('x'), { name: 'PrismaClientKnownRequestError', code: 'P2000', meta: {} }));
    expect(toMissingColumnError(tooLong, model)).toBe(tooLong);
  });
});
