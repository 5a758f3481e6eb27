import type { StoredModel } from '../model/storage/storage.js';
import type { Condition, Group } from '../query/condition.js';
import { match, type Table } from '../query/match.js';
import type { Order } from '../query/order.js';
import type { Query } from '../query/query.js';
import type { Page, Selection } from '../query/selection.js';
import { callsOf, type Plan } from './plan.js';

/**
 * Whether a plan is always fast: one row by its key, with the rows that it refers to. Reads that filter, sort or count may take long, also in
 * the lists of one row. So may a condition on other rows beside the key.
 */
export function isQuick(plan: Plan): boolean {
  return callsOf(plan).every(({ query }) => query.kind === 'find-unique' && isOwn(query.where.more) && isPlain(query.selection));
}

/**
 * Whether a plan is fast but for rare cases: the first rows in the order of a key, with the rows that they refer to. There may be a view behind the
 * model, or a policy of the database that hides most rows, so that its time is limited as that of any other read.
 */
export function isUsuallyQuick(plan: Plan): boolean {
  return callsOf(plan).every(({ query }) => isFirstRows(query));
}

function isFirstRows(query: Query): boolean {
  if (query.kind !== 'find' || query.where.kind !== 'always') return false;
  const { page, order, rows, model, selection } = query;
  return (rows === 'first' || isShort(page)) && isWhole(page) && isByKey(order, model) && isPlain(selection);
}

/** Some kilobytes of most tables. */
const FEW_ROWS = 50;

function isShort({ take }: Page): boolean {
  return take !== undefined && Math.abs(take) <= FEW_ROWS;
}

function isWhole({ skip = 0, cursor, distinct }: Page): boolean {
  return skip === 0 && cursor === undefined && distinct === undefined;
}

/** Whether an order begins with the only field of a key, which has an index. Without one, the first rows are any. */
function isByKey([first]: Order, { primaryKey, uniqueKeys }: StoredModel): boolean {
  if (first === undefined) return true;
  if (first.kind !== 'field-term' || first.path.length > 0) return false;
  const { name, optional } = first.field;
  return !optional && [primaryKey, ...uniqueKeys].some((key) => key?.fields.length === 1 && key.fields[0] === name);
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
      return member.kind === 'one' && isOwn(member.where) && isPlain(member.selection);
    });
    KNOWN.set(selection, isKnown);
  }
  return isKnown;
}

/** Of the selections that many requests share. */
const KNOWN = new WeakMap<Selection, boolean>();
