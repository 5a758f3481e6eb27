import type { SchemaRelationField } from '../model/schema/resource-schema.js';
import type { ProbedField } from './hidden-field.js';
import { type Args, asBatch, type Probe, type ProbeSettings, type RpcProbe, rpcProbe } from './probe.js';
import { RPC_DESCRIPTION } from '../rpc/protocol/rpc-operations.js';
import { rpcAttributeProbes } from './rpc-attribute-probes.js';
import { rpcKeyProbes } from './rpc-key-probes.js';

/** Builds all probes of the RPC style, each as a single call and in a batch. */
export function rpcProbes(subject: ProbedField, { rows }: Pick<ProbeSettings, 'rows'>): readonly Probe[] {
  const { attribute, relation } = subject;
  const probes = [
    ...(attribute ? [...rpcAttributeProbes(subject, attribute), ...rpcKeyProbes(subject)] : []),
    ...(relation ? rpcRelationProbes(subject, relation) : []),
    ...silentProbes(subject, rows),
  ];
  const calls = probes.flatMap((probe) => [...(probe.undoneBy ? [] : [probe]), ...(probe.isVariant ? [] : [asBatch(probe)])]);
  return [...calls, ...descriptionProbes(subject)];
}

/** Builds the requests for the description of all models, and of the model of the field. */
function descriptionProbes({ owner: { delegate } }: ProbedField): readonly Probe[] {
  return [RPC_DESCRIPTION.name, `${RPC_DESCRIPTION.name}/${delegate}`].map((surface) => ({
    surface,
    style: 'rpc',
    method: 'GET',
    path: `/${surface}`,
    expect: 'silence',
    describes: true,
  }));
}

/** Builds requests without the name of the field: ordinary ones, and faulty ones with a similar name. */
function silentProbes({ owner: { delegate, resource }, hops, typo, field }: ProbedField, rows: number): readonly RpcProbe[] {
  const findIn = (model: string, slot: string, args: Args): RpcProbe =>
    rpcProbe(slot, { delegate: model, operation: 'findMany', args: { ...args, take: rows } }, 'silence');
  const find = (slot: string, args: Args): RpcProbe => findIn(delegate, slot, args);
  return [
    { ...find('by default', {}), control: true },
    find('with an empty omit', { omit: {} }),
    find('with _count', { include: { _count: true } }),
    rpcProbe('by default', { delegate, operation: 'findFirst', args: {} }, 'silence'),
    ...(typo === undefined ? [] : typoProbes(typo, find)),
    // The name is no secret for callers who may write the field.
    ...(typo === undefined || resource?.fields.get(field)?.rights.create ? [] : [createProbe(delegate, typo)]),
    ...hops.map(({ from, name }) => findIn(from.delegate, `include ${name}`, { include: { [name]: true } })),
  ];
}

function typoProbes(typo: string, find: (slot: string, args: Args) => RpcProbe): readonly RpcProbe[] {
  return [
    find(`where ${typo}`, { where: { [typo]: 'x' } }),
    find(`orderBy ${typo}`, { orderBy: { [typo]: 'asc' } }),
    find(`select ${typo}`, { select: { [typo]: true } }),
    find(`include ${typo}`, { include: { [typo]: true } }),
    find(`omit ${typo}`, { omit: { [typo]: true } }),
    find(`distinct ${typo}`, { distinct: [typo] }),
  ];
}

function createProbe(delegate: string, typo: string): RpcProbe {
  return rpcProbe(`data ${typo}`, { delegate, operation: 'create', args: { data: { [typo]: 'x' } } }, 'silence');
}

/** Builds probes for every RPC argument that reads or compares by a relation, with the hidden relation in it. */
function rpcRelationProbes({ owner, field, hops, schema }: ProbedField, relation: SchemaRelationField): readonly RpcProbe[] {
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

function firstField({ type }: SchemaRelationField, { models }: ProbedField['schema']): string {
  return Object.entries(models[type]?.fields ?? {}).find(([, { kind }]) => kind !== 'relation')?.[0] ?? 'id';
}
