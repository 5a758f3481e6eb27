import type { Condition } from '../../query/condition.js';
import type { OrderTerm } from '../../query/order.js';
import type { GroupBy } from '../../query/read.js';
import type { ArgumentPath } from './argument-path.js';

/**
 * Checks that the `having` and the `orderBy` of a `groupBy` name fields of its `by`, or aggregates: a group has no other values. And that a part
 * of the groups is asked for in an order, without which it would be any part.
 *
 * @throws ApiError `invalid-filter` or `invalid-sort` with the path of the field
 */
export function checkGroups({ by, having, order, page }: GroupBy, path: ArgumentPath): void {
  checkHaving(having, by, path.member('having'));
  const place = path.member('orderBy');
  for (const term of order) if (isStrange(term, by)) place.member(term.field.name).refuse(NOT_GROUPED, 'invalid-sort');
  const cut = (['take', 'skip'] as const).find((name) => page[name] !== undefined);
  if (cut !== undefined && order.length === 0) place.refuse(`is missing: '${cut}' needs an order of the groups.`, 'invalid-sort');
}

/** A field that is itself compared, rather than what an aggregate function makes of it, must be one of the group's. */
function checkHaving(condition: Condition, by: GroupBy['by'], path: ArgumentPath): void {
  if ('conditions' in condition) {
    const place = condition.kind === 'or' ? path.member('OR') : path;
    for (const one of condition.conditions) checkHaving(one, by, place);
  } else if (condition.kind === 'not') checkHaving(condition.condition, by, path.member('NOT'));
  else if ('field' in condition && !('aggregate' in condition) && !by.includes(condition.field)) {
    path.member(condition.field.name).refuse(NOT_GROUPED, 'invalid-filter');
  }
}

function isStrange(term: OrderTerm, by: GroupBy['by']): term is OrderTerm & { readonly kind: 'field-term' } {
  return term.kind === 'field-term' && !by.includes(term.field);
}

const NOT_GROUPED = "is not among the fields of 'by': only those and aggregates have a value for each group.";
