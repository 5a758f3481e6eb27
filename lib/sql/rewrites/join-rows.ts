import { call, type Join, type Member, type OneMember, type Rows } from '../tree.js';

/** Joins the rows of to-one relations that are read with their owners, each once. */
export function joinRows(rows: Rows): Rows {
  const joins = [...rows.select.joins];
  const members = rows.members.map((member) => joinMember(member, joins));
  return { ...rows, select: { ...rows.select, joins }, members };
}

function joinMember(member: Member, joins: Join[]): Member {
  switch (member.kind) {
    case 'value':
    case 'counts':
      return member;
    case 'many':
    case 'shared':
      return { ...member, rows: joinRows(member.rows) };
    case 'one':
      if (!joins.some(({ table }) => table.alias === member.select.from.alias)) joins.push(joinOf(member));
      return { ...member, members: member.members.map((one) => joinMember(one, joins)) };
  }
}

function joinOf({ select: { from, where }, pairs }: OneMember): Join {
  return { kind: 'left', table: from, on: [...pairs.map(({ own, owner }) => call('=', own, owner)), ...where] };
}
