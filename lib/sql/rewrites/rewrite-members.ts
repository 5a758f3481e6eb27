import type { CountsMember, Member, OneMember, Rows } from '../tree.js';

/** What a rewrite changes of the members of rows. */
export interface Rewrite {
  /** The rows of a member that are read apart from their owners. */
  readonly rows: (rows: Rows) => Rows;
  /** Without it, the members of the related row alone: {@link rewriteRelated}. */
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
