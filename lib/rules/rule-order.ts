import { ApiError } from '../errors/api-error.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { RuleSet } from './rule-set.js';

/**
 * Refuses an order by a relation whose rows the caller may not read all: the place of a row in the list would tell of the others.
 *
 * @throws ApiError
 */
export function checkOrder(rules: RuleSet, model: string, orderBy: unknown): void {
  for (const term of [orderBy].flat()) {
    if (!isPlainObject(term)) continue;
    for (const [key, value] of Object.entries(term)) {
      const relation = rules.relation(model, key);
      if (!relation) continue;
      if (rules.of(relation.target, 'read') !== true) throw unordered(model, key);
      checkOrder(rules, relation.target, value);
    }
  }
}

function unordered(model: string, name: string): ApiError {
  return new ApiError('invalid-sort', `'${name}' may not be used to sort ${model}: not all rows that it leads to can be read.`);
}
