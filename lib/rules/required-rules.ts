import { accessesOf } from '../query/accesses.js';
import type { Query } from '../query/query.js';
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

/** The rules that queries may come to: of every model that they name, in conditions, orders, selections and records at any depth. */
export function neededRules(queries: readonly Query[]): readonly NeededRule[] {
  // Whatever is written is looked at, too.
  const needs = queries
    .flatMap(accessesOf)
    .flatMap(({ model, action }) => ['read' as const, ...RULES_OF[action]].map((name) => ({ model, name })));
  return [...new Map(needs.map((one) => [ruleKey(one.model, one.name), one])).values()];
}

/** Whether anybody is told of a write that rules are of, or of what its deletes may go on to. */
export function isObserved(hooks: RowHooks, needed: readonly NeededRule[], softDeletes: SoftDeletes): boolean {
  return withCascades(needed, softDeletes).some(({ model, name }) => {
    const action = ACTION_OF[name];
    return action !== undefined && hooks.has(model, action);
  });
}

const ACTION_OF: Readonly<Partial<Record<RuleName, RowAction>>> = { create: 'create', using: 'update', delete: 'delete' };

/** The rules of writes with those of all that deletes among them may go on to: whoever hears of these is told of them. */
function withCascades(needed: readonly NeededRule[], softDeletes: SoftDeletes): readonly NeededRule[] {
  if (softDeletes.size === 0) return needed;
  const all = new Map(needed.map((one) => [ruleKey(one.model, one.name), one]));
  // What is added while it is walked is walked, too.
  for (const { model, name } of all.values()) {
    if (name !== 'delete') continue;
    for (const { target } of softDeletes.get(model)?.cascade ?? []) {
      const key = ruleKey(target, name);
      if (!all.has(key)) all.set(key, { model: target, name });
    }
  }
  return [...all.values()];
}
