import type { StoredField } from '../../model/storage/storage.js';
import type { Member, OneMember, Rows, SetMember } from '../tree.js';
import { type Rewrite, rewriteMembers, rewriteRelated } from './rewrite-members.js';

/** The number of owners above which a related row is sent once. For fewer owners, a join is faster. */
const MANY_OWNERS = 50;

/** Rewrites to-one members to separate rows that are sent once each, if many owners may share the same long row. */
export function shareRows(rows: Rows, maxRows = maxRowsOf(rows)): Rows {
  const rewrite: Rewrite = {
    rows: (related) => shareRows(related),
    one: (member) => (isReadSeparately(member, maxRows) ? readSeparately(member, maxRows) : rewriteRelated(member, rewrite)),
  };
  return { ...rows, members: rewriteMembers(rows.members, rewrite) };
}

function maxRowsOf({ select: { limit }, maxRows = Infinity, pairs }: Rows): number {
  return pairs ? maxRows : (limit ?? Infinity);
}

function isReadSeparately({ isSharedByOwners, members }: OneMember, maxRows: number): boolean {
  return isSharedByOwners && maxRows > MANY_OWNERS && isLong(members);
}

function readSeparately({ select, pairs, name, members }: OneMember, maxRows: number): SetMember {
  const rows: Rows = { select, members, pairs, isReversed: false };
  return { kind: 'shared', name, rows: shareRows(rows, maxRows) };
}

/** Whether a row may take more than some hundred bytes. */
function isLong(members: readonly Member[]): boolean {
  return members.some((member) => {
    switch (member.kind) {
      case 'value':
        return isLongValue(member.field);
      case 'one':
        return isLong(member.members);
      case 'many':
      case 'shared':
      case 'counts':
        return false;
    }
  });
}

function isLongValue({ type, list, nativeType: [name, [length]] = ['', []] }: StoredField): boolean {
  if (list || type === 'Json' || type === 'Bytes') return true;
  if (type !== 'String' || name === 'Uuid') return false;
  return length === undefined || Number(length) > LONG;
}

const LONG = 100;
