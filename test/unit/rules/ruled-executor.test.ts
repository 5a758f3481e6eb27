import type { Executor } from '../../../lib/executor/executor.js';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';
import type { StoredField, StoredModel } from '../../../lib/model/storage/storage.js';
import { printQuery } from '../../../lib/prisma/print-query.js';
import { selectFields } from '../../../lib/query/fields.js';
import type { Query } from '../../../lib/query/query.js';
import type { ResultOf } from '../../../lib/query/result.js';
import type { WrittenRecord } from '../../../lib/query/write.js';
import { compileRules } from '../../../lib/rules/compile-rules.js';
import { CallerRules } from '../../../lib/rules/caller-rules.js';
import { FoundRows } from '../../../lib/rules/rows.js';
import { neededRules, ruleKey } from '../../../lib/rules/required-rules.js';
import { ruledExecutor } from '../../../lib/rules/ruled-executor.js';
import { RuleSet } from '../../../lib/rules/rule-set.js';
import type { RulesOption } from '../../../lib/rules/rules-option.js';
import { schemaOf } from '../rpc/model-of.js';

/** The column `tenantId` is part of three keys: one of a relation that is ignored, one of a model whose rows are all hidden. */
const schema = schemaOf(`
model Tenant {
  id    Int    @id
  vault Task[]
  rooms Room[]
}

model Room {
  tenantId Int
  id       Int
  tenant   Tenant @relation(fields: [tenantId], references: [id])
  tasks    Task[]
  @@id([tenantId, id])
}

model Task {
  id       Int     @id
  tenantId Int
  roomId   Int?
  title    String
  vault    Tenant  @relation(fields: [tenantId], references: [id])
  room     Room?   @relation(fields: [tenantId, roomId], references: [tenantId, id])
}
`);
const { vault, ...fields } = schema.models['Task']?.fields ?? {};
if (!schema.models['Task'] || !vault) throw new Error('no relation');
const storage = buildStorage({ ...schema, models: { ...schema.models, Task: { ...schema.models['Task'], fields, ignored: { vault } } } });
const task = storedModel(storage, 'Task');

/** Returns an executor that returns one row for each write, and the list of its calls. */
function recording(row: object, count = 1): { readonly executor: Executor; readonly calls: unknown[] } {
  const calls: unknown[] = [];
  const run = <Sent extends Query>(query: Sent): Promise<ResultOf<Sent>> => {
    const { operation, delegate, args } = printQuery(query);
    calls.push([`${delegate}.${operation}`, args]);
    return Promise.resolve((query.kind === 'count' ? count : row) as ResultOf<Sent>);
  };
  return { executor: { run }, calls };
}

async function runAs(rules: RulesOption, query: Query, executor: Executor): Promise<unknown> {
  const caller = new CallerRules(compileRules(rules, storage, []), storage, {});
  const needed = neededRules([query]);
  const conditions = await Promise.all(
    needed.map(async ({ model, name }) => [ruleKey(model, name), await caller.evaluate(model, name)] as const),
  );
  const session = { executor, rules: new RuleSet(storage, new Map(conditions)), maxRows: 10, foundRows: new FoundRows(new Set()) };
  return ruledExecutor(session).run(query);
}

function update(values: Readonly<Record<string, unknown>>, isSettled?: true): Query {
  const fields = Object.entries(values).map(([name, value]) => ({
    field: field(task, name),
    operation: 'set' as const,
    value,
    ...(isSettled && { isSettled }),
  }));
  const record: WrittenRecord = { kind: 'record', model: task, action: 'update', fields, relations: [], at: [] };
  const [key] = [task.primaryKey];
  if (!key) throw new Error('no key');
  const where = { keys: [{ kind: 'key', model: task, key, values: [1] }], more: { kind: 'always' } } as const;
  return { kind: 'update', model: task, where, record, selection: selectFields(task, ['title']) };
}

function field({ fields }: StoredModel, name: string): StoredField {
  const found = fields.get(name);
  if (!found) throw new Error(name);
  return found;
}

const ROW = { id: 1, tenantId: 5, roomId: 2, title: 'x' };
const OPEN: RulesOption = { 'Task': true, 'Room': true, 'Tenant': { read: { id: 7 } }, '*': false };

describe('ruledExecutor', () => {
  it('checks after the write each row that a column of a changed key references, through ignored relations too', async () => {
    const { executor, calls } = recording(ROW);
    await expect(runAs({ ...OPEN, Room: { read: { id: 3 } } }, update({ tenantId: 5 }), executor)).resolves.toEqual({ title: 'x' });
    expect(calls.slice(1)).toEqual([
      ['room.count', { where: { AND: [{ tenantId: 5, id: 2 }, { id: 3 }] } }],
      ['tenant.count', { where: { id: { in: [5], equals: 7 } } }],
    ]);
  });

  it('refuses a key of a hidden row as one of a row that does not exist', async () => {
    const { executor } = recording(ROW, 0);
    await expect(runAs(OPEN, update({ tenantId: 5 }), executor)).rejects.toThrow("There is no record that 'tenantId' refers to.");
  });

  it('checks nothing where all rows are visible, the key is null, or the server has set it', async () => {
    for (const [rules, query] of [
      [{ ...OPEN, Tenant: true, Room: { update: { id: 1 }, read: true } }, update({ tenantId: 5 })],
      [{ ...OPEN, Tenant: { read: { id: 7 } } }, update({ title: 'y' })],
      [OPEN, update({ tenantId: 5 }, true)],
    ] as const) {
      const { executor, calls } = recording(ROW);
      await runAs(rules, query, executor);
      expect(calls).toHaveLength(1);
    }
    const { executor, calls } = recording({ ...ROW, roomId: null });
    await runAs({ ...OPEN, Room: { read: { id: 3 } } }, update({ roomId: null }), executor);
    expect(calls).toHaveLength(1);
  });
});
