import type { StoredModel } from '../model/storage/storage.js';
import type { UniqueCondition } from '../query/condition.js';
import { match, type Table } from '../query/match.js';
import { isTotal, type Order } from '../query/order.js';
import type { Query } from '../query/query.js';
import type { AggregateMember } from '../query/read.js';
import type { Page, Selection } from '../query/selection.js';
import { isUnique, type LinkedRow, type Verb, type WrittenRecord } from '../query/write.js';
import { addCosts, type Cost, Meter, NO_COST, WEIGHTS } from './cost.js';
import { type ConditionPlace, measureCondition, measureOrder, measureSelection, measureUnique, measureWhere } from './measure-selection.js';
import { countNodes } from '../wire/count-nodes.js';

/** A cache of values that are computed from frozen objects, which cannot change. For other objects the value is computed on each call. */
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

/** The cost of a query by argument. An argument without cost may be missing. */
export type CallCost = Readonly<Record<string, Cost>>;

/**
 * Measures a query before it is executed. Because nodes are measured, requests with the same meaning cost the same in both styles.
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

/** Returns the cost of all arguments of queries together. */
export function sumCosts(calls: readonly CallCost[]): Cost {
  let total = NO_COST;
  for (const call of calls) for (const argument of Object.keys(call)) total = addCosts(total, call[argument] ?? NO_COST);
  return total;
}

/**
 * Returns the cost of reading a page of related rows through their parent row, in addition to the arguments of the page. The relation is selected,
 * and with a total it is also counted.
 */
export function measureRelatedPage(hasTotal: boolean): CallCost {
  return { relationship: { ...NO_COST, joins: WEIGHTS.selected + (hasTotal ? WEIGHTS.toMany : 0) } };
}

/** Measures a selection as the argument `select`. */
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

/** The costs of selections that requests share. */
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

/** The measured arguments of each kind of query, by Prisma's names. */
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

/** An ordered page of the rows of a model. */
interface OrderedRows {
  readonly model: StoredModel;
  readonly order: Order;
  readonly page: Page;
}

/** Measures the cursor of a top-level page. The cursor of a related list is free, because it reads only that list, whose rows are limited. */
function measureCursor({ model, order, page }: OrderedRows, meter: Meter): void {
  if (page.cursor) meter.terms(isTotal(order, model) ? WEIGHTS.cursor : WEIGHTS.rest);
}

/** The place of a record in an argument. */
interface RecordPlace {
  readonly meter: Meter;
  readonly depth: number;
}

/** Measures a written record: the values of its lists and Json fields, and the conditions of its nested writes. */
function measureRecord({ fields, relations }: WrittenRecord, { meter, depth }: RecordPlace): void {
  meter.depth(depth);
  for (const { field, value } of fields) if (field.list || field.type === 'Json') meter.values(countNodes(value));
  for (const { verbs } of relations) {
    meter.depth(depth + 1);
    for (const verb of verbs) match(VERBS, verb, { meter, depth: depth + 2 });
  }
}

const VERBS: Table<Verb, [RecordPlace], void> = {
  'create-related': ({ record }, place) => {
    measureRecord(record, place);
  },
  'create-many-related': ({ records }, place) => {
    measureParts(place, undefined, records);
  },
  'connect': ({ row }, place) => {
    measureUnique(row, condition(place));
  },
  'connect-or-create': ({ row, record }, place) => {
    measureParts(place, row, [record]);
  },
  'disconnect': ({ row }, place) => {
    measureRow(row, condition(place));
  },
  'set': ({ rows }, place) => {
    for (const row of rows) measureUnique(row, condition(place));
  },
  'update-related': ({ row, record }, place) => {
    measureParts(place, row, [record]);
  },
  'update-many-related': ({ where, record }, place) => {
    measureParts(place, where, [record]);
  },
  'upsert-related': ({ row, create, update }, place) => {
    measureParts(place, row, [create, update]);
  },
  'delete-related': ({ row }, place) => {
    measureRow(row, condition(place));
  },
  'delete-many-related': ({ where }, place) => {
    measureRow(where, condition(place));
  },
};

function condition({ meter, depth }: RecordPlace): ConditionPlace {
  return { meter, depth, factor: 1 };
}

function measureRow(row: LinkedRow, place: ConditionPlace): void {
  if (isUnique(row)) measureUnique(row, place);
  else if (row.kind !== 'always') measureCondition(row, place);
}

/** Measures a verb of several parts: the condition on its row, and its records. */
function measureParts({ meter, depth }: RecordPlace, row: LinkedRow | undefined, records: readonly WrittenRecord[]): void {
  meter.depth(depth);
  const below = { meter, depth: depth + 1 };
  if (row) measureRow(row, condition(below));
  for (const record of records) measureRecord(record, below);
}
