import { call, type Join, type OneMember, type Rows } from '../tree.js';
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
