import { describe, expect, it } from '@jest/globals';
import { printCondition, printUnique } from '../../../lib/prisma/print-condition.js';
import { printQuery } from '../../../lib/prisma/print-query.js';
import { printSelection } from '../../../lib/prisma/print-selection.js';
import type { StoredField, StoredModel, StoredRelation } from '../../../lib/model/storage/storage.js';
import { ALWAYS, and, compare, type Condition, equals, NEVER, not, or } from '../../../lib/query/condition.js';
import { mapCondition } from '../../../lib/query/map-condition.js';
import { type Selection, WHOLE } from '../../../lib/query/selection.js';
import type { WrittenRecord } from '../../../lib/query/write.js';
import { modelOf } from '../rpc/model-of.js';

const { model } = modelOf(`
model Account {
  id      Int      @id
  name    String
  sensors Sensor[]
}

model Sensor {
  id     Int      @id
  data   Account? @relation(fields: [dataId], references: [id])
  dataId Int?
  area   Int
  spot   Int
  value  Float?
  @@unique([area, spot])
}
`);
const account = stored('Account');
const sensor = stored('Sensor');
const value = field(sensor, 'value');
const data = relation(sensor, 'data');
const sensors = relation(account, 'sensors');

describe('printCondition', () => {
  const is = (condition: Condition): Condition => ({ kind: 'is', relation: data, target: account, condition });
  const some = (condition: Condition): Condition => ({ kind: 'some', relation: sensors, target: sensor, condition });

  it.each<[string, Condition, StoredModel, unknown]>([
    ['nothing', ALWAYS, sensor, {}],
    ['no row', NEVER, sensor, { id: { in: [] } }],
    ['members of different fields', and(compare(value, 'gt', 1), equals(field(sensor, 'id'), 2)), sensor, { value: { gt: 1 }, id: 2 }],
    ['members of one field', and(compare(value, 'gt', 1), compare(value, 'lt', 5)), sensor, { value: { gt: 1, lt: 5 } }],
    ['alternatives', or(equals(value, null), not(equals(value, 2))), sensor, { OR: [{ value: null }, { NOT: { value: 2 } }] }],
    ['a comparison that must not hold', { ...compare(value, 'lt', 3), isNegated: true }, sensor, { value: { not: { lt: 3 } } }],
    ['a value that it must not have', { ...equals(value, 3), isNegated: true }, sensor, { value: { not: 3 } }],
    ['a relation called as an argument is', is(equals(field(account, 'name'), 'a')), sensor, { data: { name: 'a' } }],
    ['a related row', is(ALWAYS), sensor, { data: { isNot: null } }],
    ['any related row', some(ALWAYS), account, { sensors: { some: {} } }],
    ['no related row', some(NEVER), account, { sensors: { some: { id: { in: [] } } } }],
  ])('prints %s', (_, condition, of, where) => {
    expect(printCondition(condition, of)).toEqual(where);
  });

  it('prints keys by their names in queries of one row', () => {
    const [key] = sensor.uniqueKeys;
    if (!key) throw new Error('no key');
    const named = { kind: 'key', model: sensor, key, values: [1, 2] } as const;
    // Of a key, Prisma takes no filter there.
    expect(printUnique({ keys: [named], more: compare(field(sensor, 'id'), 'in', []) }, sensor)).toEqual({
      area_spot: { area: 1, spot: 2 },
      AND: [{ id: { in: [] } }],
    });
    expect(printUnique({ keys: [named], more: compare(value, 'gt', 1) }, sensor)).toEqual({
      area_spot: { area: 1, spot: 2 },
      value: { gt: 1 },
    });
    expect(printCondition(named, sensor)).toEqual({ area: 1, spot: 2 });
    const more = equals(field(sensor, 'id'), 7);
    const id = { kind: 'key', model: sensor, key: { name: 'id', fields: ['id'] }, values: [7] } as const;
    expect(printUnique({ keys: [id], more }, sensor)).toEqual({ id: 7, AND: [{ id: 7 }] });
  });
});

describe('and, or and not', () => {
  it('are simplified', () => {
    expect(and()).toBe(ALWAYS);
    expect(or()).toBe(NEVER);
    expect(and(ALWAYS, NEVER)).toBe(NEVER);
    expect(or(NEVER, ALWAYS)).toBe(ALWAYS);
    expect(not(NEVER)).toBe(ALWAYS);
    const one = equals(value, 1);
    expect(and(ALWAYS, one)).toBe(one);
    expect(and(and(one, one), one)).toEqual({ kind: 'and', conditions: [one, one, one] });
  });

  it('are mapped from the leaves up, and an unchanged node is returned itself', () => {
    const tree = and(equals(value, 1), or(equals(value, 2), not(equals(value, 3))));
    expect(mapCondition(tree, (one) => one)).toBe(tree);
    const none = mapCondition(tree, (one) => (one.kind === 'compare' && one.operand === 1 ? NEVER : one));
    expect(none).toBe(NEVER);
  });
});

