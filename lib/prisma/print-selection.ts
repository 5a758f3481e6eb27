import {
  type CountsMember,
  type ManyMember,
  type Member,
  type OneMember,
  type Page,
  RELATED_COUNT,
  type Selection,
} from '../query/selection.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';
import { printKeys, printWhere, requireNoRule } from './print-condition.js';
import type { Hop, Order, OrderTerm } from '../query/order.js';
import { RELEVANCE } from './words.js';

/** The value of Prisma's `select`. */
export type Select = Readonly<Record<string, unknown>>;

/** Prints a selection as Prisma's `select`. The result is cached by selection, because many requests share one. */
export const printSelection: (selection: Selection) => Select = memoizeByObject(({ members }) =>
  Object.freeze(Object.fromEntries(members.map(printMember))),
);

/** Whether a selection equals the default of Prisma without a `select`: exactly all fields, in the order of the schema. */
export const selectsAllFields: (selection: Selection) => boolean = memoizeByObject(({ model, members }) => {
  const all = [...model.fields.values()].filter(({ ignored }) => !ignored);
  return members.length === all.length && members.every((member, index) => member.kind === 'field' && member.field === all[index]);
});

function printMember(member: Member): readonly [name: string, value: unknown] {
  switch (member.kind) {
    case 'field':
      return [member.field.name, true];
    case 'computed':
      return [member.name, true];
    case 'one':
      return [member.relation.name, printOne(member)];
    case 'many':
      return [member.relation.name, printMany(member)];
    case 'counts':
      return [RELATED_COUNT, printCounts(member)];
  }
}

function printOne({ where, target, selection }: OneMember): Select {
  return { ...printWhere(where, target), select: printSelection(selection) };
}

function printMany({ where, target, order, page, selection }: ManyMember): Select {
  return { ...printWhere(where, target), ...printOrder(order), ...printPage(page), select: printSelection(selection) };
}

function printCounts({ counts }: CountsMember): Select {
  const counted = counts.map(({ relation, target, where }) => {
    return [relation.name, where.kind === 'always' ? true : printWhere(where, target)] as const;
  });
  return { select: Object.fromEntries(counted) };
}

/** Prints a page as arguments. */
export function printPage({ cursor, cursorRow, take, skip, distinct }: Page): Select {
  requireNoRule(cursorRow);
  return {
    ...(cursor && { cursor: printKeys(cursor) }),
    ...(skip !== undefined && { skip }),
    ...(take !== undefined && { take }),
    ...(distinct && { distinct: distinct.map(({ name }) => name) }),
  };
}

/** One element of Prisma's `orderBy`. */
export type OrderBy = Readonly<Record<string, unknown>>;

/** Prints an order as the argument `orderBy`. The argument is absent for an empty order. */
export function printOrder(order: Order): { readonly orderBy?: readonly OrderBy[] } {
  return order.length === 0 ? {} : { orderBy: order.map(printTerm) };
}

function printTerm(term: OrderTerm): OrderBy {
  switch (term.kind) {
    case 'field-term': {
      const { path, field, direction, nulls } = term;
      return reach(path, { [field.name]: nulls === undefined ? direction : { sort: direction, nulls } });
    }
    case 'count-term':
      return reach([...term.path, term.counted], { [RELATED_COUNT]: term.direction });
    case 'relevance-term': {
      const { path, fields, search, direction } = term;
      return reach(path, { [RELEVANCE]: { fields: fields.map(({ name }) => name), search, sort: direction } });
    }
    case 'aggregate-term':
      return { [term.aggregate]: { [term.field.name]: term.direction } };
  }
}

function reach(path: readonly Hop[], order: OrderBy): OrderBy {
  return path.reduceRight<OrderBy>((inner, { relation, readable }) => {
    requireNoRule(readable);
    return { [relation.name]: inner };
  }, order);
}
