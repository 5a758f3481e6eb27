import { describe, expect, it } from '@jest/globals';
import type { DataCall, Plan } from '../../../../../lib/executor/plan.js';
import { DEFAULT_LIMITS } from '../../../../../lib/model/limits.js';
import { type Condition, ALWAYS, compare } from '../../../../../lib/query/condition.js';
import { startBudget } from '../../../../../lib/rpc/arguments/argument-path.js';
import { findResource, requireOperation } from '../../../../../lib/rpc/parse-rpc-call.js';
import { planDataCall } from '../../../../../lib/rpc/plan-rpc-call.js';
import { addVersionChecks, withRequirements } from '../../../../../lib/run/stages/versions/add-version-checks.js';
import { mayRelink } from '../../../../../lib/run/stages/versions/relinked-rows.js';
import { printCall } from '../../../../support/print-plan.js';
import { modelOf } from '../../../rpc/model-of.js';

const MODELS = `
model User {
  id      Int    @id
  name    String
  tasks   Task[]
  badge   Badge?
  /// @api.version
  version Int    @default(0)
}
model Task {
  id      Int    @id
  title   String
  owner   User?  @relation(fields: [ownerId], references: [id])
  ownerId Int?
  notes   Note[]
  tags    Tag[]
  /// @api.version
  version Int    @default(0)
}
model Badge {
  id      Int    @id
  owner   User?  @relation(fields: [ownerId], references: [id])
  ownerId Int?   @unique
  /// @api.version
  version BigInt @default(0)
}
model Note {
  id     Int    @id
  text   String
  task   Task?  @relation(fields: [taskId], references: [id])
  taskId Int?
}
model Tag {
  id      Int    @id
  name    String
  tasks   Task[]
  /// @api.version
  version Int    @default(0)
}`;
const { model: ON_POSTGRESQL } = modelOf(MODELS);
/** MySQL returns no rows of a write. */
const { model: ON_MYSQL } = modelOf(MODELS, { provider: 'mysql' });

const INCREMENT = { version: { increment: 1 } };
const KEY = { id: 1 };
const PLAIN = { select: { id: true } };

type Args = Readonly<Record<string, unknown>>;

function callOf(
  call: string,
  args: Args,
  { model = ON_POSTGRESQL, ...more }: Partial<DataCall> & { model?: typeof ON_POSTGRESQL } = {},
): DataCall {
  const [name = '', operation = ''] = call.split('.');
  const request = { resource: findResource(model, name), operation: requireOperation(operation), args: { ...args } };
  return { ...planDataCall(request, startBudget(DEFAULT_LIMITS, model.storage)), ...more };
}

interface Checked {
  readonly data: unknown;
  readonly where: unknown;
  readonly before: readonly unknown[];
  readonly operation: string;
}

/** Returns the query of a call, and the queries before it. */
function checked(call: DataCall, { storage } = ON_POSTGRESQL): Checked {
  const plan = addVersionChecks({ kind: 'call', call } as const, storage);
  const { before = [], args, operation } = printCall(plan.call);
  const sent = before.map((one) => [`${one.delegate}.${one.operation}`, one.args['where'], one.args['data']]);
  return { data: args['data'] ?? args['update'], where: args['where'], before: sent, operation };
}

function requiring(model: string, version = 3, of = ON_POSTGRESQL): Condition {
  const { version: field } = of.storage.byModel.get(model) ?? {};
  if (!field) throw new Error(`${model} has no version.`);
  return compare(field, 'equals', version);
}

describe('versions of the rows that a write updates', () => {
  it.each<[string, string, Args, unknown]>([
    ['an update', 'task.update', { where: KEY, data: { title: 'x' } }, { title: 'x', ...INCREMENT }],
    ['an update of many', 'task.updateMany', { where: {}, data: { title: 'x' } }, { title: 'x', ...INCREMENT }],
    [
      'the update of an upsert',
      'tag.upsert',
      { where: KEY, create: { id: 1, name: 'x' }, update: { name: 'y' } },
      { name: 'y', ...INCREMENT },
    ],
    ['an update of nothing', 'task.update', { where: KEY, data: {} }, {}],
    ['a create', 'tag.create', { data: { id: 1, name: 'x' } }, { id: 1, name: 'x' }],
    ['an update of a model without them', 'note.update', { where: KEY, data: { text: 'x' } }, { text: 'x' }],
    [
      'records below the written one',
      'note.update',
      { where: KEY, data: { task: { update: { title: 'x' } } } },
      { task: { update: { title: 'x', ...INCREMENT } } },
    ],
    [
      'a record whose links alone are written',
      'task.update',
      { where: KEY, data: { tags: { connect: KEY } } },
      { tags: { connect: [KEY] }, ...INCREMENT },
    ],
  ])('are incremented in %s', (_, call, args, data) => {
    expect(checked(callOf(call, { ...args, ...(!call.endsWith('Many') && PLAIN) })).data).toEqual(data);
  });

  it('are bigints where the column is one', () => {
    expect(checked(callOf('badge.update', { where: KEY, data: { ownerId: 2 } })).data).toEqual({ ownerId: 2, version: { increment: 1n } });
  });

  it('change nothing in a plan of reads, and in one of models without versions', () => {
    const plan: Plan = { kind: 'call', call: callOf('task.findMany', {}) };
    const { storage } = modelOf('model Note {\n id Int @id\n text String\n}').model;
    expect(addVersionChecks({ kind: 'collection', rows: plan.call } as Plan, ON_POSTGRESQL.storage).kind).toBe('collection');
    expect(addVersionChecks(plan, storage)).toBe(plan);
    const batch: Plan = { kind: 'transaction', calls: [plan.call] };
    expect(addVersionChecks(batch, storage)).toBe(batch);
    expect(withRequirements(plan)).toBe(plan);
    expect(withRequirements(batch)).toBe(batch);
  });

  it('are incremented in each write of a batch', () => {
    const calls = ['x', 'y'].map((title) => callOf('task.update', { where: KEY, data: { title } }));
    const { calls: sent } = addVersionChecks({ kind: 'transaction', calls } as const, ON_POSTGRESQL.storage);
    expect(sent.map((call) => printCall(call).args['data'])).toEqual([
      { title: 'x', ...INCREMENT },
      { title: 'y', ...INCREMENT },
    ]);
  });
});