describe('printQuery', () => {
  const selection: Selection = { kind: 'selection', model: account, members: [{ kind: 'field', field: field(account, 'id') }] };

  it('prints the arguments of a list', () => {
    const order = [{ kind: 'count-term', path: [], counted: { relation: sensors, target: sensor }, direction: 'desc' }] as const;
    const find = {
      kind: 'find',
      model: account,
      rows: 'many',
      where: ALWAYS,
      order,
      page: { take: 2 },
      selection,
      isRequired: false,
    } as const;
    expect(printQuery(find)).toEqual({
      delegate: 'account',
      operation: 'findMany',
      args: { orderBy: [{ sensors: { _count: 'desc' } }], take: 2, select: { id: true } },
    });
  });

  it('omits a selection that Prisma makes by default, where it may', () => {
    const all = { ...selection, members: [...account.fields.values()].map((one) => ({ kind: 'field', field: one }) as const) };
    const counts = { kind: 'counts', counts: [{ relation: sensors, target: sensor, where: ALWAYS }] } as const;
    const where = { keys: [{ kind: 'key', model: account, key: { name: 'id', fields: ['id'] }, values: [7] }], more: ALWAYS } as const;
    const printed = (chosen: Selection, leavesOut = true): object =>
      printQuery({ kind: 'find-unique', model: account, where, selection: chosen, isRequired: false }, { leavesOut }).args;
    expect(printed(all)).toEqual({ where: { id: 7 } });
    expect(printed(all, false)).toEqual({ where: { id: 7 }, select: { id: true, name: true } });
    expect(printed(selection)).toEqual({ where: { id: 7 }, select: { id: true } });
    // Rows have their members in the order of the selection.
    expect(printed({ ...all, members: all.members.toReversed() })).toHaveProperty('select');
    expect(printed({ ...all, members: [...all.members, counts] })).toHaveProperty('select._count');
    expect(printed({ ...all, members: [...all.members.slice(0, 1), { kind: 'computed', name: 'name' }] })).toHaveProperty('select.name');
  });

  it('prints a selection once', () => {
    expect(printSelection(selection)).toBe(printSelection(selection));
    const members = [{ kind: 'many', relation: sensors, target: sensor, where: NEVER, order: [], page: WHOLE, selection }] as const;
    expect(printSelection({ ...selection, members })).toEqual({ sensors: { where: { id: { in: [] } }, select: { id: true } } });
  });

  it('prints writes through relations, with lists for to-many relations alone', () => {
    const record = (of: StoredModel, rest: Partial<WrittenRecord> = {}): WrittenRecord => {
      return { kind: 'record', model: of, action: 'update', fields: [], relations: [], at: [], ...rest };
    };
    const owner = record(account, { fields: [{ field: field(account, 'name'), operation: 'set', value: 'x' }] });
    const verbs = [
      { kind: 'update-related', row: ALWAYS, record: owner },
      { kind: 'disconnect', row: ALWAYS },
    ] as const;
    const written = record(sensor, {
      fields: [{ field: value, operation: 'increment', value: 1 }],
      relations: [{ relation: data, target: account, verbs }],
    });
    const id = { kind: 'key', model: sensor, key: { name: 'id', fields: ['id'] }, values: [7] } as const;
    const where = { keys: [id], more: ALWAYS } as const;
    expect(printQuery({ kind: 'update', model: sensor, where, record: written, selection }).args).toEqual({
      where: { id: 7 },
      data: { value: { increment: 1 }, data: { update: { name: 'x' }, disconnect: true } },
      select: { id: true },
    });
    const many = [
      { kind: 'connect', row: where },
      { kind: 'connect', row: where },
      { kind: 'set', rows: [] },
      { kind: 'delete-many-related', where: ALWAYS },
    ] as const;
    const account1 = record(account, { relations: [{ relation: sensors, target: sensor, verbs: many }] });
    expect(printQuery({ kind: 'create', model: account, record: account1, selection }).args).toEqual({
      data: { sensors: { connect: [{ id: 7 }, { id: 7 }], set: [], deleteMany: [{}] } },
      select: { id: true },
    });
  });
});

function stored(name: string): StoredModel {
  return found(model.storage.byModel.get(name));
}

function field(of: StoredModel, name: string): StoredField {
  return found(of.fields.get(name));
}

function relation(of: StoredModel, name: string): StoredRelation {
  return found(of.relations.get(name));
}

function found<Found>(value: Found | undefined): Found {
  if (value === undefined) throw new Error('The schema of the test has no such thing.');
  return value;
}
