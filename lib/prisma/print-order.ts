import type { Hop, Order, OrderTerm } from '../query/order.js';
import { RELATED_COUNT } from '../query/selection.js';
import { requireNoRule } from './print-condition.js';
import { RELEVANCE } from './words.js';

/** One element of Prisma's `orderBy`. */
export type OrderBy = Readonly<Record<string, unknown>>;

/** Prints an order as the argument `orderBy`. The argument is absent for an empty order. */
export function printOrder(order: Order): { readonly orderBy?: readonly OrderBy[] } {
  return order.length === 0 ? {} : { orderBy: order.map(printTerm) };
}

function printTerm(term: OrderTerm): OrderBy {
  switch (term.kind) {
    case 'field-term': {
      const { path, field, direction, nulls } = term;
      return reach(path, { [field.name]: nulls === undefined ? direction : { sort: direction, nulls } });
    }
    case 'count-term':
      return reach([...term.path, term.counted], { [RELATED_COUNT]: term.direction });
    case 'relevance-term': {
      const { path, fields, search, direction } = term;
      return reach(path, { [RELEVANCE]: { fields: fields.map(({ name }) => name), search, sort: direction } });
    }
    case 'aggregate-term':
      return { [term.aggregate]: { [term.field.name]: term.direction } };
  }
}

function reach(path: readonly Hop[], order: OrderBy): OrderBy {
  return path.reduceRight<OrderBy>((inner, { relation, readable }) => {
    requireNoRule(readable);
    return { [relation.name]: inner };
  }, order);
}
