import type { Condition, Group } from '../query/condition.js';
import { match, type Table } from '../query/match.js';
import type { Selection } from '../query/selection.js';
import { callsOf, type Plan } from './plan.js';

/**
 * Whether a plan is always fast: one row by its key, with the rows that it refers to. Reads that filter, sort or count may take long, also in
 * the lists of one row. So may a condition on other rows beside the key.
 */
export function isQuick(plan: Plan): boolean {
  return callsOf(plan).every(({ query }) => query.kind === 'find-unique' && isOwn(query.where.more) && isPlain(query.selection));
}

/** Whether a condition compares values of the row's own columns for equality, and nothing else. */
function isOwn(condition: Condition): boolean {
  return match(OWN, condition);
}

const yes = (): boolean => true;
const no = (): boolean => false;
const areOwn = ({ conditions }: Group): boolean => conditions.every(isOwn);

const OWN: Table<Condition, [], boolean> = {
  always: yes,
  never: yes,
  and: areOwn,
  or: areOwn,
  not: ({ condition }) => isOwn(condition),
  compare: ({ operator, isInsensitive }) => operator === 'equals' && !isInsensitive,
  list: no,
  json: no,
  key: yes,
  some: no,
  every: no,
  none: no,
  is: no,
  isNot: no,
};

function isPlain(selection: Selection): boolean {
  let isKnown = KNOWN.get(selection);
  if (isKnown === undefined) {
    isKnown = selection.members.every((member) => {
      if (member.kind === 'field' || member.kind === 'computed') return true;
      return member.kind === 'one' && member.where.kind === 'always' && isPlain(member.selection);
    });
    KNOWN.set(selection, isKnown);
  }
  return isKnown;
}

/** Of the selections that many requests share. */
const KNOWN = new WeakMap<Selection, boolean>();
