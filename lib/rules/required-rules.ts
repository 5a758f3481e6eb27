import { type Access, accessesOf } from '../query/accesses.js';
import { recordsOf } from '../query/map-records.js';
import type { Query } from '../query/query.js';
import { takesAway } from '../query/write.js';
import { type RuleName, RULES_OF } from './compile-rules.js';
import type { RowAction, RowHooks } from './write-observer.js';
import type { SoftDeletes } from './soft-deletes.js';

/** One rule of one model. */
export interface NeededRule {
  readonly model: string;
  readonly name: RuleName;
}

export function ruleKey(model: string, name: RuleName): string {
  return `${model}.${name}`;
}

/** Returns the rules that queries may need: of every model in their conditions, orders, selections and records, at any depth. */
export function neededRules(queries: readonly Query[]): readonly NeededRule[] {
  // Written rows are read, too.
  const needs = [...queries.flatMap(accessesOf), ...queries.flatMap(takingRecords)].flatMap(({ model, action }) =>
    ['read' as const, ...RULES_OF[action]].map((name) => ({ model, name })),
  );
  return [...new Map(needs.map((one) => [ruleKey(one.model, one.name), one])).values()];
}

/** Returns an update of each model whose records take a linked row away from another row of the model. */
function takingRecords(query: Query): readonly Pick<Access, 'model' | 'action'>[] {
  const taking = recordsOf(query).filter(({ record }) => record.relations.some((one) => one.verbs.some((verb) => takesAway(one, verb))));
  return taking.map(({ record }) => ({ model: record.model.model, action: 'update' }));
}

/** Whether hooks observe the writes of these rules, or the rows that their deletes may cascade to. */
export function isObserved(hooks: RowHooks, needed: readonly NeededRule[], softDeletes: SoftDeletes): boolean {
  return withCascades(needed, softDeletes).some(({ model, name }) => {
    const action = ACTION_OF[name];
    return action !== undefined && hooks.has(model, action);
  });
}

const ACTION_OF: Readonly<Partial<Record<RuleName, RowAction>>> = { create: 'create', using: 'update', delete: 'delete' };

/** Adds the delete rules of all models that deletes may cascade to, because hooks are notified of these rows, too. */
function withCascades(needed: readonly NeededRule[], softDeletes: SoftDeletes): readonly NeededRule[] {
  if (softDeletes.size === 0) return needed;
  const all = new Map(needed.map((one) => [ruleKey(one.model, one.name), one]));
  // The loop also visits entries that it adds to the map.
  for (const { model, name } of all.values()) {
    if (name !== 'delete') continue;
    for (const { target } of softDeletes.get(model)?.cascade ?? []) {
      const key = ruleKey(target, name);
      if (!all.has(key)) all.set(key, { model: target, name });
    }
  }
  return [...all.values()];
}
