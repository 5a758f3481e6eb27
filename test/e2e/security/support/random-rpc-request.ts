import fc from 'fast-check';
import { FILTER_OPERATORS } from '../../../../lib/model/filter-operators.js';
import { type OutgoingRequest } from '../../../support/send-request.js';
import {
  delegateOf,
  fieldsOf,
  hasRelations,
  model,
  models,
  type NamedField,
  oneKey,
  pick,
  relationField,
  valueField,
  valueOf,
} from './random-fields.js';

function conditionOf(of: NamedField): fc.Arbitrary<unknown> {
  const value = valueOf(of);
  const operator = fc.oneof(
    { arbitrary: fc.constantFrom('equals', 'not', 'lt', 'gte', 'startsWith', 'contains'), weight: 3 },
    pick(FILTER_OPERATORS),
  );
  return fc.oneof(
    value,
    operator.chain((name) => oneKey(name, /^(?:in|notIn|hasEvery|hasSome)$/.test(name) ? fc.array(value, { maxLength: 3 }) : value)),
    oneKey('not', oneKey('startsWith', value)),
    fc.constant(null),
  );
}

/** A `where`, up to some hops deep. */
function where(name: string, depth: number): fc.Arbitrary<object> {
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
      ),
    );
  });
  const logical = fc.constantFrom('AND', 'OR', 'NOT').chain((key) => oneKey(key, fc.array(where(name, depth - 1), { maxLength: 2 })));
  return fc.oneof({ arbitrary: own, weight: 4 }, { arbitrary: hop, weight: 3 }, logical);
}

function orderBy(name: string, depth: number): fc.Arbitrary<object> {
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

function selection(name: string, depth: number): fc.Arbitrary<object> {
  const flags = (value: boolean): fc.Arbitrary<object> => valueField(name).map((field) => ({ [field.name]: value }));
  const plain = fc.oneof(oneKey('select', flags(true)), oneKey('omit', flags(false)), oneKey('omit', flags(true)), fc.constant({}));
  if (depth === 0 || !hasRelations(name)) return plain;
  const nested = relationField(name).chain((relation) => {
    const inner = fc.oneof(fc.constant(true), page(relation.field.type, depth - 1));
    return fc.constantFrom('select', 'include').chain((key) => oneKey(key, oneKey(relation.name, inner)));
  });
  const counted = relationField(name).map((relation) => ({ include: { _count: { select: { [relation.name]: true } } } }));
  return fc.oneof({ arbitrary: plain, weight: 2 }, { arbitrary: nested, weight: 2 }, counted);
}

/** Some of the arguments of a read. */
function page(name: string, depth: number): fc.Arbitrary<object> {
  const parts = [
    oneKey('where', where(name, depth)),
    oneKey('orderBy', orderBy(name, depth)),
    oneKey(
      'distinct',
      fc.array(
        valueField(name).map((field) => field.name),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    oneKey('cursor', uniqueWhere(name)),
    oneKey('take', fc.integer({ min: -2, max: 3 })),
    selection(name, depth),
  ];
  return fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 2 }).map((all) => Object.assign({}, ...all) as object);
}

function uniqueWhere(name: string): fc.Arbitrary<object> {
  const definition = models[name];
  const keys = [...(definition?.primaryKey ? [definition.primaryKey] : []), ...(definition?.uniqueKeys ?? [])];
  return pick(keys).chain((key) => {
    const values = fieldsOf(name, 'value')
      .filter((field) => key.fields.includes(field.name))
      .map((field) => oneKey(field.name, valueOf(field)));
    const merged = fc.tuple(...values).map((all) => Object.assign({}, ...all) as object);
    return key.fields.length === 1 ? merged : oneKey(key.name, merged);
  });
}

function aggregate(name: string): fc.Arbitrary<object> {
  const functions = fc.constantFrom('_min', '_max', '_sum', '_avg', '_count');
  return fc.tuple(functions, valueField(name)).map(([key, field]) => ({ [key]: { [field.name]: true } }));
}

function groupBy(name: string): fc.Arbitrary<object> {
  return fc
    .tuple(
      fc.array(
        valueField(name).map((field) => field.name),
        { minLength: 1, maxLength: 2 },
      ),
      aggregate(name),
      fc.oneof(
        fc.constant({}),
        oneKey(
          'having',
          valueField(name).chain((field) => oneKey(field.name, conditionOf(field))),
        ),
      ),
      fc.oneof(fc.constant({}), oneKey('where', where(name, 1))),
    )
    .map(([by, ...parts]) => Object.assign({ by }, ...parts) as object);
}

interface Call {
  readonly model: string;
  readonly op: string;
  readonly args: object;
}

const call: fc.Arbitrary<Call> = model.chain((name) => {
  const delegate = fc.constant(delegateOf(name));
  const read = (op: string, args: fc.Arbitrary<object>): fc.Arbitrary<Call> => fc.record({ model: delegate, op: fc.constant(op), args });
  return fc.oneof(
    { arbitrary: read('findMany', page(name, 2)), weight: 5 },
    read('findFirst', page(name, 2)),
    read(
      'findUnique',
      fc.tuple(oneKey('where', uniqueWhere(name)), selection(name, 1)).map(([key, rest]) => ({ ...key, ...rest })),
    ),
    read('count', oneKey('where', where(name, 2))),
    read(
      'count',
      oneKey(
        'select',
        valueField(name).map((field) => ({ [field.name]: true })),
      ),
    ),
    read(
      'aggregate',
      fc.tuple(aggregate(name), oneKey('where', where(name, 1))).map(([one, rest]) => ({ ...one, ...rest })),
    ),
    read('groupBy', groupBy(name)),
  );
});

/** A read of the RPC style, by itself or in a batch. */
export const rpcRequest: fc.Arbitrary<OutgoingRequest> = fc.oneof(
  call.map(({ model: name, op, args }): OutgoingRequest => {
    return { method: 'GET', path: `/api/rpc/${name}/${op}?q=${encodeURIComponent(JSON.stringify(args))}` };
  }),
  fc.array(call, { minLength: 1, maxLength: 2 }).map((calls): OutgoingRequest => {
    const headers = { 'Content-Type': 'application/json' };
    return { method: 'POST', path: '/api/rpc/$transaction/sequential', headers, body: JSON.stringify(calls) };
  }),
);
