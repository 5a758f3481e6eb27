import { isLong } from './is-long.js';
import type { Member, OneMember, Rows, SetMember } from '../tree.js';

/** From how many owners on a row is sent once, and not with each of them: for few, a join is faster. */
const MANY_OWNERS = 50;

/** Reads the rows of to-one relations apart from their owners, each once, where many owners may have the same long one. */
export function shareRows(rows: Rows, most = mostOf(rows)): Rows {
  return { ...rows, members: rows.members.map((member) => shareMember(member, most)) };
}

function mostOf({ select: { limit }, budget = Infinity, pairs }: Rows): number {
  return pairs ? budget : (limit ?? Infinity);
}

function shareMember(member: Member, most: number): Member {
  switch (member.kind) {
    case 'value':
    case 'counts':
      return member;
    case 'many':
    case 'shared':
      return { ...member, rows: shareRows(member.rows) };
    case 'one':
      return shareOne(member, most);
  }
}

function shareOne(member: OneMember, most: number): OneMember | SetMember {
  const { select, pairs, name, isRequired, isShared, members } = member;
  // What a join cannot have is read apart, too.
  const isApart = select.joins.length > 0 || (isShared && most > MANY_OWNERS && isLong(members));
  if (!isApart) return { ...member, members: members.map((one) => shareMember(one, most)) };
  const rows: Rows = { select, members, pairs, isReversed: false };
  return { kind: 'shared', name, isRequired, rows: shareRows(rows, most) };
}
