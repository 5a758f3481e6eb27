import type { StoredModel } from '../model/storage/storage.js';
import type { Condition, Group } from '../query/condition.js';
import { match, type Table } from '../query/match.js';
import type { Order } from '../query/order.js';
import type { Query } from '../query/query.js';
import type { Page, Selection } from '../query/selection.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';
import { callsOf, type Plan } from './plan.js';

/**
 * Whether a plan is always cheap: look-ups of one row by its key, with its to-one relations. Reads that filter, sort or count may be slow, also
 * within the lists of one row. A condition on other rows, in addition to the key, may be slow, too.
 */
export function isAlwaysQuick(plan: Plan): boolean {
  return callsOf(plan).every(({ query }) => query.kind === 'find-unique' && isOwn(query.where.more) && isPlain(query.selection));
}

/**
 * Whether a plan is usually cheap: the first rows in the order of a key, with their to-one relations. Its time is still limited, because the model
 * may be a view, or a policy of the database may hide most rows.
 */
export function isUsuallyQuick(plan: Plan): boolean {
  return callsOf(plan).every(({ query }) => isFirstRows(query));
}

function isFirstRows(query: Query): boolean {
  if (query.kind !== 'find' || query.where.kind !== 'always') return false;
  const { page, order, rows, model, selection } = query;
  return (rows === 'first' || isShort(page)) && isWhole(page) && isByKey(order, model) && isPlain(selection);
}

/** Maximum `take` of a short page. Such pages have some kilobytes in most tables. */
const FEW_ROWS = 50;

function isShort({ take }: Page): boolean {
  return take !== undefined && Math.abs(take) <= FEW_ROWS;
}

function isWhole({ skip = 0, cursor, distinct }: Page): boolean {
  return skip === 0 && cursor === undefined && distinct === undefined;
}

/** Whether an order begins with a single-field key, which has an index. Without an order, the first rows can be any rows. */
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

/** Whether a selection has only columns and to-one relations. It is cached, because many requests share one selection. */
const isPlain: (selection: Selection) => boolean = memoizeByObject(({ members }) =>
  members.every((member) => {
    if (member.kind === 'field' || member.kind === 'computed') return true;
    return member.kind === 'one' && isOwn(member.where) && isPlain(member.selection);
  }),
);
