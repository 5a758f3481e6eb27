import { ApiError } from '../errors/api-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import type { Hop, Order, OrderTerm } from '../query/order.js';
import type { RuleSet } from './rule-set.js';

/**
 * Refuses an order by a relation whose rows the caller may not read all: the place of a row in the list would tell of the others.
 *
 * @throws ApiError
 */
export function checkOrder(rules: RuleSet, model: StoredModel, order: Order): void {
  for (const term of order) {
    let owner = model;
    for (const { relation, target } of hopsOf(term)) {
      if (!rules.isOpen(target)) throw unordered(owner, relation.name);
      owner = target;
    }
  }
}

/** The relations that a key of an order leads over, from the row on. */
export function hopsOf(term: OrderTerm): readonly Hop[] {
  switch (term.kind) {
    case 'field-term':
    case 'relevance-term':
      return term.path;
    case 'count-term':
      return [...term.path, term.counted];
    case 'aggregate-term':
      return [];
  }
}

function unordered({ model }: StoredModel, name: string): ApiError {
  return new ApiError('invalid-sort', `'${name}' may not be used to sort ${model}: not all rows that it leads to can be read.`);
}