describe('versions of the rows whose foreign key a write changes from the other side', () => {
  const owned = { owner: KEY };
  const notOwned = { owner: { isNot: KEY } };
  it.each<[string, object, unknown]>([
    ['connect', { connect: { id: 5 } }, [['task.updateMany', { id: 5, ...notOwned }, INCREMENT]]],
    [
      'connectOrCreate',
      { connectOrCreate: { where: { id: 5 }, create: { id: 5, title: 'x' } } },
      [['task.updateMany', { id: 5, ...notOwned }, INCREMENT]],
    ],
    ['disconnect', { disconnect: { id: 5 } }, [['task.updateMany', { id: 5, ...owned }, INCREMENT]]],
    [
      'set',
      { set: [{ id: 5 }] },
      [
        [
          'task.updateMany',
          {
            OR: [
              { id: 5, ...notOwned },
              { NOT: { id: 5 }, ...owned },
            ],
          },
          INCREMENT,
        ],
      ],
    ],
    ['create', { create: { id: 5, title: 'x' } }, []],
    ['update', { update: { where: { id: 5 }, data: { title: 'x' } } }, []],
    ['delete', { delete: { id: 5 } }, []],
  ])('are incremented before it for %s', (_, tasks, before) => {
    expect(checked(callOf('user.update', { where: KEY, data: { tasks }, ...PLAIN })).before).toEqual(before);
  });

  it('are incremented for the previous row of a one-to-one relation, too', () => {
    const counted = { version: { increment: 1n } };
    const had = ['badge.updateMany', { owner: KEY }, counted];
    const of = (badge: object): unknown => checked(callOf('user.update', { where: KEY, data: { badge }, ...PLAIN })).before;
    expect(of({ connect: { id: 5 } })).toEqual([['badge.updateMany', { id: 5, owner: { isNot: KEY } }, counted], had]);
    expect(of({ create: { id: 5 } })).toEqual([had]);
    expect(of({ disconnect: true })).toEqual([had]);
  });

  it('are incremented for a new row, and not for join tables or foreign keys of the row itself', () => {
    const create = { data: { id: 1, name: 'x', tasks: { connect: { id: 5 } } }, ...PLAIN };
    expect(checked(callOf('user.create', create)).before).toEqual([['task.updateMany', { id: 5 }, INCREMENT]]);
    expect(checked(callOf('task.update', { where: KEY, data: { tags: { connect: KEY } }, ...PLAIN })).before).toEqual([]);
    expect(checked(callOf('task.update', { where: KEY, data: { owner: { connect: KEY } }, ...PLAIN })).before).toEqual([]);
  });

  it('are incremented for the previous row that referenced a row of a one-to-one relation', () => {
    const counted = { version: { increment: 1n } };
    const of = (call: string, args: object): unknown => checked(callOf(call, { ...args, ...PLAIN })).before;
    const owner = { connect: { id: 5 } };
    const held = { owner: { id: 5 } };
    expect(of('badge.update', { where: KEY, data: { owner } })).toEqual([['badge.updateMany', { ...held, NOT: KEY }, counted]]);
    expect(of('badge.create', { data: { id: 1, owner } })).toEqual([['badge.updateMany', held, counted]]);
    expect(of('badge.update', { where: KEY, data: { owner: { create: { id: 5, name: 'x' } } } })).toEqual([]);
  });

  it('are incremented below nested records and in the update of an upsert', () => {
    const tasks = { connect: { id: 5 } };
    const upsert = { where: KEY, create: { id: 1, name: 'x' }, update: { tasks }, ...PLAIN };
    expect(checked(callOf('user.upsert', upsert)).before).toEqual([['task.updateMany', { id: 5, ...notOwned }, INCREMENT]]);
    expect(mayRelink(callOf('user.upsert', upsert).query)).toBe(false);
    const owner = { update: { tasks } };
    expect(checked(callOf('task.update', { where: { id: 2 }, data: { owner }, ...PLAIN })).before).toEqual([
      ['task.updateMany', { id: 5, owner: { isNot: { tasks: { some: { id: 2 } } } } }, INCREMENT],
    ]);
  });

  it('depend on the rows that are found, below a record that is created only if there is none', () => {
    const user = { id: 1, name: 'x', tasks: { connect: { id: 5 } } };
    const owner = { connectOrCreate: { where: KEY, create: user } };
    expect(mayRelink(callOf('user.upsert', { where: KEY, create: user, update: {}, ...PLAIN }).query)).toBe(true);
    expect(mayRelink(callOf('task.create', { data: { id: 2, title: 'x', owner }, ...PLAIN }).query)).toBe(true);
    expect(mayRelink(callOf('user.create', { data: user, ...PLAIN }).query)).toBe(false);
  });
});

