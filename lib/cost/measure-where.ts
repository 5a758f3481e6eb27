import type { Attribute, Relationship, Resource } from '../model/surface/surface.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { WEIGHTS } from './cost.js';
import type { Meter } from './meter.js';

/** Where a condition stands. */
export interface ConditionPlace {
  readonly resource: Resource;
  /** Objects around it, itself included. */
  readonly depth: number;
  /** What a hop over a relation weighs here: a list of related rows multiplies what stands below it. */
  readonly factor: number;
}

type Conditions = Readonly<Record<string, unknown>>;

/** Measures a `where`, or a `having`. */
export function measureWhere(where: unknown, place: ConditionPlace, meter: Meter): void {
  if (!isPlainObject(where)) return;
  meter.depth(place.depth);
  const keys = Object.keys(where);
  if (keys.length === 0) meter.terms(1);
  for (const key of keys) measureCondition(key, where[key], { ...place, meter });
}

/** Measures the `where` of one record: its key is free, for the record itself is counted. */
export function measureUniqueWhere(where: unknown, place: ConditionPlace, meter: Meter): void {
  if (!isPlainObject(where)) return;
  const others = Object.entries(where).filter(
    ([key, value]) => !place.resource.uniqueKeys.has(key) || isFilter(place.resource, key, value),
  );
  if (others.length > 0) measureWhere(Object.fromEntries(others), place, meter);
}

function isFilter({ fields }: Resource, key: string, value: unknown): boolean {
  return fields.has(key) && isPlainObject(value);
}

interface Walk extends ConditionPlace {
  readonly meter: Meter;
}

function measureCondition(key: string, value: unknown, { meter, ...place }: Walk): void {
  const field = place.resource.fields.get(key);
  if (field?.kind === 'relationship') measureRelation(field, value, { ...place, meter });
  else if (field) measureComparison(field, value, { ...place, meter });
  else if (LOGICAL.has(key)) measureGroup(value, { ...place, meter });
  else meter.terms(isPlainObject(value) ? Object.keys(value).length : 1);
}

const LOGICAL: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

function measureGroup(value: unknown, { meter, ...place }: Walk): void {
  const members = [value].flat();
  if (members.length === 0) meter.terms(1);
  for (const member of members) measureWhere(member, { ...place, depth: place.depth + 1 }, meter);
}

function measureRelation(relationship: Relationship, filter: unknown, { meter, ...place }: Walk): void {
  if (!isPlainObject(filter)) {
    meter.terms(2);
    meter.joins(place.factor * WEIGHTS.toOne);
    return;
  }
  const quantifiers = Object.keys(filter).filter((key) => QUANTIFIERS.has(key));
  if (quantifiers.length === 0) {
    measureHop(relationship, filter, { ...place, depth: place.depth + 1, meter });
    return;
  }
  meter.depth(place.depth + 1);
  for (const key of quantifiers) measureHop(relationship, filter[key], { ...place, depth: place.depth + 2, meter });
}

/** Prisma's filters on relations. */
const QUANTIFIERS: ReadonlySet<string> = new Set(['some', 'every', 'none', 'is', 'isNot']);

/** One hop: a term, a join, and what is asked of the related rows. */
function measureHop({ target, many }: Relationship, where: unknown, { meter, factor, depth }: Walk): void {
  meter.terms(1);
  meter.joins(factor * (many ? WEIGHTS.toMany : WEIGHTS.toOne));
  if (where === null) meter.terms(1);
  else measureWhere(where, { resource: target, depth, factor: many ? factor * WEIGHTS.below : factor }, meter);
}

function measureComparison(attribute: Attribute, value: unknown, { meter, depth }: Walk): void {
  if (isPlainObject(value)) measureOperators(attribute, value, { depth: depth + 1, meter });
  else meter.terms(sizeOf(value));
}

interface Operators {
  readonly depth: number;
  readonly meter: Meter;
}

function measureOperators(attribute: Attribute, filter: Conditions, { depth, meter }: Operators): void {
  meter.depth(depth);
  const keys = Object.keys(filter);
  if (keys.length === 0) meter.terms(1);
  for (const key of keys) {
    const operand = filter[key];
    meter.terms(key === 'search' ? searchTerms(operand) : sizeOf(operand));
    // An object that a Json field is compared with is a value; any other holds operators: those of `not`, or of an aggregate in `having`.
    if (isPlainObject(operand) && attribute.type !== 'Json') measureOperators(attribute, operand, { depth: depth + 1, meter });
  }
}

/** One comparison, and one for each element beyond the first. */
function sizeOf(operand: unknown): number {
  return Array.isArray(operand) ? Math.max(1, operand.length) : 1;
}

/** What a full-text search weighs: the search itself, and each of its words. */
export function searchTerms(text: unknown): number {
  return WEIGHTS.search + WEIGHTS.word * (typeof text === 'string' ? (text.match(WORD)?.length ?? 0) : 0);
}

/** Words are parted by spaces and by the operators of every database's query language. */
const WORD = /[^\s|&!<>()+\-*~"@]+/g;
