import type { DataCall, Plan } from '../data-client/plan.js';
import type { Storage, StoredRelation } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { RuleName } from './compile-rules.js';

/** One rule of one model. */
export interface NeededRule {
  readonly model: string;
  readonly name: RuleName;
}

/**
 * The rules that a plan may come to: of every model that its calls name, in filters, orders, selections and data at any depth. Rather one too
 * many than one too few: what is needed and missing fails the request.
 *
 * @param models Prisma's model names by delegate
 */
export function neededRules(plan: Plan, storage: Storage, models: ReadonlyMap<string, string>): readonly NeededRule[] {
  const needed = new Needed(storage);
  for (const call of callsOf(plan)) addCall(needed, call, models);
  return needed.all();
}

/** All calls of a plan, those that are made before others among them. */
export function callsOf(plan: Plan): readonly DataCall[] {
  switch (plan.kind) {
    case 'call':
      return withChecks([plan.call]);
    case 'collection':
      return withChecks(plan.total ? [plan.rows, plan.total] : [plan.rows]);
    case 'transaction':
      return withChecks(plan.calls);
  }
}

function withChecks(calls: readonly DataCall[]): readonly DataCall[] {
  return calls.flatMap((call) => [...withChecks(call.before ?? []), call]);
}

function addCall(needed: Needed, { delegate, operation, args }: DataCall, models: ReadonlyMap<string, string>): void {
  const model = models.get(delegate);
  if (model === undefined) throw new TypeError(`The schema has no model for the delegate '${delegate}'.`);
  needed.add(model, ['read', ...rulesOfWrite(operation)]);
  needed.walk(model, args);
}

/** By what an operation of a model, or of a nested write, is called. */
function rulesOfWrite(operation: string): readonly RuleName[] {
  if (operation.startsWith('create')) return ['create'];
  if (operation.startsWith('update')) return UPDATE;
  if (operation.startsWith('delete')) return ['delete'];
  return operation === 'upsert' ? ['create', ...UPDATE] : [];
}

const UPDATE: readonly RuleName[] = ['using', 'check'];

class Needed {
  private readonly found = new Map<string, NeededRule>();

  constructor(private readonly storage: Storage) {}

  all(): readonly NeededRule[] {
    return [...this.found.values()];
  }

  add(model: string, names: readonly RuleName[]): void {
    for (const name of names) this.found.set(`${model}.${name}`, { model, name });
  }

  /** Whatever is no field of the model belongs to the same model: `AND`, `some`, `select`, `where`, `create`, … */
  walk(model: string, value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.walk(model, item);
    if (!isPlainObject(value)) return;
    const { fields, relations } = storedModel(this.storage, model);
    for (const [key, member] of Object.entries(value)) {
      const relation = relations.get(key);
      if (relation) this.walkRelation(relation, member);
      // An operation may be called as a scalar field is: then it is looked into as well.
      else if (!fields.has(key) || OPERATIONS.has(key)) this.walk(model, member);
    }
  }

  private walkRelation({ target, foreignKey, joinTable }: StoredRelation, value: unknown): void {
    this.add(target, ['read']);
    if (isPlainObject(value)) {
      for (const key of Object.keys(value)) {
        this.add(target, key === 'connectOrCreate' ? ['create'] : rulesOfWrite(key));
        // Where the target holds the key, linking it is an update of it.
        if (!foreignKey && !joinTable && LINKS.has(key)) this.add(target, UPDATE);
      }
    }
    this.walk(target, value);
  }
}

const LINKS: ReadonlySet<string> = new Set(['connect', 'connectOrCreate', 'disconnect', 'set', 'create', 'upsert']);

const OPERATIONS: ReadonlySet<string> = new Set([
  'where',
  'select',
  'include',
  'data',
  'create',
  'update',
  'upsert',
  'connect',
  'connectOrCreate',
  'set',
  'disconnect',
  'delete',
  'orderBy',
  'cursor',
  'some',
  'every',
  'none',
  'is',
  'isNot',
  'AND',
  'OR',
  'NOT',
]);
