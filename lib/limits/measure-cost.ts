import type { StoredModel } from '../model/storage/storage.js';
import type { UniqueCondition } from '../query/condition.js';
import { match, type Table } from '../query/match.js';
import { type Order, isTotal } from '../query/order.js';
import type { Query } from '../query/query.js';
import type { AggregateMember } from '../query/read.js';
import type { Page, Selection } from '../query/selection.js';
import type { WrittenRecord } from '../query/write.js';
import { type Cost, NO_COST, WEIGHTS } from './cost.js';
import { measureUnique } from './measure-condition.js';
import { measureRecord } from './measure-record.js';
import { measureOrder, measureSelection, measureWhere } from './measure-selection.js';
import { Meter } from './meter.js';

/** Keeps what was made of an object, where that is frozen and so cannot change; of any other it is made each time. */
class FrozenCache<Value> {
  readonly #known = new WeakMap<object, Value>();

  of(source: unknown, make: () => Value): Value {
    if (typeof source !== 'object' || source === null || !Object.isFrozen(source)) return make();
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    const made = make();
    this.#known.set(source, made);
    return made;
  }
}

/** What a query costs, by argument; one that costs nothing may be left out. */
export type CallCost = Readonly<Record<string, Cost>>;

/**
 * Tells what a query costs before it is made: so that every spelling of a request, in both styles, costs the same.
 *
 * @example
 * measureCost(query); // { where: { terms: 2, joins: 1, depth: 2, values: 0 } }, of { where: { author: { name: 'Ann' } } }
 */
export function measureCost(query: Query): CallCost {
  const costs: Record<string, Cost> = {};
  for (const [argument, measure] of match(PARTS, query)) {
    const cost = costOf(measure);
    if (cost.terms > 0 || cost.joins > 0 || cost.depth > 0 || cost.values > 0) costs[argument] = cost;
  }
  return costs;
}

/**
 * What it costs to read a page of related rows through the row that they belong to, beside the arguments of the page: the rows are selected, and
 * the list is counted for their total.
 */
export function measureRelatedPage(hasTotal: boolean): CallCost {
  return { relationship: { ...NO_COST, joins: WEIGHTS.selected + (hasTotal ? WEIGHTS.toMany : 0) } };
}

/** What it costs to read a selection, of whatever rows. */
export function measureSelected(selection: Selection): CallCost {
  return { select: costOfSelection(selection) };
}

type Measure = Cost | ((meter: Meter) => void);
type Part = readonly [argument: string, measure: Measure];

function costOf(measure: Measure): Cost {
  if (typeof measure !== 'function') return measure;
  const meter = new Meter();
  measure(meter);
  return meter.total();
}

/** Of the selections that many requests share. */
const KNOWN = new FrozenCache<Cost>();

function selectionPart(selection: Selection | undefined): readonly Part[] {
  return selection ? [['select', costOfSelection(selection)]] : [];
}

function costOfSelection(selection: Selection): Cost {
  return KNOWN.of(selection, () =>
    costOf((meter) => {
      measureSelection(selection, meter);
    }),
  );
}

function wherePart(where: UniqueCondition | Parameters<typeof measureWhere>[0]): Part {
  return [
    'where',
    (meter) => {
      if ('keys' in where) measureUnique(where, { meter, depth: 1, factor: 1 });
      else measureWhere(where, meter);
    },
  ];
}

function recordsPart(argument: string, records: readonly WrittenRecord[]): Part {
  return [
    argument,
    (meter) => {
      for (const record of records) measureRecord(record, { meter, depth: 1 });
    },
  ];
}

function namesPart(argument: string, names: readonly unknown[] = []): Part {
  return [
    argument,
    (meter) => {
      meter.terms(names.length);
    },
  ];
}

interface Rows extends OrderedRows {
  readonly where: Parameters<typeof measureWhere>[0];
  readonly aggregates?: readonly AggregateMember[];
}

function rowsParts({ where, ...rows }: Rows): readonly Part[] {
  return [
    wherePart(where),
    [
      'orderBy',
      (meter) => {
        measureOrder(rows.order, meter);
      },
    ],
    [
      'cursor',
      (meter) => {
        measureCursor(rows, meter);
      },
    ],
    namesPart('distinct', rows.page.distinct),
  ];
}

/** What each kind of query is made of, by Prisma's arguments. */
const PARTS: Table<Query, [], readonly Part[]> = {
  'find-unique': ({ where, selection }) => [wherePart(where), ...selectionPart(selection)],
  'find': (query) => [...rowsParts(query), ...selectionPart(query.selection)],
  'count': rowsParts,
  'aggregate': rowsParts,
  'group-by': (query) => [
    ...rowsParts(query),
    namesPart('by', query.by),
    [
      'having',
      (meter) => {
        measureWhere(query.having, meter);
      },
    ],
  ],
  'create': ({ record, selection }) => [recordsPart('data', [record]), ...selectionPart(selection)],
  'create-many': ({ records, selection }) => [recordsPart('data', records), ...selectionPart(selection)],
  'update': ({ where, record, selection }) => [wherePart(where), recordsPart('data', [record]), ...selectionPart(selection)],
  'update-many': ({ where, record, selection }) => [wherePart(where), recordsPart('data', [record]), ...selectionPart(selection)],
  'upsert': ({ where, create, update, selection }) => [
    wherePart(where),
    recordsPart('create', [create]),
    recordsPart('update', [update]),
    ...selectionPart(selection),
  ],
  'delete': ({ where, selection }) => [wherePart(where), ...selectionPart(selection)],
  'delete-many': ({ where }) => [wherePart(where)],
};

/** Rows of a model in an order. */
interface OrderedRows {
  readonly model: StoredModel;
  readonly order: Order;
  readonly page: Page;
}

/** Measures the cursor that a page of a model's rows begins at. That of a list of related rows reads no more than the list, whose rows are limited. */
function measureCursor({ model, order, page }: OrderedRows, meter: Meter): void {
  if (page.cursor) meter.terms(isTotal(order, model) ? WEIGHTS.cursor : WEIGHTS.rest);
}
