import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { StoredField, StoredModel } from '../../model/storage/storage.js';
import { ALWAYS, and, compare, type Condition, equals, NEVER, not, or } from '../../query/condition.js';
import { selectionOf, withFields } from '../../query/fields.js';
import type { FieldTerm, Hop, Order } from '../../query/order.js';
import { relatedRow, type Row } from '../../query/result.js';
import type { Member, Selection } from '../../query/selection.js';
import type { Position } from '../cursor/position.js';

/** One key of an order whose place of nulls is known. */
export interface KeysetTerm extends FieldTerm {
  /** Where the database puts nulls in that direction. */
  readonly nullsAt: 'first' | 'last';
  readonly mayBeNull: boolean;
}

/** A total order by fields, so that the values of a row in them say where it stands. */
export type Keyset = readonly KeysetTerm[];

/** A key of an order as one of a keyset: with the nulls where the database has them anyway, so that indexes and pages by offset have the same order. */
export function keysetTerm(term: FieldTerm, provider: DatabaseProvider): KeysetTerm {
  const { path, field, direction } = term;
  const nullsAt = (provider === 'postgresql') === (direction === 'asc') ? 'last' : 'first';
  const isStated = STATES_NULLS.has(provider) && field.optional;
  // A row that the caller may not see is none, whatever the key that refers to it.
  const mayBeNull = field.optional || path.length > 0;
  return { ...term, nullsAt, mayBeNull, ...(isStated && { nulls: nullsAt }) };
}

/** Elsewhere Prisma sorts by an expression, which no index has, to say what the database does by itself. */
const STATES_NULLS: ReadonlySet<DatabaseProvider> = new Set(['postgresql', 'cockroachdb', 'sqlite'] as const);

/** The opposite order. */
export function reversed(keyset: Keyset): Keyset {
  return keyset.map((term) => {
    const nullsAt = term.nullsAt === 'first' ? 'last' : 'first';
    return { ...term, direction: term.direction === 'asc' ? 'desc' : 'asc', nullsAt, ...(term.nulls && { nulls: nullsAt }) };
  });
}

/** What tells an order from others: cursors are of one order alone. */
export function keysetScope({ model }: StoredModel, keyset: Keyset): string {
  const terms = keyset.map(({ path, field, direction, nullsAt }) => [
    ...path.map(({ relation }) => relation.name),
    field.name,
    direction,
    nullsAt,
  ]);
  return JSON.stringify([model, ...terms]);
}

/** The order of a keyset as one of a query. */
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

/** The rows on one side of a position whose values are read. */
export function rowsAt(keyset: Keyset, position: Position, side: 'before' | 'behind'): Condition {
  if (!('values' in position)) return (position.side === 'start') === (side === 'behind') ? ALWAYS : NEVER;
  const { values } = position;
  // In the gap behind a row, that row is one of those before.
  return side === 'behind' ? rowsAfter(keyset, values, false) : rowsAfter(reversed(keyset), values, position.side === 'behind');
}

/**
 * The rows that come after the one with these values (CP-22), and that row itself where it is asked for. Where the first key is never null, its plain
 * bound stands beside the alternatives, so that an index of it is read from there on (CP-30).
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

/** Prisma does not compare Booleans by their order, which is false before true on every database. */
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

/** Prisma compares no field with null that is never null: behind a path, the row alone can be missing. */
function hasValue(term: KeysetTerm): Condition {
  const { field } = term;
  return at(term, field.optional ? { ...equals(field, null), isNegated: true } : not(compare(field, 'in', [])));
}

/** A condition on the row that the path of a key leads to. */
function at({ path }: KeysetTerm, condition: Condition): Condition {
  if (condition.kind === 'never') return condition;
  return path.reduceRight<Condition>((inner, hop) => Object.freeze({ kind: 'is', ...hop, condition: inner }), condition);
}

/** The value of a row in a key. */
export function valueIn(row: Row, { path, field }: KeysetTerm): unknown {
  const holder = path.reduce<Row | null | undefined>((at, { relation }) => at && relatedRow(at, relation.name), row);
  return holder?.[field.name] ?? null;
}

/** A selection that has the values of a keyset, too. */
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
