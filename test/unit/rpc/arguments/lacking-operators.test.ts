import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import { DEFAULT_LIMITS } from '../../../../lib/model/limits.js';
import type { ResourceSchema } from '../../../../lib/model/schema/resource-schema.js';
import { startBudget } from '../../../../lib/rpc/arguments/argument-path.js';
import { findResource, requireOperation } from '../../../../lib/rpc/parse-rpc-call.js';
import { planDataCall } from '../../../../lib/rpc/plan-rpc-call.js';
import { printCall } from '../../../support/print-plan.js';
import { ID, modelOf, scalar, schemaOf } from '../../model/schema-builder.js';

type Database = Pick<ResourceSchema, 'provider' | 'orm'>;

const SCHEMA = schemaOf({ Note: modelOf({ id: ID, text: scalar('String'), data: scalar('Json') }) });

function planWhere(where: object, database: Database): unknown {
  const { model } = buildResourceModel({ ...SCHEMA, ...database });
  const operation = requireOperation('findMany');
  const call = { resource: findResource(model, 'note'), operation, args: { where } };
  return printCall(planDataCall(call, startBudget(DEFAULT_LIMITS, model.storage))).args['where'];
}

describe('an operator that Prisma does not have on the database', () => {
  it.each([
    ['sqlite', { text: { contains: 'a', mode: 'insensitive' } }, 'where.text.mode'],
    ['mysql', { NOT: { text: { not: { equals: 'a', mode: 'default' } } } }, 'where.NOT.text.not.mode'],
    ['sqlserver', { text: { mode: 'insensitive' } }, 'where.text.mode'],
    ['sqlite', { text: { search: 'a' } }, 'where.text.search'],
    ['cockroachdb', { text: { search: 'a' } }, 'where.text.search'],
    ['sqlite', { data: { path: '$.a', gt: 1 } }, 'where.data.gt'],
    ['cockroachdb', { data: { path: ['a'], lte: 1 } }, 'where.data.lte'],
    ['sqlite', { data: { array_contains: 1 } }, 'where.data.array_contains'],
  ] as const)('is refused on %s, naming it: %j', (provider, where, place) => {
    expect(() => planWhere(where, { provider })).toThrow(`${place} is an operator that the database (${provider}) does not have.`);
  });

  it.each([
    ['postgresql', { text: { contains: 'a', mode: 'insensitive' } }],
    ['mysql', { text: { search: 'a' } }],
    ['mysql', { data: { path: '$.a', gt: 1, mode: 'insensitive' } }],
    ['sqlite', { data: { path: '$.a', string_contains: 'b', mode: 'insensitive' } }],
  ] as const)('is taken on %s, which has it: %j', (provider, where) => {
    expect(planWhere(where, { provider })).toEqual(where);
  });
});

describe('the path into a Json value', () => {
  const JSON_PATH = "where.data.path must be a JSONPath such as '$.a.b' on this database";
  const KEYS = "where.data.path must be a list of keys such as ['a', 'b'] on this database";

  it.each([
    ['mysql', ['a'], `${JSON_PATH} (mysql).`],
    ['sqlite', 'a.b', `${JSON_PATH} (sqlite).`],
    ['sqlite', 7, `${JSON_PATH} (sqlite).`],
    ['postgresql', '$.a', `${KEYS} (postgresql).`],
    ['cockroachdb', 'a', `${KEYS} (cockroachdb).`],
  ] as const)('is refused on %s in a form that is not its own: %j', (provider, path, message) => {
    expect(() => planWhere({ data: { path, equals: 1 } }, { provider })).toThrow(message);
  });

  it.each([
    ['mysql', '$.a[0]'],
    ['sqlite', '$.a'],
    ['postgresql', ['a', '0']],
  ] as const)('is accepted on %s in the form of that database: %j', (provider, path) => {
    expect(planWhere({ data: { path, equals: 1 } }, { provider })).toEqual({ data: { path, equals: 1 } });
  });
});

it("leaves ZenStack's own operators to ZenStack", () => {
  const where = { text: { contains: 'a', mode: 'insensitive' }, data: { path: 'a.b', equals: 1 } };
  expect(planWhere(where, { provider: 'sqlite', orm: 'zenstack' })).toEqual(where);
});
