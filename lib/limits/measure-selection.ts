import type { Condition } from '../query/condition.js';
import { match, type Table } from '../query/match.js';
import type { Order, OrderTerm } from '../query/order.js';
import type { Member, Selection } from '../query/selection.js';
import { type Meter, WEIGHTS } from './cost.js';
import { measureCondition, searchTerms } from './measure-condition.js';

/** Measures a selection: its relations at any depth, with their arguments. */
export function measureSelection({ members }: Selection, meter: Meter): void {
  for (const member of members) match(MEMBERS, member, meter);
}

const NOTHING = (): void => undefined;

const MEMBERS: Table<Member, [Meter], void> = {
  field: NOTHING,
  computed: NOTHING,
  one: ({ where, selection }, meter) => {
    meter.joins(WEIGHTS.selected);
    measureWhere(where, meter);
    measureSelection(selection, meter);
  },
  many: ({ where, order, page, selection }, meter) => {
    meter.joins(WEIGHTS.selected);
    measureWhere(where, meter);
    measureOrder(order, meter);
    meter.terms(page.distinct?.length ?? 0);
    measureSelection(selection, meter);
  },
  // The database may count the related rows of every row, even for a small page.
  counts: ({ counts }, meter) => {
    for (const { where } of counts) {
      meter.joins(WEIGHTS.toMany);
      measureWhere(where, meter, WEIGHTS.below);
    }
  },
};

/** Measures a condition that is a whole argument. */
export function measureWhere(where: Condition, meter: Meter, factor = 1): void {
  if (where.kind !== 'always') measureCondition(where, { meter, depth: 1, factor });
}

export function measureOrder(order: Order, meter: Meter): void {
  for (const term of order) {
    meter.terms(1);
    meter.depth(1);
    match(TERMS, term, meter);
  }
}

const TERMS: Table<OrderTerm, [Meter], void> = {
  'field-term': ({ path }, meter) => {
    measurePath(path.length, meter);
  },
  'count-term': ({ path }, meter) => {
    measurePath(path.length, meter);
    meter.terms(1);
    meter.joins(WEIGHTS.toMany);
    meter.depth(path.length + 2);
  },
  // Each field is searched.
  'relevance-term': ({ path, fields, search }, meter) => {
    measurePath(path.length, meter);
    meter.terms(fields.length * searchTerms(search));
  },
  'aggregate-term': NOTHING,
};

function measurePath(hops: number, meter: Meter): void {
  meter.terms(hops);
  meter.joins(hops * WEIGHTS.toOne);
  meter.depth(hops + 1);
}