describe('a write that requires a version', () => {
  const TITLE = { where: KEY, data: { title: 'x' }, ...PLAIN };
  const requires = requiring('Task');

  it.each<[string, string, Args, object]>([
    ['has it in its statement', 'task.update', TITLE, { data: { title: 'x', ...INCREMENT }, where: { ...KEY, version: 3 }, before: [] }],
    ['counts, though it writes nothing else', 'task.update', { ...TITLE, data: {} }, { data: INCREMENT, where: { ...KEY, version: 3 } }],
    ['deletes by it', 'task.delete', { where: KEY, ...PLAIN }, { where: { ...KEY, version: 3 }, before: [] }],
    [
      'only updates by an upsert',
      'task.upsert',
      { where: KEY, create: { id: 1, title: 'x' }, update: { title: 'y' }, ...PLAIN },
      { operation: 'update', data: { title: 'y', ...INCREMENT }, where: { ...KEY, version: 3 } },
    ],
  ])('%s', (_, call, args, expected) => {
    expect(checked(callOf(call, args, { requires }))).toMatchObject(expected);
  });

  const CLAIM = ['task.updateMany', { ...KEY, version: 3 }, INCREMENT];

  it.each<[string, string, Args, unknown]>([
    ['links rows', 'task.update', { ...TITLE, data: { tags: { connect: KEY } } }, { tags: { connect: [KEY] } }],
    ['deletes, and returns related rows', 'task.delete', { where: KEY, select: { notes: true } }, undefined],
  ])('checks it by an UPDATE before a write that %s', (_, call, args, data) => {
    expect(checked(callOf(call, args, { requires }))).toMatchObject({ before: [CLAIM], data, where: KEY });
  });

  it('checks it by an UPDATE where the database returns no rows', () => {
    const of = requiring('Task', 3, ON_MYSQL);
    expect(checked(callOf('task.update', TITLE, { model: ON_MYSQL, requires: of }), ON_MYSQL)).toMatchObject({
      before: [CLAIM],
      data: { title: 'x' },
      where: KEY,
    });
  });

  it('is refused where that UPDATE finds no row', () => {
    const call = callOf('task.update', { ...TITLE, data: { tags: { connect: KEY } } }, { requires });
    const [claim] = addVersionChecks({ kind: 'call', call } as const, ON_POSTGRESQL.storage).call.before ?? [];
    expect(claim?.expect).toMatchObject({ kind: 'affects', least: 1, problem: { code: 'precondition-failed' } });
  });

  it('checks a row without a version by a column of its hash', () => {
    const { fields } = ON_POSTGRESQL.storage.byModel.get('Note') ?? {};
    const text = fields?.get('text');
    if (!text) throw new Error('A note has a text.');
    const hashed = compare(text, 'equals', 'x');
    const linking = { where: KEY, data: { task: { connect: { id: 2 } } }, ...PLAIN };
    expect(checked(callOf('note.update', linking, { requires: hashed })).before).toEqual([
      ['note.updateMany', { ...KEY, text: 'x' }, { id: 1 }],
    ]);
    expect(checked(callOf('note.update', linking, { requires: ALWAYS })).before).toEqual([]);
  });

  it('adds it as a condition for executors that decompose writes', () => {
    const requirementOf = (call: string, args: Args): Args => {
      const plan = withRequirements({ kind: 'call', call: callOf(call, args, { requires }) } as const);
      return printCall(plan.call).args;
    };
    expect(requirementOf('task.update', TITLE)).toMatchObject({ where: { ...KEY, version: 3 }, data: { title: 'x' } });
    expect(requirementOf('task.update', { ...TITLE, data: {} })).toMatchObject({ where: { ...KEY, version: 3 }, data: INCREMENT });
    expect(requirementOf('task.delete', { where: KEY, ...PLAIN })).toMatchObject({ where: { ...KEY, version: 3 } });
    const calls = [callOf('task.update', TITLE, { requires }), callOf('task.update', TITLE)];
    const { calls: sent } = withRequirements({ kind: 'transaction', calls } as const);
    expect(sent.map((call) => printCall(call).args['where'])).toEqual([{ ...KEY, version: 3 }, KEY]);
  });
});
