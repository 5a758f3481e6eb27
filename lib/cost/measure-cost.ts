import type { Resource } from '../model/surface/surface.js';
import { type Cost, NO_COST, WEIGHTS } from './cost.js';
import { measureData } from './measure-data.js';
import { measureOrder } from './measure-order.js';
import { measureSelection } from './measure-selection.js';
import { measureUniqueWhere, measureWhere } from './measure-where.js';
import { Meter } from './meter.js';

/** What a call costs, by argument; one that costs nothing is left out. */
export type CallCost = Readonly<Record<string, Cost>>;

/**
 * Tells what a call of the data client costs before it is made, from its final arguments alone: so that every spelling of a request, in both
 * styles, costs the same.
 *
 * @example
 * measureCost(post, { where: { author: { name: 'Ann' } } }); // { where: { terms: 2, joins: 1, depth: 2, values: 0 } }
 */
export function measureCost(resource: Resource, args: Readonly<Record<string, unknown>>): CallCost {
  const measured = Object.entries(args).flatMap(([key, value]) => {
    const measure = MEASURES.get(key);
    if (!measure) return [];
    const meter = new Meter();
    measure(resource, value, meter);
    const cost = meter.total();
    return Object.values(cost).some((part) => part > 0) ? [[key, cost] as const] : [];
  });
  return Object.fromEntries(measured);
}

/**
 * What it costs to read a page of related rows through the row that they belong to, beside the arguments of the page: the rows are selected, and
 * the list is counted for their total.
 */
export function measureRelatedPage(hasTotal: boolean): CallCost {
  return { relationship: { ...NO_COST, joins: WEIGHTS.selected + (hasTotal ? WEIGHTS.toMany : 0) } };
}

type Measure = (resource: Resource, value: unknown, meter: Meter) => void;

const measureRecords: Measure = (resource, data, meter) => {
  measureData(data, { resource, depth: 1, meter });
};

const measureFieldNames: Measure = (_, names, meter) => {
  meter.terms([names].flat().length);
};

const MEASURES: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  [
    'where',
    (resource, where, meter) => {
      measureUniqueWhere(where, { resource, depth: 1, factor: 1 }, meter);
    },
  ],
  [
    'having',
    (resource, having, meter) => {
      measureWhere(having, { resource, depth: 1, factor: 1 }, meter);
    },
  ],
  ['orderBy', measureOrder],
  ['distinct', measureFieldNames],
  ['by', measureFieldNames],
  ['select', measureSelection],
  ['include', measureSelection],
  ['data', measureRecords],
  ['create', measureRecords],
  ['update', measureRecords],
]);
