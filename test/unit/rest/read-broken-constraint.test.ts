import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { type Resource, type ResourceModel } from '../../../lib/model/resource-model.js';
import { type SchemaKey } from '../../../lib/model/resource-schema.js';
import { type Linkage, type ResourceIntent } from '../../../lib/rest/parse/write-intent.js';
import { readBrokenConstraint } from '../../../lib/rest/read-broken-constraint.js';
import { belongsTo, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

const LONG = 'l'.repeat(40);

/** Names that could be taken for others, and names that the database cuts off. */
const { model: MODEL } = buildResourceModel(
  schemaOf({
    Member: modelOf(
      {
        id: ID,
        tenant: scalar('Int', { api: 'hidden' }),
        login: scalar('String'),
        a: scalar('Int'),
        b: scalar('Int'),
        a_b: scalar('Int'),
        groupId: scalar('Int'),
        group: belongsTo('Group', 'members', { fields: ['groupId'] }),
        cards: hasMany('Card', 'member'),
        teams: hasMany('Team', 'members'),
      },
      { uniqueKeys: [keyOf('login'), keyOf('tenant', 'login'), keyOf('a', 'b'), keyOf('a_b'), named('badge', 'b', 'login')] },
    ),
    Group: modelOf({ id: ID, members: hasMany('Member', 'group') }),
    Card: modelOf({ id: ID, memberId: scalar('Int'), member: belongsTo('Member', 'cards', { fields: ['memberId'] }) }),
    Team: modelOf({ id: ID, members: hasMany('Member', 'teams') }),
    [`A${LONG}`]: modelOf(
      { id: ID, [`x${LONG}`]: scalar('Int'), [`y${LONG}`]: scalar('Int') },
      { uniqueKeys: [keyOf(`x${LONG}`), keyOf(`y${LONG}`), keyOf(`x${LONG}`, `y${LONG}`)] },
    ),
  }),
);

function named(name: string, ...fields: readonly string[]): SchemaKey {
  return { name, fields };
}

/** What broke, as a driver adapter tells it. */
function read(broken: object, intent = create('Member')): readonly string[] {
  return readBrokenConstraint({ meta: { driverAdapterError: { cause: broken } } }, intent);
}

function create(model: string, ...linked: readonly string[]): ResourceIntent {
  const resource = resourceOf(model, MODEL);
  const linkages = resource.relationships.filter(({ name }) => linked.includes(name)).map(linkageTo);
  return { kind: 'create', resource, content: { attributes: [], linkages } };
}

function resourceOf(name: string, { byModel }: ResourceModel): Resource {
  const resource = byModel.get(name);
  if (!resource) throw new Error(`There is no model ${name}.`);
  return resource;
}

function linkageTo(relationship: Resource['relationships'][number]): Linkage {
  return { relationship, records: [], pointer: `/data/relationships/${relationship.member}/data` };
}

describe('readBrokenConstraint', () => {
  it.each([
    ['the primary key', 'Member_pkey', ['id']],
    ['a unique key', 'Member_login_key', ['login']],
    ['one of several fields, of which the API hides one', 'Member_tenant_login_key', ['tenant', 'login']],
    ['one with a name of its own in Prisma, which the database does not know', 'Member_b_login_key', ['b', 'login']],
    ['a foreign key', 'Member_groupId_fkey', ['groupId']],
  ])('knows by its name: %s', (_, index, fields) => {
    expect(read({ constraint: { index } })).toEqual(fields);
    expect(read({ constraint: { index }, table: 'Member' })).toEqual(fields);
  });

  it.each([
    ['a name that the schema gives', 'members_login'],
    ["another table's", 'Card_memberId_fkey'],
    ['an index that is no key', 'Member_login_idx'],
    ['a name that stands for two keys', 'Member_a_b_key'],
    ['a part of a name', 'Member_login'],
    ['the name in other letters', 'member_login_key'],
    ['the name of no field', 'Member__key'],
    ["MySQL's one name for every primary key", 'PRIMARY'],
    ['no name', ''],
  ])('is in doubt about %s', (_, index) => {
    expect(read({ constraint: { index } })).toEqual([]);
  });

  it.each([
    ['nothing', {}],
    ['a foreign key without a name', { constraint: { foreignKey: {} } }],
    ['something else', { constraint: { index: 7, fields: 'login' } }],
  ])('finds nothing where the driver tells %s', (_, broken) => {
    expect(read(broken)).toEqual([]);
    expect(readBrokenConstraint(undefined, create('Member'))).toEqual([]);
  });

  it('takes columns as they are, without their quotes', () => {
    expect(read({ constraint: { fields: ['"groupId"', 'login'] } })).toEqual(['groupId', 'login']);
  });

  it('knows a table by the name that the driver tells, unless the write changes others', () => {
    const broken = { constraint: { index: 'members_login_key' }, table: 'members' };
    expect(read(broken)).toEqual(['login']);
    expect(read(broken, create('Member', 'group', 'teams'))).toEqual(['login']);
    expect(read(broken, create('Member', 'cards'))).toEqual([]);
    expect(read({ constraint: { index: 'Member_login_key' }, table: 'Member' }, create('Member', 'cards'))).toEqual(['login']);
    expect(read({ constraint: { index: 'Member_login_key' }, table: 'members' })).toEqual([]);
  });

  it('knows a name that PostgreSQL cuts off after 63 characters, where it is the only one', () => {
    const cut = (text: string): string => `${text.slice(0, 59)}_key`;
    const intent = create(`A${LONG}`);
    expect(read({ constraint: { index: cut(`A${LONG}_y${LONG}`) } }, intent)).toEqual([`y${LONG}`]);
    expect(read({ constraint: { index: cut(`A${LONG}_x${LONG}`) } }, intent)).toEqual([]);
    expect(read({ constraint: { index: `A${LONG}_y${LONG}_key` } }, intent)).toEqual([]);
    const table = 't'.repeat(70);
    expect(read({ constraint: { index: `${table.slice(0, 58)}_pkey` }, table }, intent)).toEqual(['id']);
  });
});
