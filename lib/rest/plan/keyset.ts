import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { StoredField, StoredModel } from '../../model/storage/storage.js';
import { ALWAYS, and, compare, type Condition, equals, hasAny, NEVER, not, or } from '../../query/condition.js';
import { selectionOf, withFields } from '../../query/fields.js';
import type { FieldTerm, Hop, Order } from '../../query/order.js';
import { relatedRow, type Row } from '../../query/result.js';
import type { Member, Selection } from '../../query/selection.js';
import type { Position } from '../cursor/position.js';

/** One key of an order, with the position of its nulls. */
export interface KeysetTerm extends FieldTerm {
  /** The end at which the database sorts nulls in this direction. */
  readonly nullsAt: 'first' | 'last';
  readonly mayBeNull: boolean;
}

/** A total order by fields. The values of a row in these fields define its position. */
export type Keyset = readonly KeysetTerm[];

/**
 * Converts a key of an order into a key of a keyset. Nulls stay where the database sorts them by default, so that indexes and pages by offset have
 * the same order.
 */
export function keysetTerm(term: FieldTerm, provider: DatabaseProvider): KeysetTerm {
  const { path, field, direction } = term;
  const nullsAt = (provider === 'postgresql') === (direction === 'asc') ? 'last' : 'first';
  const isStated = STATES_NULLS.has(provider) && field.optional;
  // A related row that the caller may not read counts as missing, even if the foreign key is required.
  const mayBeNull = field.optional || path.length > 0;
  return { ...term, nullsAt, mayBeNull, ...(isStated && { nulls: nullsAt }) };
}

/**
 * The databases on which the position of nulls is stated. On the others, Prisma would sort by an expression that no index has, for the same order.
 */
const STATES_NULLS: ReadonlySet<DatabaseProvider> = new Set(['postgresql', 'cockroachdb', 'sqlite'] as const);

/** Returns the opposite order of a keyset. */
export function reversed(keyset: Keyset): Keyset {
  return keyset.map((term) => {
    const nullsAt = term.nullsAt === 'first' ? 'last' : 'first';
    return { ...term, direction: term.direction === 'asc' ? 'desc' : 'asc', nullsAt, ...(term.nulls && { nulls: nullsAt }) };
  });
}

/** Returns a text that identifies an order. A cursor is valid for one order only. */
export function keysetScope({ model }: StoredModel, keyset: Keyset): string {
  const terms = keyset.map(({ path, field, direction, nullsAt }) => [
    ...path.map(({ relation }) => relation.name),
    field.name,
    direction,
    nullsAt,
  ]);
  return JSON.stringify([model, ...terms]);
}

/** Converts a keyset into the order of a query. */
export function keysetOrder(keyset: Keyset): Order {
  return keyset.map(({ path, field, direction, nulls, place }) => ({
    kind: 'field-term',
    path,
    field,
    direction,
    ...(nulls && { nulls }),
    ...(place && { place }),
  }));
}

/** Returns the condition for the rows before or behind a position. */
export function rowsAt(keyset: Keyset, position: Position, side: 'before' | 'behind'): Condition {
  if (!('values' in position)) return (position.side === 'start') === (side === 'behind') ? ALWAYS : NEVER;
  const { values } = position;
  // A position in the gap behind a row has that row before it.
  return side === 'behind' ? rowsAfter(keyset, values, false) : rowsAfter(reversed(keyset), values, position.side === 'behind');
}

/**
 * Returns the condition for the rows after the row with these values (CP-22), and with `isInclusive` for that row itself. If the first key is never
 * null, a plain bound on it is added, which lets the database read an index from there on (CP-30).
 */
function rowsAfter(keyset: Keyset, values: readonly unknown[], isInclusive: boolean): Condition {
  const [first, ...others] = keyset;
  const isBound = first && !first.mayBeNull && first.field.type !== 'Boolean' && (others.length > 0 || isInclusive);
  const bound = isBound ? compare(first.field, first.direction === 'asc' ? 'gte' : 'lte', values[0]) : ALWAYS;
  const alternatives = keyset.reduceRight<Condition>(
    (rest, term, index) => or(beyond(term, values[index]), and(sameAs(term, values[index]), rest)),
    isInclusive ? ALWAYS : NEVER,
  );
  return and(bound, alternatives);
}

function beyond(term: KeysetTerm, value: unknown): Condition {
  const { field, direction, nullsAt, mayBeNull } = term;
  if (value === null) return nullsAt === 'first' ? hasValue(term) : NEVER;
  const further = at(term, furtherThan(field, direction, value));
  return mayBeNull && nullsAt === 'last' ? or(further, hasNone(term)) : further;
}

/** Returns the condition that a field is beyond a value. Prisma cannot compare Booleans by order. On every database false comes before true. */
function furtherThan(field: StoredField, direction: FieldTerm['direction'], value: unknown): Condition {
  const isAscending = direction === 'asc';
  if (field.type !== 'Boolean') return compare(field, isAscending ? 'gt' : 'lt', value);
  return value === isAscending ? NEVER : equals(field, isAscending);
}

function sameAs(term: KeysetTerm, value: unknown): Condition {
  return value === null ? hasNone(term) : at(term, equals(term.field, value));
}

function hasNone(term: KeysetTerm): Condition {
  return term.path.length === 0 ? equals(term.field, null) : not(hasValue(term));
}

/**
 * Returns the condition that a key has a value. Prisma cannot compare a required field with null. In a related row such a field is missing only if
 * the row is.
 */
function hasValue(term: KeysetTerm): Condition {
  const { field } = term;
  return at(term, field.optional ? { ...equals(field, null), isNegated: true } : hasAny(field));
}

/** Wraps a condition, so that it applies to the related row at the path of a key. */
function at({ path }: KeysetTerm, condition: Condition): Condition {
  if (condition.kind === 'never') return condition;
  return path.reduceRight<Condition>((inner, hop) => Object.freeze({ kind: 'is', ...hop, condition: inner }), condition);
}

/** Returns the value of a row in a key; null if a related row of the path is missing. */
export function valueIn(row: Row, { path, field }: KeysetTerm): unknown {
  const holder = path.reduce<Row | null | undefined>((at, { relation }) => at && relatedRow(at, relation.name), row);
  return holder?.[field.name] ?? null;
}

/** Adds the fields of a keyset to a selection. */
export function withKeys(selection: Selection, keyset: Keyset): Selection {
  return keyset.reduce((selected, { path, field }) => withField(selected, path, field), selection);
}

function withField(selection: Selection, [hop, ...rest]: readonly Hop[], field: StoredField): Selection {
  if (!hop) return withFields(selection, [field.name]);
  const { model, members } = selection;
  const index = members.findIndex((member) => member.kind === 'one' && member.relation === hop.relation);
  const known = members[index];
  if (known?.kind === 'one')
    return selectionOf(model, members.with(index, { ...known, selection: withField(known.selection, rest, field) }));
  const below = withField(selectionOf(hop.target, []), rest, field);
  const added: Member = Object.freeze({ kind: 'one', ...hop, where: ALWAYS, selection: below, isLinkage: true });
  return selectionOf(model, [...members, added]);
}
