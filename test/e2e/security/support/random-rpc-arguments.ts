import fc from 'fast-check';
import { PRISMA_OPERATORS } from '../../../../lib/model/surface/prisma-operators.js';
import {
  fieldsOf,
  hasRelations,
  isOfNames,
  merged,
  models,
  type NamedField,
  oneKey,
  pick,
  relationField,
  valueField,
  valueOf,
} from './random-fields.js';

/** Returns one comparison, or a modifier of another one. */
function comparisonOf(of: NamedField): fc.Arbitrary<object> {
  const value = of.field.type === 'Json' ? fc.oneof(valueOf(of), fc.constant('\ud800')) : valueOf(of);
  const usual = of.field.list ? LIST_OPERATORS : (['equals', 'not', 'lt', 'gte', 'startsWith', 'contains'] as const);
  const operator = fc.oneof({ arbitrary: pick<string>(usual), weight: 3 }, pick(PRISMA_OPERATORS));
  const compared = operator.chain((name) => oneKey(name, operandOf(of, name, value)));
  return fc.oneof({ arbitrary: compared, weight: 9 }, oneKey('mode', fc.constant('insensitive')), oneKey('path', PATHS));
}

const LIST_OPERATORS = ['equals', 'has', 'hasEvery', 'hasSome', 'isEmpty'] as const;
const LISTS: ReadonlySet<string> = new Set(['in', 'notIn', 'hasEvery', 'hasSome']);

function operandOf({ field }: NamedField, operator: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (operator === 'isEmpty') return fc.boolean();
  return LISTS.has(operator) || (field.list && operator === 'equals') ? fc.array(value, { maxLength: 3 }) : value;
}
const PATHS = fc.constantFrom(['a'], [], ['a', '0'], ['\ud800'], '$.a');

/** Returns the filter of a field: a value, one comparison, or several or none, on which Prisma's engine has panicked. */
export function conditionOf(of: NamedField): fc.Arbitrary<unknown> {
  const comparison = comparisonOf(of);
  const filter = fc.oneof({ arbitrary: comparison, weight: 3 }, merged(fc.tuple(comparison, comparison)), fc.constant({}));
  return fc.oneof({ arbitrary: valueOf(of), weight: 2 }, { arbitrary: filter, weight: 3 }, oneKey('not', filter), fc.constant(null));
}

/** Groups without conditions, which have an effect at some places, and none beside other conditions. */
const EMPTY_GROUPS = fc.constantFrom<object>(
  ...[{ OR: [] }, { AND: [] }, { NOT: [] }, { NOT: {} }, { OR: [{}] }, { AND: [{ OR: [] }] }, { OR: [{ AND: [] }] }],
  ...[{ OR: [{ NOT: [] }] }, { NOT: [{ AND: [] }] }, { NOT: [{ OR: [] }] }, { NOT: { OR: [], AND: [] } }, { AND: { NOT: [] } }],
);

/** Returns a `where` over up to `depth` relations. */
export function where(name: string, depth: number): fc.Arbitrary<object> {
  const own = valueField(name).chain((field) => oneKey(field.name, conditionOf(field)));
  if (depth === 0 || !hasRelations(name)) return own;
  const hop = relationField(name).chain((relation) => {
    const target = where(relation.field.type, depth - 1);
    const quantifier = relation.field.list ? fc.constantFrom('some', 'every', 'none') : fc.constantFrom('is', 'isNot');
    return oneKey(
      relation.name,
      fc.oneof(
        target,
        quantifier.chain((key) => oneKey(key, target)),
        ...(relation.field.list ? [] : [fc.constant(null), oneKey('is', fc.constant(null)), oneKey('isNot', fc.constant(null))]),
      ),
    );
  });
  const logical = fc.constantFrom('AND', 'OR', 'NOT').chain((key) => oneKey(key, fc.array(where(name, depth - 1), { maxLength: 2 })));
  const beside = merged(fc.tuple(own, fc.oneof(logical, EMPTY_GROUPS)));
  return fc.oneof({ arbitrary: own, weight: 4 }, { arbitrary: hop, weight: 3 }, logical, beside, EMPTY_GROUPS);
}

