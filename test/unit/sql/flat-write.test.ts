import { describe, expect, it } from '@jest/globals';
import type { StoredModel } from '../../../lib/model/storage/storage.js';
import { ALWAYS, type UniqueCondition } from '../../../lib/query/condition.js';
import type { CallPlan, DataCall } from '../../../lib/executor/plan.js';
import { fieldNamed, hasValues, selectFields } from '../../../lib/query/fields.js';
import { uniqueCondition } from '../../../lib/query/key.js';
import { findMany } from '../../../lib/query/read.js';
import type { Create, Update, WrittenRecord, WrittenRelation } from '../../../lib/query/write.js';
import { flatWrite, isOneStatement } from '../../../lib/sql/flat-write.js';
import { modelOf } from '../rpc/model-of.js';

const { storage } = modelOf(`
model Person {
  id       Int       @id @default(autoincrement())
  login    String    @unique
  friends  Person[]  @relation("friends")
  friendOf Person[]  @relation("friends")
  language Language? @relation(fields: [code], references: [code])
  code     String?   @db.Citext
  regions  Region[]
}

model Language {
  code    String   @id @db.Citext
  persons Person[]
}

model Region {
  code    String   @id @db.Char(4)
  persons Person[]
  cities  City[]
}

model City {
  id         Int     @id
  region     Region? @relation(fields: [regionCode], references: [code])
  regionCode String? @db.VarChar(4)
}
`).model;

const modelNamed = (name: string): StoredModel => storage.byModel.get(name) ?? missing(name);
const [model, language, region, city] = [modelNamed('Person'), modelNamed('Language'), modelNamed('Region'), modelNamed('City')];

function missing(name: string): never {
  throw new Error(`There is no ${name}.`);
}

const by = (name: string, value: unknown, of = model): UniqueCondition =>
  uniqueCondition(of, { name, fields: [{ name }] }, { [name]: value });

const connecting = (name: string, row: UniqueCondition, target = model, owner = model): WrittenRelation => ({
  relation: owner.relations.get(name) ?? missing(name),
  target,
  verbs: [{ kind: 'connect', row }],
});

describe('an update', () => {
  const update = (relations: readonly WrittenRelation[], login?: string): Update => ({
    kind: 'update',
    model,
    where: by('id', 1),
    record: {
      kind: 'record',
      model,
      action: 'update',
      fields: login === undefined ? [] : [{ field: fieldNamed(model, 'login'), operation: 'set', value: login }],
      relations,
      at: [],
    },
    selection: selectFields(model, ['id']),
  });
  const flat = (query: Update): unknown => flatWrite({ kind: 'call', call: { query } }, { isBound: false });

  it('links a row of the table that it updates', () => {
    expect(flat(update([connecting('friends', by('login', 'ann'))]))).toMatchObject({ links: [{ kind: 'connect' }] });
  });

  it('needs several statements where it also changes a column, because the linked row may be the updated one', () => {
    expect(() => flat(update([connecting('friends', by('login', 'ann'))], 'zed'))).toThrow('a write of several statements');
  });

  it('is left to Prisma where a referenced key may be stored as a case variant of the given one', () => {
    expect(() => flat(update([connecting('language', by('code', 'EN', language), language)]))).toThrow('another spelling');
  });

  it.each([
    ['a join table', update([connecting('regions', by('code', 'x', region), region)])],
    ['a row of another table', { ...update([connecting('cities', by('id', 1, city), city, region)]), model: region }],
  ])('is left to Prisma where %s may hold its key without the blanks at its end', (_, query) => {
    expect(() => flat(query)).toThrow('another spelling');
  });

  it('is left to Prisma where a linked row has conditions besides its key', () => {
    const row = { ...by('login', 'ann'), more: { kind: 'not', condition: ALWAYS } } as const;
    expect(() => flat(update([connecting('friends', row)]))).toThrow('a row that meets conditions');
  });
});

describe('a write of a caller with hidden rows', () => {
  const isBound = true;
  const record = (fields: Readonly<Record<string, unknown>>): WrittenRecord => ({
    kind: 'record',
    model: city,
    action: 'create',
    fields: Object.entries(fields).map(([name, value]) => ({ field: fieldNamed(city, name), operation: 'set', value })),
    relations: [],
    at: [],
  });
  const checkOf = (code: string): DataCall => ({
    query: findMany({ model: region, where: hasValues(region, { code }), selection: selectFields(region, ['code']) }),
    expect: { kind: 'all-found', wanted: [{ key: { code }, detail: '' }] },
  });
  const create = (fields: Readonly<Record<string, unknown>>, ...before: readonly DataCall[]): CallPlan => {
    const query: Create = { kind: 'create', model: city, record: record(fields), selection: selectFields(city, ['id']) };
    return { kind: 'call', call: { query, before } };
  };
  const isOne = (plan: CallPlan): boolean => isOneStatement(plan, { isBound, storage });

  it.each([create({ id: 1, regionCode: 'a' }, checkOf('a')), create({ id: 1, regionCode: null }), create({ id: 1 })])(
    'is one statement where it references a row that a check has found, or none',
    (plan) => {
      expect(isOne(plan)).toBe(true);
      const hasCheck = (plan.call.before ?? []).length > 0;
      expect(flatWrite(plan, { isBound })).toMatchObject({ referred: [], ...(hasCheck && { seen: [{ model: region }] }) });
    },
  );

  it.each([create({ id: 1, regionCode: 'a' }), create({ id: 1, regionCode: 'a' }, checkOf('b'))])(
    'is a transaction, which checks the row afterwards, where no check has found the row',
    (plan) => {
      expect(isOne(plan)).toBe(false);
    },
  );

  it('is a transaction where a part of the key is a value that the row has already', () => {
    const query: Update = {
      kind: 'update',
      model: city,
      where: by('id', 1, city),
      record: record({}),
      selection: selectFields(city, ['id']),
    };
    const field = fieldNamed(city, 'regionCode');
    const changed = { ...query, record: { ...query.record, fields: [{ field, operation: 'increment', value: 1 }] } } as const;
    expect(isOne({ kind: 'call', call: { query: changed } })).toBe(false);
  });
});
