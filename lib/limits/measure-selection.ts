import type { Comparison, Condition, JsonComparison, OneCondition, QuantifiedCondition, UniqueCondition } from '../query/condition.js';
import { match, type Table } from '../query/match.js';
import type { Order, OrderTerm } from '../query/order.js';
import type { Member, Selection } from '../query/selection.js';
import { type Meter, recordDepth, WEIGHTS } from './cost.js';

/** Measures a selection: its relations at any depth, with their arguments. */
export function measureSelection({ members }: Selection, meter: Meter): void {
  for (const member of members) match(MEMBERS, member, meter);
}

const NOTHING = (): void => undefined;

const MEMBERS: Table<Member, [Meter], void> = {
  field: NOTHING,
  computed: NOTHING,
  one: ({ where, selection }, meter) => {
    meter.joins += WEIGHTS.selected;
    measureWhere(where, meter);
    measureSelection(selection, meter);
  },
  many: ({ where, order, page, selection }, meter) => {
    meter.joins += WEIGHTS.selected;
    measureWhere(where, meter);
    measureOrder(order, meter);
    meter.terms += page.distinct?.length ?? 0;
    measureSelection(selection, meter);
  },
  // The database may count the related rows of every row, even for a small page.
  counts: ({ counts }, meter) => {
    for (const { where } of counts) {
      meter.joins += WEIGHTS.toMany;
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
    meter.terms += 1;
    recordDepth(meter, 1);
    match(TERMS, term, meter);
  }
}

const TERMS: Table<OrderTerm, [Meter], void> = {
  'field-term': ({ path }, meter) => {
    measurePath(path.length, meter);
  },
  'count-term': ({ path }, meter) => {
    measurePath(path.length, meter);
    meter.terms += 1;
    meter.joins += WEIGHTS.toMany;
    recordDepth(meter, path.length + 2);
  },
  // Each field is searched.
  'relevance-term': ({ path, fields, search }, meter) => {
    measurePath(path.length, meter);
    meter.terms += fields.length * searchTerms(search);
  },
  'aggregate-term': NOTHING,
};

function measurePath(hops: number, meter: Meter): void {
  meter.terms += hops;
  meter.joins += hops * WEIGHTS.toOne;
  recordDepth(meter, hops + 1);
}

/** The place of a condition in an argument. */
export interface ConditionPlace {
  readonly meter: Meter;
  /** The nesting depth of the condition in the argument, in objects, including the condition. */
  readonly depth: number;
  /** The weight of a relation hop at this place. Each enclosing to-many relation multiplies it. */
  readonly factor: number;
}

/** Measures a condition. A constant condition costs one term, like a comparison. */
export function measureCondition(condition: Condition, place: ConditionPlace): void {
  recordDepth(place.meter, place.depth);
  match(MEASURES, condition, place);
}

/** Measures a unique condition. Its key is free, because the limits count the row itself. */
export function measureUnique({ more }: UniqueCondition, place: ConditionPlace): void {
  if (more.kind !== 'always') measureCondition(more, place);
}

type Measure<Node> = (node: Node, place: ConditionPlace) => void;

const measureConstant = (_: Condition, { meter }: ConditionPlace): void => {
  meter.terms += 1;
};

const measureQuantified: Measure<QuantifiedCondition> = ({ condition }, { meter, depth, factor }) => {
  meter.terms += 1;
  meter.joins += factor * WEIGHTS.toMany;
  measureCondition(condition, { meter, depth: depth + 2, factor: factor * WEIGHTS.below });
};

const measureOne: Measure<OneCondition> = ({ condition }, { meter, depth, factor }) => {
  meter.terms += 1;
  meter.joins += factor * WEIGHTS.toOne;
  if (condition.kind === 'always') meter.terms += 1;
  else measureCondition(condition, { meter, depth: depth + 1, factor });
};

const measureComparison: Measure<Comparison> = ({ aggregate, operator, operand, isInsensitive, isNegated }, { meter, depth }) => {
  const isShort = operator === 'equals' && aggregate === undefined && !isInsensitive && !isNegated;
  const levels = [!isShort, aggregate !== undefined, isNegated && operator !== 'equals'].filter(Boolean).length;
  recordDepth(meter, depth + levels);
  meter.terms += operator === 'search' ? searchTerms(operand) : sizeOf(operand);
  // Each keyword around the operator counts as a term.
  meter.terms += Math.max(0, levels - 1) + (isInsensitive ? 1 : 0);
};

const measureJson: Measure<JsonComparison> = ({ path, operand, isInsensitive }, { meter, depth }) => {
  recordDepth(meter, depth + 1);
  meter.terms += sizeOf(operand) + (path === undefined ? 0 : sizeOf(path)) + (isInsensitive ? 1 : 0);
};

const MEASURES: Table<Condition, [ConditionPlace], void> = {
  always: measureConstant,
  never: measureConstant,
  and: ({ conditions }, place) => {
    for (const condition of conditions) measureCondition(condition, place);
  },
  or: ({ conditions }, place) => {
    for (const condition of conditions) measureCondition(condition, { ...place, depth: place.depth + 1 });
  },
  not: ({ condition }, place) => {
    measureCondition(condition, { ...place, depth: place.depth + 1 });
  },
  compare: measureComparison,
  list: ({ operand }, { meter, depth }) => {
    recordDepth(meter, depth + 1);
    meter.terms += sizeOf(operand);
  },
  json: measureJson,
  key: ({ values }, { meter }) => {
    meter.terms += values.length;
  },
  some: measureQuantified,
  every: measureQuantified,
  none: measureQuantified,
  is: measureOne,
  isNot: measureOne,
};

/** Returns the number of comparisons: one for each element of a list, and at least one. */
function sizeOf(operand: unknown): number {
  return Array.isArray(operand) ? Math.max(1, operand.length) : 1;
}

/** Returns the terms of a full-text search: the search itself, and each of its words. */
export function searchTerms(text: unknown): number {
  return WEIGHTS.search + WEIGHTS.word * (typeof text === 'string' ? (text.match(WORD)?.length ?? 0) : 0);
}

/** A word of a full-text search. Spaces and the operators of the databases' query languages separate words. */
const WORD = /[^\s|&!<>()+\-*~"@]+/g;
