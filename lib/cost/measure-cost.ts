import type { Resource } from '../model/surface/surface.js';
import { type Cost, NO_COST, WEIGHTS } from './cost.js';
import { FrozenCache } from '../utils/frozen-cache.js';
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
  const measured: Record<string, Cost> = {};
  for (const key of Object.keys(args)) {
    const measure = MEASURES.get(key);
    if (!measure) continue;
    const measureOne = (): Cost => {
      const meter = new Meter();
      measure(resource, args[key], meter);
      return meter.total();
    };
    const cost = key === 'select' ? KNOWN.of(args[key], measureOne) : measureOne();
    if (cost.terms > 0 || cost.joins > 0 || cost.depth > 0 || cost.values > 0) measured[key] = cost;
  }
  return measured;
}

/** Of the selections that many requests share: each is of one resource. */
const KNOWN = new FrozenCache<Cost>();

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
