import type { StoredRelation } from '../model/storage/storage.js';
import type { RuleSet } from './rule-set.js';
import type { Args } from './session.js';

/** The `data` of a write, taken apart. */
export interface SplitData {
  /** Plain fields. */
  readonly plain: Args;
  /** Writes through the relations whose key the row holds. */
  readonly own: readonly RelatedWrites[];
  /** Writes through the others. */
  readonly others: readonly RelatedWrites[];
}

/** The nested writes of one relation: operands by operation. */
export interface RelatedWrites {
  readonly relation: StoredRelation;
  readonly writes: Args;
}

export function splitData(rules: RuleSet, model: string, data: Args): SplitData {
  const plain: Record<string, unknown> = {};
  const own: RelatedWrites[] = [];
  const others: RelatedWrites[] = [];
  for (const [name, value] of Object.entries(data)) {
    const relation = rules.relation(model, name);
    if (relation) (relation.foreignKey ? own : others).push({ relation, writes: value as Args });
    else plain[name] = value;
  }
  return { plain, own, others };
}
