import { and, type Condition, not, or } from './condition.js';

/**
 * Maps a condition from the leaves up: `map` receives each node with its parts already mapped. A node whose parts did not change is passed as the
 * same object.
 */
export function mapCondition(condition: Condition, map: (condition: Condition) => Condition): Condition {
  return map(withParts(condition, (part) => mapCondition(part, map)));
}

function withParts(condition: Condition, mapPart: (condition: Condition) => Condition): Condition {
  if ('conditions' in condition) return regroup(condition, mapPart);
  if (!('condition' in condition)) return condition;
  const part = mapPart(condition.condition);
  if (part === condition.condition) return condition;
  return condition.kind === 'not' ? not(part) : Object.freeze({ ...condition, condition: part });
}

function regroup(group: Condition & { readonly kind: 'and' | 'or' }, mapPart: (condition: Condition) => Condition): Condition {
  const parts = group.conditions.map(mapPart);
  if (parts.every((part, index) => part === group.conditions[index])) return group;
  return group.kind === 'and' ? and(...parts) : or(...parts);
}
