import fc from 'fast-check';
import type { OutgoingRequest } from '../../../support/send-request.js';
import { newValues, someValues, writtenModel } from './random-content.js';
import { delegateOf, hasRelations, merged, type NamedField, oneKey, relationField, valueOf } from './random-fields.js';
import { furtherWhere, selection, uniqueWhere, where } from './random-rpc-arguments.js';

/** A value in place of another, or an operation on it. */
const change = (of: NamedField): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: valueOf(of), weight: 3 },
    oneKey('set', valueOf(of)),
    oneKey('increment', fc.constant(1)),
    oneKey('push', valueOf(of)),
  );

const newData = (name: string, depth: number): fc.Arbitrary<object> => withRelation(name, newValues(name), depth);
const changedData = (name: string, depth: number): fc.Arbitrary<object> => withRelation(name, someValues(name, change), depth);

function withRelation(name: string, values: fc.Arbitrary<object>, depth: number): fc.Arbitrary<object> {
  if (depth === 0 || !hasRelations(name)) return values;
  const nested = relationField(name).chain((relation) => oneKey(relation.name, nestedWrite(relation, depth - 1)));
  return fc.oneof({ arbitrary: values, weight: 2 }, merged(fc.tuple(values, nested)));
}

/** Returns a nested write of a to-one or to-many relation. */
function nestedWrite({ field: { type, list } }: NamedField, depth: number): fc.Arbitrary<object> {
  const row = furtherWhere(type);
  const changed = changedData(type, depth);
  const found = list ? fc.record({ where: row, data: changed }) : fc.oneof(changed, whereAnd(type, { data: changed }));
  /** The operand of a to-one relation: `true`, or a condition on the related row. */
  const single = fc.oneof(fc.constant(true), where(type, 1));
  const some = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => (list ? fc.oneof(one, fc.array(one, { maxLength: 2 })) : one);
  const upsert = { create: newData(type, depth), update: changed };
  return fc.oneof(
    oneKey('create', some(newData(type, depth))),
    oneKey('connect', some(row)),
    oneKey('connectOrCreate', some(fc.record({ where: row, create: newData(type, depth) }))),
    oneKey('update', some(found)),
    oneKey('upsert', some(list ? fc.record({ where: row, ...upsert }) : fc.oneof(fc.record(upsert), whereAnd(type, upsert)))),
    oneKey('delete', list ? some(row) : single),
    oneKey('disconnect', list ? some(row) : single),
    oneKey('set', fc.array(row, { maxLength: 2 })),
    oneKey('createMany', fc.record({ data: fc.array(newValues(type), { maxLength: 2 }) })),
    oneKey('updateMany', fc.record({ where: where(type, 1), data: someValues(type, change) })),
    oneKey('deleteMany', where(type, 1)),
  );
}

/** Returns an operand with a condition on the row of a to-one relation. */
const whereAnd = (type: string, members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  fc.record({ where: where(type, 1), ...members });

/** Returns an upsert whose new row has the key of `where`, which is a native upsert. */
function keyedUpsert(name: string): fc.Arbitrary<object> {
  return fc.tuple(uniqueWhere(name), newData(name, 0), changedData(name, 0)).map(([where, data, update]) => {
    const values = Object.entries(where).map(([field, value]: [string, unknown]) => (isCompound(value) ? value : { [field]: value }));
    return { where, create: Object.assign({}, data, ...values) as object, update };
  });
}

function isCompound(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

interface Call {
  readonly model: string;
  readonly op: string;
  readonly args: object;
}

/** By its operation: the method, and the argument. */
function operationsOn(name: string): Readonly<Record<string, readonly [method: 'POST' | 'PATCH' | 'DELETE', args: fc.Arbitrary<object>]>> {
  const key = { where: furtherWhere(name) };
  const some = { where: where(name, 1) };
  const shown = <Members extends object>(members: fc.Arbitrary<Members>): fc.Arbitrary<object> =>
    merged(fc.tuple(members, fc.oneof(selection(name, 2), fc.constant({}))));
  const many = fc.array(newValues(name), { minLength: 1, maxLength: 2 });
  return {
    create: ['POST', shown(fc.record({ data: newData(name, 2) }))],
    createMany: ['POST', fc.record({ data: many })],
    createManyAndReturn: ['POST', shown(fc.record({ data: many }))],
    upsert: ['POST', shown(fc.oneof(fc.record({ ...key, create: newData(name, 1), update: changedData(name, 1) }), keyedUpsert(name)))],
    update: ['PATCH', shown(fc.record({ ...key, data: changedData(name, 2) }))],
    updateMany: ['PATCH', fc.record({ ...some, data: someValues(name, change) })],
    updateManyAndReturn: ['PATCH', shown(fc.record({ ...some, data: someValues(name, change) }))],
    delete: ['DELETE', shown(fc.record(key))],
    deleteMany: ['DELETE', fc.record(some)],
  };
}

type Written = Call & Pick<OutgoingRequest, 'method'>;

function callOf(name: string): fc.Arbitrary<Written> {
  const operations = Object.entries(operationsOn(name)).map(([op, [method, args]]): fc.Arbitrary<Written> => {
    return args.map((one) => ({ model: delegateOf(name), op, method, args: one }));
  });
  return fc.oneof(...operations);
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A write of the RPC style, by itself or in a batch. */
export const rpcWrite = rpcWriteOf(writtenModel);

/** A write of the RPC style, to some models. */
export function rpcWriteOf(some: fc.Arbitrary<string>): fc.Arbitrary<OutgoingRequest> {
  const call = some.chain(callOf);
  return fc.oneof(
    call.map(({ model, op, method, args }): OutgoingRequest => {
      const path = `/api/rpc/${model}/${op}`;
      if (method === 'DELETE') return { method, path: `${path}?q=${encodeURIComponent(JSON.stringify(args))}` };
      return { method, path, headers: JSON_TYPE, body: JSON.stringify(args) };
    }),
    fc.array(call, { minLength: 1, maxLength: 2 }).map((calls): OutgoingRequest => {
      const body = JSON.stringify(calls.map(({ model, op, args }) => ({ model, op, args })));
      return { method: 'POST', path: '/api/rpc/$transaction/sequential', headers: JSON_TYPE, body };
    }),
  );
}
