import type { SchemaRelationField } from '../model/schema/resource-schema.js';
import type { Subject } from './hidden-field.js';
import { type Args, type RpcProbe, rpcProbe } from './probe.js';

/** Every argument of the RPC style that reads or compares by a relation, with the hidden one in it. */
export function rpcRelationProbes({ owner, field, hops, schema }: Subject, relation: SchemaRelationField): readonly RpcProbe[] {
  const { delegate } = owner;
  const find = (slot: string, args: Args): RpcProbe => rpcProbe(slot, { delegate, operation: 'findMany', args: { ...args, take: 1 } });
  const conditions: readonly Args[] = relation.list
    ? ['some', 'every', 'none'].map((quantifier) => ({ [field]: { [quantifier]: {} } }))
    : [{ [field]: null }, { [field]: {} }, { [field]: { is: {} } }, { [field]: { isNot: {} } }];
  const order = relation.list ? { _count: 'asc' } : { [firstField(relation, schema)]: 'asc' };
  return [
    ...conditions.map((where) => find(`where ${JSON.stringify(where)}`, { where })),
    find('orderBy', { orderBy: { [field]: order } }),
    find('include', { include: { [field]: true } }),
    ...(owner.resource?.fields.has(field) === true ? [] : [find('include: false', { include: { [field]: false } })]),
    find('select', { select: { [field]: true } }),
    find('include _count', { include: { _count: { select: { [field]: true } } } }),
    ...hops.flatMap(({ from, name, many }) => {
      const over = (slot: string, args: Args): RpcProbe =>
        rpcProbe(`${slot} over ${name}`, { delegate: from.delegate, operation: 'findMany', args });
      return [
        over('include', { include: { [name]: { include: { [field]: true } } }, take: 1 }),
        over('select', { select: { [name]: { select: { [field]: true } } }, take: 1 }),
        ...conditions.map((where) => over('where', { where: { [name]: many ? { some: where } : where }, take: 1 })),
        ...(many ? [] : [over('orderBy', { orderBy: { [name]: { [field]: order } }, take: 1 })]),
      ];
    }),
  ];
}

function firstField({ type }: SchemaRelationField, { models }: Subject['schema']): string {
  return Object.entries(models[type]?.fields ?? {}).find(([, { kind }]) => kind !== 'relation')?.[0] ?? 'id';
}
