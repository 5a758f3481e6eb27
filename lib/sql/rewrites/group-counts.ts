import { call, type CountOf, type Expression, type GroupedCount, type Join, type Rows, type Sort } from '../tree.js';
import { rewriteMembers } from './rewrite-members.js';

/** Rewrites counts of related rows to one grouped query for all rows, instead of a subquery for each row. For a single row, the subquery remains. */
export function groupCounts(rows: Rows): Rows {
  const isSingle = rows.select.limit === 1 && !rows.pairs;
  const joins = [...rows.select.joins];
  const order = rows.select.order.map((sort) => groupSort(sort, joins));
  const members = rewriteMembers(rows.members, {
    rows: groupCounts,
    counts: (member) => ({ ...member, counts: member.counts.map((count) => ({ ...count, isGrouped: !isSingle })) }),
  });
  return { ...rows, select: { ...rows.select, joins, order }, members };
}

function groupSort(sort: Sort, joins: Join[]): Sort {
  const { expression } = sort;
  return expression.kind === 'count-of' ? { ...sort, expression: joinedCount(expression, joins) } : sort;
}

function joinedCount({ counted: { select, pairs } }: CountOf, joins: Join[]): Expression {
  const alias = `n${joins.length}`;
  const table: GroupedCount = { kind: 'grouped-count', select, keys: pairs.map(({ own }) => own), alias };
  const on = pairs.map(({ owner }, index) => call('=', { kind: 'column', alias, name: `k${index}` }, owner));
  joins.push({ kind: 'left', table, on });
  return call('or-zero', { kind: 'column', alias, name: 'n' });
}
