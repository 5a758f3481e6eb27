import type { CountsMember, Member, OneMember, Rows } from '../tree.js';

/** The functions of a rewrite, by the kind of member. */
export interface Rewrite {
  /** Rewrites the rows of a member that are read separately from their owners. */
  readonly rows: (rows: Rows) => Rows;
  /** Rewrites a to-one member. Without it, {@link rewriteRelated} rewrites only the members of the related row. */
  readonly one?: (member: OneMember) => Member;
  readonly counts?: (member: CountsMember) => CountsMember;
}

export function rewriteMembers(members: readonly Member[], rewrite: Rewrite): readonly Member[] {
  return members.map((member) => rewriteMember(member, rewrite));
}

export function rewriteRelated(member: OneMember, rewrite: Rewrite): OneMember {
  return { ...member, members: rewriteMembers(member.members, rewrite) };
}

function rewriteMember(member: Member, rewrite: Rewrite): Member {
  switch (member.kind) {
    case 'value':
      return member;
    case 'counts':
      return rewrite.counts?.(member) ?? member;
    case 'many':
    case 'shared':
      return { ...member, rows: rewrite.rows(member.rows) };
    case 'one':
      return rewrite.one?.(member) ?? rewriteRelated(member, rewrite);
  }
}
