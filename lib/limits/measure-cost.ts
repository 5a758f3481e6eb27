import type { Condition, UniqueCondition } from '../query/condition.js';
import { match, type Table } from '../query/match.js';
import { isTotal } from '../query/order.js';
import type { Query } from '../query/query.js';
import type { Find, FindUnique } from '../query/read.js';
import type { Selection } from '../query/selection.js';
import { isUnique, type LinkedRow, type Update, type UpdateMany, type Verb, type WrittenRecord } from '../query/write.js';
import { countNodes } from '../wire/count-nodes.js';
import { type CallCost, type Cost, type Meter, NO_COST, recordDepth, startMeter, WEIGHTS } from './cost.js';
import { type ConditionPlace, measureCondition, measureOrder, measureSelection, measureUnique, measureWhere } from './measure-selection.js';

/**
 * Measures a query before it is executed. Because nodes are measured, requests with the same meaning cost the same in both styles.
 *
 * @example
 * measureCost(query); // { where: { terms: 2, joins: 1, depth: 2, values: 0 } }, of { where: { author: { name: 'Ann' } } }
 */
export function measureCost(query: Query): CallCost {
  const costs: Costs = {};
  match(ARGUMENTS, query, costs);
  return costs;
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

/** The costs of arguments that have been measured. */
type Costs = Record<string, Cost>;

/** Measures the arguments of each kind of query, by Prisma's names. */
const ARGUMENTS: Table<Query, [Costs], void> = {
  'find-unique': measureRead,
  'find': (query, costs) => {
    measureRows(query, costs);
    addSelection(costs, query.selection);
  },
  'count': measureRows,
  'aggregate': measureRows,
  'group-by': (query, costs) => {
    measureRows(query, costs);
    addNames(costs, 'by', query.by);
    addCondition(costs, 'having', query.having);
  },
  'create': ({ record, selection }, costs) => {
    addRecords(costs, 'data', [record]);
    addSelection(costs, selection);
  },
  'create-many': ({ records, selection }, costs) => {
    addRecords(costs, 'data', records);
    addSelection(costs, selection);
  },
  'update': measureUpdate,
  'update-many': measureUpdate,
  'upsert': ({ where, create, update, selection }, costs) => {
    addCondition(costs, 'where', where);
    addRecords(costs, 'create', [create]);
    addRecords(costs, 'update', [update]);
    addSelection(costs, selection);
  },
  'delete': measureRead,
  'delete-many': ({ where }, costs) => {
    addCondition(costs, 'where', where);
  },
};

function measureRead({ where, selection }: Pick<FindUnique, 'where' | 'selection'>, costs: Costs): void {
  addCondition(costs, 'where', where);
  addSelection(costs, selection);
}

function measureUpdate({ where, record, selection }: Update | UpdateMany, costs: Costs): void {
  addCondition(costs, 'where', where);
  addRecords(costs, 'data', [record]);
  addSelection(costs, selection);
}

function measureRows({ model, where, order, page }: Pick<Find, 'model' | 'where' | 'order' | 'page'>, costs: Costs): void {
  addCondition(costs, 'where', where);
  const ordered = startMeter();
  measureOrder(order, ordered);
  add(costs, 'orderBy', ordered);
  // The cursor of a related list is free, because it reads only that list, whose rows are limited.
  if (page.cursor) add(costs, 'cursor', { ...NO_COST, terms: isTotal(order, model) ? WEIGHTS.cursor : WEIGHTS.rest });
  if (page.distinct) addNames(costs, 'distinct', page.distinct);
}

function addCondition(costs: Costs, argument: string, condition: Condition | UniqueCondition): void {
  const meter = startMeter();
  if ('keys' in condition) measureUnique(condition, { meter, depth: 1, factor: 1 });
  else measureWhere(condition, meter);
  add(costs, argument, meter);
}

function addRecords(costs: Costs, argument: string, records: readonly WrittenRecord[]): void {
  const meter = startMeter();
  for (const record of records) measureRecord(record, { meter, depth: 1 });
  add(costs, argument, meter);
}

function addNames(costs: Costs, argument: string, names: readonly unknown[]): void {
  add(costs, argument, { ...NO_COST, terms: names.length });
}

function addSelection(costs: Costs, selection: Selection | undefined): void {
  if (selection) add(costs, 'select', costOfSelection(selection));
}

/** Adds the cost of an argument, unless the argument is free. */
function add(costs: Costs, argument: string, cost: Cost): void {
  if (cost.terms > 0 || cost.joins > 0 || cost.depth > 0 || cost.values > 0) costs[argument] = cost;
}

/** Returns the cost of a selection. That of a frozen one is cached, because requests share it. */
function costOfSelection(selection: Selection): Cost {
  const known = SELECTIONS.get(selection);
  if (known) return known;
  const cost = startMeter();
  measureSelection(selection, cost);
  if (Object.isFrozen(selection)) SELECTIONS.set(selection, cost);
  return cost;
}

const SELECTIONS = new WeakMap<Selection, Cost>();

/** The place of a record in an argument. */
interface RecordPlace {
  readonly meter: Meter;
  readonly depth: number;
}

/** Measures a written record: the values of its lists and Json fields, and the conditions of its nested writes. */
function measureRecord({ fields, relations }: WrittenRecord, { meter, depth }: RecordPlace): void {
  recordDepth(meter, depth);
  for (const { field, value } of fields) if (field.list || field.type === 'Json') meter.values += countNodes(value);
  for (const { verbs } of relations) {
    recordDepth(meter, depth + 1);
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
  recordDepth(meter, depth);
  const below = { meter, depth: depth + 1 };
  if (row) measureRow(row, condition(below));
  for (const record of records) measureRecord(record, below);
}
