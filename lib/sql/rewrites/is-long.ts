import type { StoredField } from '../../model/storage/storage.js';
import type { Member } from '../tree.js';

/** Whether a row may take more than some hundred bytes. */
export function isLong(members: readonly Member[]): boolean {
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
