import { describe, expect, it } from '@jest/globals';
import { buildStorage } from '../../../../lib/model/storage/build-storage.js';
import type { StoredModel } from '../../../../lib/model/storage/storage.js';
import { storedModel } from '../../../../lib/model/storage/stored-model.js';
import type { DatabaseProvider, SchemaKey } from '../../../../lib/model/schema/resource-schema.js';
import { readBrokenConstraint } from '../../../../lib/model/storage/read-broken-constraint.js';
import { belongsTo, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../schema-builder.js';

const LONG = 'l'.repeat(40);

/** Ambiguous names of constraints, mapped names, and names that the database truncates. */
const SCHEMA = schemaOf({
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
    },
    { uniqueKeys: [keyOf('login'), keyOf('tenant', 'login'), keyOf('a', 'b'), keyOf('a_b'), { name: 'badge', fields: ['b', 'login'] }] },
  ),
  Group: modelOf({ id: ID, members: hasMany('Member', 'group'), cards: hasMany('Card', 'group') }),
  Card: modelOf(
    {
      id: scalar('Int', { column: 'card_no' }),
      number: scalar('Int', { column: 'id' }),
      color: scalar('String'),
      groupId: scalar('Int', { column: 'group_id' }),
      group: belongsTo('Group', 'cards', { fields: ['groupId'] }),
    },
    { table: 'cards', uniqueKeys: [keyOf('number'), keyOf('groupId', 'color'), ownKey('uq_color', 'color')] },
  ),
  [`A${LONG}`]: modelOf(
    { id: ID, [`x${LONG}`]: scalar('Int'), [`y${LONG}`]: scalar('Int') },
    { uniqueKeys: [keyOf(`x${LONG}`), keyOf(`y${LONG}`), keyOf(`x${LONG}`, `y${LONG}`)] },
  ),
});

function ownKey(constraint: string, ...fields: readonly string[]): SchemaKey {
  return { ...keyOf(...fields), constraint };
}

/** Returns the fields of a violated constraint, which a driver adapter describes. */
function read(broken: object, stored = storedOf('Member')): readonly string[] {
  return readBrokenConstraint({ meta: { driverAdapterError: { cause: broken } } }, stored);
}

function storedOf(name: string, provider: DatabaseProvider = 'postgresql'): StoredModel {
  return storedModel(buildStorage({ ...SCHEMA, provider }), name);
}

describe('readBrokenConstraint', () => {
  it.each([
    ['the primary key', 'Member_pkey', ['id']],
    ['a unique key', 'Member_login_key', ['login']],
    ['one of several fields, of which the API hides one', 'Member_tenant_login_key', ['tenant', 'login']],
    ['one that has a name in the arguments of Prisma alone', 'Member_b_login_key', ['b', 'login']],
    ['a foreign key', 'Member_groupId_fkey', ['groupId']],
  ])("returns the fields by Prisma's name of the constraint: %s", (_, index, fields) => {
    expect(read({ constraint: { index } })).toEqual(fields);
    expect(read({ constraint: { index }, table: 'Member' })).toEqual(fields);
    expect(read({ constraint: { index }, table: 'members' })).toEqual([]);
  });

  it.each([
    ['the primary key', 'cards_pkey', ['id']],
    ['a unique key', 'cards_id_key', ['number']],
    ['one of several columns', 'cards_group_id_color_key', ['groupId', 'color']],
    ['a foreign key', 'cards_group_id_fkey', ['groupId']],
    ['one that the schema names', 'uq_color', ['color']],
    ["none by Prisma's names", 'Card_pkey', []],
    ['none by the name that it would have, had the schema not named it', 'cards_color_key', []],
  ])('returns the fields by the name of the constraint in the database: %s', (_, index, fields) => {
    expect(read({ constraint: { index } }, storedOf('Card'))).toEqual(fields);
    expect(read({ constraint: { index }, table: 'cards' }, storedOf('Card'))).toEqual(fields);
  });

  it.each([
    ['a name that no constraint of the schema has', 'members_login'],
    ["another table's", 'cards_group_id_fkey'],
    ['an index that is no key', 'Member_login_idx'],
    ['a name that two keys could have', 'Member_a_b_key'],
    ['a part of a name', 'Member_login'],
    ['a case variant of the name', 'member_login_key'],
    ['the name of no field', 'Member__key'],
    ['no name', ''],
  ])('returns nothing for %s', (_, index) => {
    expect(read({ constraint: { index } })).toEqual([]);
  });

  it('returns the primary key by the name PRIMARY on MySQL alone', () => {
    const broken = { constraint: { index: 'PRIMARY' } };
    expect(read(broken, storedOf('Card', 'mysql'))).toEqual(['id']);
    expect(read({ ...broken, table: 'cards' }, storedOf('Card', 'mysql'))).toEqual(['id']);
    expect(read({ ...broken, table: 'Member' }, storedOf('Card', 'mysql'))).toEqual([]);
    expect(read(broken, storedOf('Card'))).toEqual([]);
  });

  it.each([
    ['nothing', {}],
    ['a foreign key without a name', { constraint: { foreignKey: {} } }],
    ['something else', { constraint: { index: 7, fields: 'login' } }],
    ['a column that the schema lacks', { constraint: { fields: ['group_id'] } }],
  ])('returns nothing where the driver reports %s', (_, broken) => {
    expect(read(broken)).toEqual([]);
    expect(readBrokenConstraint(undefined, storedOf('Member'))).toEqual([]);
  });

  it('returns the fields of quoted and mapped columns', () => {
    expect(read({ constraint: { fields: ['"groupId"', 'login'] } })).toEqual(['groupId', 'login']);
    expect(read({ constraint: { fields: ['group_id', 'id', 'card_no'] } }, storedOf('Card'))).toEqual(['groupId', 'number', 'id']);
  });

  it.each([
    ['postgresql', 63],
    ['mysql', 64],
    ['sqlserver', 128],
  ] as const)('returns the field of a name that is truncated on %s after %d characters, where it is unambiguous', (provider, length) => {
    const stored = storedOf(`A${LONG}`, provider);
    const cut = (text: string): string => `${text.slice(0, length - 4)}_key`;
    expect(read({ constraint: { index: cut(`A${LONG}_y${LONG}`) } }, stored)).toEqual([`y${LONG}`]);
    const ofSeveral = length < 128 ? [] : [`x${LONG}`];
    expect(read({ constraint: { index: cut(`A${LONG}_x${LONG}`) } }, stored)).toEqual(ofSeveral);
  });
});
