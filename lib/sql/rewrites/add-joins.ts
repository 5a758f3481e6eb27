import { call, type CountOf, type Expression, type GroupedCount, type Join, type OneMember, type Rows, type Sort } from '../tree.js';
import { type Rewrite, rewriteMembers, rewriteRelated } from './rewrite-members.js';

/** Rewrites to-one members to left joins. Each table is joined once. */
export function joinRows(rows: Rows): Rows {
  const joins = [...rows.select.joins];
  const rewrite: Rewrite = {
    rows: joinRows,
    one: (member) => {
      if (!hasTable(joins, member.select.from.alias)) joins.push(joinOf(member));
      return rewriteRelated(member, rewrite);
    },
  };
  const members = rewriteMembers(rows.members, rewrite);
  return { ...rows, select: { ...rows.select, joins }, members };
}

function hasTable(joins: readonly Join[], alias: string): boolean {
  return joins.some((join) => join.table.alias === alias || hasTable(join.joins ?? [], alias));
}

function joinOf({ select: { from, joins, where }, pairs }: OneMember): Join {
  return { kind: 'left', table: from, joins, on: [...pairs.map(({ own, owner }) => call('=', own, owner)), ...where] };
}

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