/** One term of an order, up to some hops deep. */
export function orderBy(name: string, depth: number): fc.Arbitrary<object> {
  const direction = fc.constantFrom('asc', 'desc');
  const own = valueField(name).chain((field) => oneKey(field.name, direction));
  if (depth === 0 || !hasRelations(name)) return own;
  return fc.oneof(
    { arbitrary: own, weight: 2 },
    relationField(name).chain((relation) =>
      oneKey(relation.name, relation.field.list ? oneKey('_count', direction) : orderBy(relation.field.type, depth - 1)),
    ),
  );
}

/** `select`, `include` or `omit`, up to some hops deep. */
export function selection(name: string, depth: number): fc.Arbitrary<object> {
  const flags = (value: boolean): fc.Arbitrary<object> => valueField(name).map((field) => ({ [field.name]: value }));
  const plain = fc.oneof(oneKey('select', flags(true)), oneKey('omit', flags(false)), oneKey('omit', flags(true)), fc.constant({}));
  if (depth === 0 || !hasRelations(name)) return plain;
  const nested = relationField(name).chain((relation) => {
    const inner = fc.oneof(whole(relation.field), page(relation.field.type, depth - 1));
    return fc.constantFrom('select', 'include').chain((key) => oneKey(key, oneKey(relation.name, inner)));
  });
  const counted = relationField(name).map((relation) => ({ include: { _count: { select: { [relation.name]: true } } } }));
  return fc.oneof({ arbitrary: plain, weight: 2 }, { arbitrary: nested, weight: 2 }, counted);
}

/** Returns the selection of a whole relation. */
function whole({ type, list }: NamedField['field']): fc.Arbitrary<unknown> {
  return list ? inOrder(type, fc.constant({})).map((args) => ('orderBy' in args ? args : true)) : fc.constant(true);
}

/** Some of the arguments of a read. */
export function page(name: string, depth: number): fc.Arbitrary<object> {
  return inOrder(name, someOf(...pageParts(name, depth), oneKey('distinct', names(name)), selection(name, depth)));
}

/** Adds an order, because that of unordered rows depends on the rules, some of which join other tables on {@link namesModel}. */
export function inOrder(name: string, args: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return isOfNames(name) ? args.map((all) => ({ orderBy: [{ id: 'asc' }], ...all })) : args;
}

/** Which records, in which order: the arguments that a read shares with `count` and `aggregate`. */
export function pageParts(name: string, depth: number): readonly fc.Arbitrary<object>[] {
  return [
    oneKey('where', where(name, depth)),
    oneKey(
      'orderBy',
      orderBy(name, depth).map((term) => inTotalOrder(term, models[name]?.primaryKey?.fields ?? [])),
    ),
    oneKey('cursor', furtherWhere(name)),
    // If the order has ties, the database decides which rows precede the cursor.
    merged(fc.tuple(oneKey('cursor', uniqueWhere(name)), oneKey('orderBy', orderBy(name, 0)))),
    oneKey('take', fc.integer({ min: -2, max: 3 })),
  ];
}

/** Returns an order without ties, because the order of equal rows may differ between statements. */
export function inTotalOrder(term: object, key: readonly string[]): readonly object[] {
  return [term, ...key.map((field) => ({ [field]: 'asc' }))];
}

/** Returns names of scalar fields, for `distinct` and `by`. */
export const names = (name: string): fc.Arbitrary<string[]> =>
  fc.array(
    valueField(name).map((field) => field.name),
    { minLength: 1, maxLength: 2 },
  );

/** One or two of the arguments. */
export const someOf = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  merged(fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 2 }));

/** Returns a `where` of one record by any of its keys, sometimes with further conditions. */
export function furtherWhere(name: string): fc.Arbitrary<object> {
  const more = fc.oneof(where(name, 1), oneKey('AND', fc.array(where(name, 0), { maxLength: 1 })));
  return fc.oneof({ arbitrary: uniqueWhere(name), weight: 3 }, merged(fc.tuple(uniqueWhere(name), more)));
}

/** Returns a `where` of one record by any of its keys. */
export function uniqueWhere(name: string): fc.Arbitrary<object> {
  const definition = models[name];
  const keys = [...(definition?.primaryKey ? [definition.primaryKey] : []), ...(definition?.uniqueKeys ?? [])];
  return pick(keys).chain((key) => {
    const values = fieldsOf(name, 'value')
      .filter((field) => key.fields.includes(field.name))
      .map((field) => oneKey(field.name, valueOf(field)));
    const all = merged(fc.tuple(...values));
    return key.fields.length === 1 ? all : oneKey(key.name, all);
  });
}
