import { describe, expect, it } from '@jest/globals';
import { lockRow } from '../../../lib/executor/lock-row.js';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';
import { uniqueCondition } from '../../../lib/query/key.js';
import type { UniqueCondition } from '../../../lib/query/condition.js';
import { enumeration, keyOf, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

const storage = buildStorage({
  ...schemaOf({
    Badge: modelOf({ id: enumeration('Kind') }),
    Task: modelOf({ id: scalar('Int') }, { table: 'my"tasks', schema: 'work' }),
    Token: modelOf({ id: scalar('String', { nativeType: ['Uuid', []] }) }),
    Line: modelOf({ order: scalar('BigInt', { column: 'order_id' }), code: scalar('String') }, { primaryKey: keyOf('order', 'code') }),
    Day: modelOf({ id: scalar('DateTime') }),
    Digest: modelOf({ id: scalar('Bytes') }),
    Paper: modelOf({ id: scalar('String', { nativeType: ['Xml', []] }) }),
  }),
  enums: { Kind: { values: ['Alpha', 'Beta'], stored: { Alpha: 'a' }, databaseName: 'kind of', schema: 'types' } },
});

function row(name: string, values: Readonly<Record<string, unknown>>): UniqueCondition {
  const model = storedModel(storage, name);
  const key = model.primaryKey ?? keyOf('id');
  return uniqueCondition(model, { name: key.name, fields: key.fields.map((field) => ({ name: field })) }, values);
}

describe('the statement that locks a row', () => {
  it('names its table and its key as the database does', () => {
    expect(lockRow(row('Task', { id: 1 }), { provider: 'postgresql' })).toEqual({
      text: 'SELECT 1 FROM "work"."my""tasks" WHERE "id" = $1::integer FOR UPDATE',
      values: [1],
    });
    expect(lockRow(row('Token', { id: 'a' }), { provider: 'postgresql' })?.text).toContain('"id" = $1::uuid FOR UPDATE');
    expect(lockRow(row('Line', { order: 1n, code: 'x' }), { provider: 'mysql' })).toEqual({
      text: 'SELECT 1 FROM `Line` WHERE `order_id` = ? AND `code` = ? FOR UPDATE',
      values: [1n, 'x'],
    });
  });

  it('casts what drivers send as texts, and names the schema of the client', () => {
    const schema = 'tenant_a';
    expect(lockRow(row('Day', { id: new Date(0) }), { provider: 'postgresql', schema })).toEqual({
      text: 'SELECT 1 FROM "tenant_a"."Day" WHERE "id" = $1::text::timestamp FOR UPDATE',
      values: ['1970-01-01T00:00:00.000Z'],
    });
    expect(lockRow(row('Digest', { id: Uint8Array.of(1) }), { provider: 'postgresql' })).toEqual({
      text: `SELECT 1 FROM "Digest" WHERE "id" = decode($1::text, 'base64') FOR UPDATE`,
      values: ['AQ=='],
    });
    expect(lockRow(row('Task', { id: 1 }), { provider: 'postgresql', schema })?.text).toContain('"work"."my""tasks"');
  });

  it('compares an enum by its name in the database', () => {
    expect(lockRow(row('Badge', { id: 'Alpha' }), { provider: 'postgresql', schema: 'public' })).toEqual({
      text: 'SELECT 1 FROM "public"."Badge" WHERE "id" = $1::text::"types"."kind of" FOR UPDATE',
      values: ['a'],
    });
    expect(lockRow(row('Badge', { id: 'Beta' }), { provider: 'postgresql' })?.values).toEqual(['Beta']);
  });

  it('does not exist on databases without row locks, and for keys of other types', () => {
    expect(lockRow(row('Task', { id: 1 }), { provider: 'sqlite' })).toBeUndefined();
    expect(lockRow(row('Paper', { id: '<a/>' }), { provider: 'postgresql' })).toBeUndefined();
    expect(lockRow(row('Day', { id: new Date(0) }), { provider: 'mysql' })).toBeUndefined();
  });
});
