import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { Attribute } from '../../model/surface/surface.js';
import { AGGREGATES } from './aggregates.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import type { ArgumentPath } from './argument-path.js';
import { readObject } from './typed-slots.js';
import { mayFilter } from '../../model/surface/rights.js';

/** Reads what stands behind one operator. */
export type OperandReader = (attribute: Attribute, operand: unknown, path: ArgumentPath) => unknown;

/** One operator of a filter. */
export interface Operator {
  readonly read: OperandReader;
  /** What {@link read} takes, for documents of the API. */
  readonly takes: OperandType;
  /** The databases on which Prisma does not have it. */
  readonly lackedBy?: ReadonlySet<DatabaseProvider>;
}

/**
 * `value`: one of the field's type · `nullable`: the same, or null where the field may be null · `values`: a list of values · `filter`: a value
 * or a filter of the same operators · `text` · `mode` · `flag`: true or false · `path`: into a Json value · `json`: any JSON · `ordered-json`: a
 * number or a text · `result`: a filter on the result of an aggregate function
 */
export type OperandType =
  'value' | 'nullable' | 'values' | 'filter' | 'text' | 'mode' | 'flag' | 'path' | 'json' | 'ordered-json' | 'result';

/** The operators of one kind of filter, by name. */
export type Operators = ReadonlyMap<string, Operator>;

/** An attribute and the operators that its filter has here. */
export interface Filtered {
  readonly attribute: Attribute;
  readonly operators: Operators;
}

/** Plans a filter object, e.g. `{ gte: 1, lt: 5 }`: every operator known, open on this field, and with an operand of its type. */
export function planOperators({ attribute, operators }: Filtered, value: unknown, path: ArgumentPath): Record<string, unknown> {
  const filter = readObject(value, path);
  const keys = Object.keys(filter);
  path.spendTerms(Math.max(1, keys.length));
  const planned: Record<string, unknown> = {};
  for (const key of keys) {
    const place = path.member(key);
    const { read, lackedBy } = operators.get(key) ?? place.refuseUnknown(operators.keys());
    if (lackedBy) requireOffered(lackedBy, place);
    if (!MODIFIERS.has(key)) requireOperator(attribute, key, place);
    planned[key] = read(attribute, filter[key], place);
  }
  if (attribute.type === 'String' && planned['mode'] === 'insensitive' && searches(planned)) {
    path.member('mode').refuse('does not go with search.', 'invalid-filter');
  }
  return planned;
}

/** ZenStack has operators of its own on each of its databases. */
function requireOffered(lackedBy: ReadonlySet<DatabaseProvider>, path: ArgumentPath): void {
  const { provider, orm } = path.database;
  if (orm !== 'prisma' || !lackedBy.has(provider)) return;
  path.refuse(`is an operator that the database (${provider}) does not have.`, 'invalid-filter');
}

/** A full-text search ignores case; Prisma's engine panics when `mode` is set. */
function searches(filter: unknown): boolean {
  return isPlainObject(filter) && (Object.hasOwn(filter, 'search') || searches(filter['not']));
}

/** Refuses a filter on a field that is closed to it, or open to other operators only (security case 5). */
export function requireOperator({ rights }: Attribute, operator: string, path: ArgumentPath): void {
  if (mayFilter(rights, operator)) return;
  const open = typeof rights.filter === 'boolean' ? '' : `; the field is open to ${[...rights.filter].join(', ')}`;
  path.refuse(`may not be used to filter${open}.`, 'invalid-filter');
}

/** Keys that compare nothing themselves: a modifier of the operators beside it, and the aggregates, whose own filters are checked in turn. */
const MODIFIERS: ReadonlySet<string> = new Set(['mode', ...AGGREGATES.keys()]);
