import { mayFilter } from '../../model/field-rights.js';
import { type Attribute } from '../../model/resource-model.js';
import { AGGREGATES } from './aggregates.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { type Spot } from './spot.js';
import { readObject } from './typed-slots.js';

/** Reads what stands behind one operator. */
export type OperandReader = (attribute: Attribute, operand: unknown, spot: Spot) => unknown;

/** The operators of one kind of filter. */
export type Operators = ReadonlyMap<string, OperandReader>;

/** An attribute and the operators that its filter has here. */
export interface Filtered {
  readonly attribute: Attribute;
  readonly operators: Operators;
}

/** Plans a filter object, e.g. `{ gte: 1, lt: 5 }`: every operator known, open on this field, and with an operand of its type. */
export function planOperators({ attribute, operators }: Filtered, value: unknown, spot: Spot): Record<string, unknown> {
  const filter = readObject(value, spot);
  const keys = Object.keys(filter);
  spot.spendTerms(Math.max(1, keys.length));
  const planned: Record<string, unknown> = {};
  for (const key of keys) {
    const place = spot.member(key);
    const read = operators.get(key) ?? place.refuseUnknown(operators.keys());
    if (!MODIFIERS.has(key)) requireOperator(attribute, key, place);
    planned[key] = read(attribute, filter[key], place);
  }
  if (attribute.type === 'String' && planned['mode'] === 'insensitive' && searches(planned)) {
    spot.member('mode').refuse('does not go with search.', 'invalid-filter');
  }
  return planned;
}

/** A full-text search has no case; Prisma's engine panics when it is given one. */
function searches(filter: unknown): boolean {
  return isPlainObject(filter) && (Object.hasOwn(filter, 'search') || searches(filter['not']));
}

/** Refuses a filter on a field that is closed to it, or open to other operators only (security case 5). */
export function requireOperator({ rights }: Attribute, operator: string, spot: Spot): void {
  if (mayFilter(rights, operator)) return;
  const open = typeof rights.filter === 'boolean' ? '' : `; the field is open to ${[...rights.filter].join(', ')}`;
  spot.refuse(`may not be used to filter${open}.`, 'invalid-filter');
}

/** Keys that compare nothing themselves: a modifier of the operators beside it, and the aggregates, whose own filters are checked in turn. */
const MODIFIERS: ReadonlySet<string> = new Set(['mode', ...AGGREGATES.keys()]);
