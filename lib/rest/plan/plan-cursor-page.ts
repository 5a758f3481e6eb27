import { ApiError } from '../../errors/api-error.js';
import type { Storage, StoredField } from '../../model/storage/storage.js';
import { isConnectiveName } from '../../model/surface/prisma-operators.js';
import type { Resource } from '../../model/surface/surface.js';
import { ALWAYS, and, type Condition } from '../../query/condition.js';
import { type FieldTerm, hasRowKeyFields, type Order, type OrderTerm, withoutRepeats } from '../../query/order.js';
import type { Row } from '../../query/result.js';
import type { Selection } from '../../query/selection.js';
import type { Position } from '../cursor/position.js';
import { collectAll } from '../parse/collect.js';
import { CURSOR_PROBLEMS, type CursorPage, type PageCursors } from '../projection/page.js';
import { keyOrder } from '../projection/select-projection.js';
import { CursorTexts, type Refuse } from './cursor-texts.js';
import { type Keyset, keysetOrder, keysetTerm, reversed, rowsAt, withKeys } from './keyset.js';
import type { PlanContext } from './plan-context.js';
import { whyUnpageable } from './unpageable.js';

/**
 * The query of a page between cursors, and the reader of its rows. One more row is read than the page shows, to detect whether more follow (CP-30).
 */
interface CursorPlan {
  /** The condition of the cursors, in addition to the filter. The total counts the rows that meet the filter alone. */
  readonly where: Condition;
  readonly order: Order;
  readonly selection: Selection;
  /**
   * Returns the page from the rows that were read.
   *
   * @returns the rows that the page shows, in the order of the collection
   * @throws ApiError `invalid-sort` for a row whose values no cursor can hold
   */
  readonly read: (rows: readonly Row[]) => { readonly rows: readonly Row[]; readonly cursors: PageCursors };
}

/** The ordered rows that a page is a part of. */
export interface OrderedRows {
  readonly resource: Resource;
  /** The order that the client has requested. */
  readonly order: Order;
  readonly selection: Selection;
  /** The parameter that errors about the order name. @default 'sort' */
  readonly sortParameter?: string;
}

export type CursorContext = Pick<PlanContext, 'cursors'> & { readonly model: Pick<PlanContext['model'], 'storage'> };

/**
 * Plans a page by the values of its first and last rows.
 *
 * @throws ApiError `invalid-sort` for an order that cursors do not support (CP-02), `invalid-page` for a cursor of another order (CP-08)
 */
export function planCursorPage(page: CursorPage, ordered: OrderedRows, context: CursorContext): CursorPlan {
  const { selection, sortParameter = 'sort' } = ordered;
  const refuse: Refuse = (reason) => unsupportedSort(reason, sortParameter);
  const keyset = keysetOf(ordered, context.model.storage, refuse);
  const texts = new CursorTexts(selection.model, keyset, context.cursors, refuse);
  const { after, before } = collectAll({
    after: () => page.after && texts.read(page.after),
    before: () => page.before && texts.read(page.before),
  });
  const isBackward = before !== undefined && after === undefined;
  const { size } = page;
  return {
    where: and(after ? rowsAt(keyset, after, 'behind') : ALWAYS, before ? rowsAt(keyset, before, 'before') : ALWAYS),
    order: keysetOrder(isBackward ? reversed(keyset) : keyset),
    selection: withKeys(selection, keyset),
    read: (found) => {
      const shown = found.slice(0, size);
      const rows = isBackward ? shown.reverse() : shown;
      const ends = { hasMore: found.length > size, isAtStart: isStart(after, before), isAtEnd: before?.side === 'end' };
      return { rows, cursors: { ...texts.of(rows, after), ...ends } };
    },
  };
}

/** Whether Prisma can filter by the field of a term, which the condition of a cursor requires. */
function isFilterable({ path, field }: FieldTerm): boolean {
  return [field.name, ...path.map(({ relation }) => relation.name)].every((name) => !isConnectiveName(name));
}

/** Returns the error for an order that cursors do not support (CP-02). */
function unsupportedSort(reason: string, parameter: string): ApiError {
  const detail = `Pages of cursors cannot have this order: ${reason}. Sort by other fields, or ask for pages by offset.`;
  return new ApiError('invalid-sort', detail, { source: { parameter }, type: CURSOR_PROBLEMS.unsupportedSort });
}

function isStart(after: Position | undefined, before: Position | undefined): boolean {
  return after ? after.side === 'start' : before === undefined;
}

/** Returns the requested order as a total order. The primary key breaks ties, unless the order already contains the key of the row (CP-21). */
function keysetOf({ resource, order, selection: { model } }: OrderedRows, storage: Storage, refuse: Refuse): Keyset {
  const { provider } = storage;
  const terms = withoutRepeats(order).map((term) => requirePageable(term, (field) => whyUnpageable(field, provider), refuse));
  const ties = hasRowKeyFields(order, model) ? [] : keyOrder(resource, storage);
  // The message does not describe the key, because it may be hidden.
  const keys = ties.map((term) => requirePageable(term, (field) => whyUnpageable(field, provider) && 'cannot break ties', refuse));
  return withoutRepeats([...terms, ...keys]).map((term) => keysetTerm(term, provider));
}

function requirePageable(term: OrderTerm, whyNot: (field: StoredField) => string | undefined, refuse: Refuse): FieldTerm {
  if (term.kind !== 'field-term') throw refuse('a number of related resources changes while it is paged through');
  if (!isFilterable(term)) throw refuse("one of its members is called 'and', 'or' or 'not', which Prisma takes for its connective");
  const reason = whyNot(term.field);
  if (reason !== undefined) throw refuse(`one of its fields ${reason}`);
  return term;
}
