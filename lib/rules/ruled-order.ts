import { ApiError } from '../errors/api-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import type { Hop, Order, OrderTerm } from '../query/order.js';
import type { Page } from '../query/selection.js';
import type { RuleSet } from './rule-set.js';

/**
 * Returns an order in which rows that the caller may not read count as missing. In SQL, the rule is a condition of the join. Prisma has no such
 * condition. There, an order by rows that may not all be read is rejected, because the position of a row would depend on hidden values.
 *
 * @throws ApiError `invalid-sort`
 */
export function ruledOrder(rules: RuleSet, model: StoredModel, order: Order): Order {
  if (rules.isForSql) return order.map((term) => ruledTerm(rules, term));
  for (const term of order) requireOpen(rules, model, term);
  return order;
}

/**
 * Returns a page that is empty if the caller may not read its cursor row. This applies to SQL only; for Prisma, the cursor row is looked up first.
 */
export function ruledPage(rules: RuleSet, model: StoredModel, page: Page): Page {
  if (!rules.isForSql || !page.cursor || rules.isOpen(model)) return page;
  return Object.freeze({ ...page, cursorRow: rules.of(model, 'read') });
}

function ruledTerm(rules: RuleSet, term: OrderTerm): OrderTerm {
  if (term.kind === 'aggregate-term' || hopsOf(term).every(({ target }) => rules.isOpen(target))) return term;
  const path = term.path.map((hop) => ruledHop(rules, hop));
  return term.kind === 'count-term' ? { ...term, path, counted: ruledHop(rules, term.counted) } : { ...term, path };
}

function ruledHop(rules: RuleSet, hop: Hop): Hop {
  return rules.isOpen(hop.target) ? hop : { ...hop, readable: rules.of(hop.target, 'read') };
}

function requireOpen(rules: RuleSet, model: StoredModel, term: OrderTerm): void {
  let owner = model;
  for (const { relation, target } of hopsOf(term)) {
    if (!rules.isOpen(target)) throw unsortable(relation.name, owner, term);
    owner = target;
  }
}

function unsortable(relation: string, { model }: StoredModel, { place }: OrderTerm): ApiError {
  const reason = `'${relation}' may not be used to sort ${model}: not all rows that it leads to can be read. Sort by fields of the record itself.`;
  const detail = place && 'path' in place ? `${place.path} cannot be answered: ${reason}` : reason;
  const at = place && ('path' in place ? { path: place.path, fault: reason } : { source: place });
  return new ApiError('invalid-sort', detail, at);
}

/** Returns the relations of an order term, starting at the row. */
function hopsOf(term: OrderTerm): readonly Hop[] {
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
