import { describe, expect, it } from '@jest/globals';
import { buildStorage } from '../../../../../lib/model/storage/build-storage.js';
import { storedModel } from '../../../../../lib/model/storage/stored-model.js';
import { printRecord } from '../../../../../lib/prisma/print-record.js';
import { uniqueCondition } from '../../../../../lib/query/key.js';
import type { WrittenField, WrittenRecord } from '../../../../../lib/query/write.js';
import { placeValues } from '../../../../../lib/run/stages/server-values/with-server-values.js';
import { belongsTo, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../../../model/schema-builder.js';

const number = scalar('Int', { optional: true });
const storage = buildStorage(
  schemaOf({
    User: modelOf({ id: ID, tasks: hasMany('Task', 'createdBy') }),
    Team: modelOf(
      { tenantId: scalar('Int'), number: scalar('Int'), tasks: hasMany('Task', 'team') },
      { primaryKey: keyOf('tenantId', 'number') },
    ),
    List: modelOf({ id: ID, tasks: hasMany('Task', 'list') }),
    Task: modelOf({
      id: ID,
      title: scalar('String'),
      createdById: number,
      createdBy: belongsTo('User', 'tasks', { fields: ['createdById'], optional: true }),
      tenantId: number,
      teamNumber: number,
      team: belongsTo('Team', 'tasks', { fields: ['tenantId', 'teamNumber'], references: ['tenantId', 'number'], optional: true }),
      listId: number,
      list: belongsTo('List', 'tasks', { fields: ['listId'], optional: true }),
    }),
  }),
);
const Task = storedModel(storage, 'Task');
const List = storedModel(storage, 'List');

function field(name: string, value: unknown): WrittenField {
  const found = Task.fields.get(name);
  if (!found) throw new Error(name);
  return { field: found, operation: 'set', value };
}

function record(action: WrittenRecord['action'], isLinked: boolean): WrittenRecord {
  const list = Task.relations.get('list');
  const row = uniqueCondition(List, { name: 'id', fields: [{ name: 'id' }] }, { id: 7 });
  const relations = isLinked && list ? [{ relation: list, target: List, verbs: [{ kind: 'connect', row } as const] }] : [];
  return { kind: 'record', model: Task, action, fields: [field('title', 'given')], relations, at: ['data'] };
}

const LINKED = { list: { connect: { id: 7 } } };

describe('values of the server in a record', () => {
  it('are set as fields where no relation has them as its key, and replace given ones', () => {
    const placed = placeValues(record('create', false), [field('createdById', 1), field('title', 'set')], storage);
    expect(printRecord(placed)).toEqual({ createdById: 1, title: 'set' });
  });

  it("are connections where all fields of a relation's key are set", () => {
    const values = [field('createdById', 1), field('tenantId', 2), field('teamNumber', 3), field('title', 'set')];
    expect(printRecord(placeValues(record('create', true), values, storage))).toEqual({
      title: 'set',
      createdBy: { connect: { id: 1 } },
      team: { connect: { tenantId_number: { tenantId: 2, number: 3 } } },
      ...LINKED,
    });
  });

  it('disconnect where the key is null in an update, and are omitted in a create', () => {
    const values = [field('createdById', null)];
    expect(printRecord(placeValues(record('create', true), values, storage))).toEqual({ title: 'given', ...LINKED });
    expect(printRecord(placeValues(record('update', true), values, storage))).toEqual({
      title: 'given',
      createdBy: { disconnect: true },
      ...LINKED,
    });
  });

  it.each(['create', 'update'] as const)('are set as fields beside a link where a link cannot express them: %s', (action) => {
    const print = (...set: WrittenField[]): unknown => printRecord(placeValues(record(action, true), set, storage));
    expect(print(field('tenantId', 2))).toEqual({ title: 'given', tenantId: 2, ...LINKED });
    const nulls = action === 'update' ? { teamNumber: null } : {};
    expect(print(field('tenantId', 2), field('teamNumber', null))).toEqual({ title: 'given', tenantId: 2, ...nulls, ...LINKED });
    expect(print(field('teamNumber', null))).toEqual({ title: 'given', ...nulls, ...LINKED });
  });

  it('are null beside a link where the column has a default', () => {
    const ownerId = {
      ...field('createdById', null),
      field: { ...field('createdById', null).field, default: { kind: 'value', value: 1 } },
    } as const;
    expect(printRecord(placeValues(record('create', true), [ownerId], storage))).toEqual({ title: 'given', createdById: null, ...LINKED });
  });
});
