import fc from 'fast-check';
import type { OutgoingRequest } from '../../../support/send-request.js';
import { delegateOf, isOfNames, merged, model, oneKey, pick, valueField } from './random-fields.js';
import {
  conditionOf,
  furtherWhere,
  inOrder,
  inTotalOrder,
  names,
  page,
  pageParts,
  selection,
  someOf,
  where,
} from './random-rpc-arguments.js';

const FUNCTIONS = ['_min', '_max', '_sum', '_avg', '_count'] as const;

const aggregate = (name: string): fc.Arbitrary<object> =>
  pick(FUNCTIONS).chain((key) => valueField(name).map((field) => ({ [key]: { [field.name]: true } })));

function groupBy(name: string): fc.Arbitrary<object> {
  const direction = fc.constantFrom('asc', 'desc');
  const condition = valueField(name).chain((field) => oneKey(field.name, conditionOf(field)));
  const aggregated = pick(FUNCTIONS).chain((key) => {
    return valueField(name).chain((field) => oneKey(field.name, oneKey(key, conditionOf(field))));
  });
  const plain = fc.oneof({ arbitrary: fc.oneof(condition, aggregated), weight: 9 }, fc.constant({}));
  const logical = fc.constantFrom('AND', 'OR', 'NOT').chain((key) => oneKey(key, fc.array(plain, { maxLength: 2 })));
  const having = fc.oneof({ arbitrary: plain, weight: 4 }, logical, merged(fc.tuple(plain, plain)));
  const order = fc.oneof(
    valueField(name).chain((field) => oneKey(field.name, direction)),
    pick(FUNCTIONS).chain((key) => valueField(name).chain((field) => oneKey(key, oneKey(field.name, direction)))),
  );
  const more = someOf(aggregate(name), oneKey('having', having), oneKey('where', where(name, 1)), oneKey('orderBy', order));
  return fc.tuple(names(name), more).map(([by, { orderBy, ...others }]: readonly [string[], { readonly orderBy?: object }]) => {
    const [first = 'id'] = by;
    const ordered = orderBy ?? (isOfNames(name) ? { [first]: 'asc' } : undefined);
    return { by, ...others, ...(ordered && { orderBy: inTotalOrder(ordered, by) }) };
  });
}

interface Call {
  readonly model: string;
  readonly op: string;
  readonly args: object;
}

function callOf(name: string): fc.Arbitrary<Call> {
  const delegate = fc.constant(delegateOf(name));
  const read = (op: string, args: fc.Arbitrary<object>): fc.Arbitrary<Call> => fc.record({ model: delegate, op: fc.constant(op), args });
  const counted = oneKey(
    'select',
    valueField(name).map((field) => ({ [field.name]: true })),
  );
  return fc.oneof(
    { arbitrary: read('findMany', page(name, 2)), weight: 5 },
    read('findFirst', page(name, 2)),
    read('findUnique', merged(fc.tuple(oneKey('where', furtherWhere(name)), selection(name, 1)))),
    read('count', inOrder(name, someOf(...pageParts(name, 2)))),
    read('count', counted),
    read('aggregate', merged(fc.tuple(aggregate(name), inOrder(name, someOf(...pageParts(name, 1)))))),
    read('groupBy', groupBy(name)),
  );
}

/** A read of the RPC style, by itself or in a batch. */
export const rpcRequest = rpcRequestOf(model);

/** A read of the RPC style, of some models. */
export function rpcRequestOf(some: fc.Arbitrary<string>): fc.Arbitrary<OutgoingRequest> {
  const call = some.chain(callOf);
  return fc.oneof(
    call.map(({ model: name, op, args }): OutgoingRequest => {
      return { method: 'GET', path: `/api/rpc/${name}/${op}?q=${encodeURIComponent(JSON.stringify(args))}` };
    }),
    fc.array(call, { minLength: 1, maxLength: 2 }).map((calls): OutgoingRequest => {
      const headers = { 'Content-Type': 'application/json' };
      return { method: 'POST', path: '/api/rpc/$transaction/sequential', headers, body: JSON.stringify(calls) };
    }),
  );
}
