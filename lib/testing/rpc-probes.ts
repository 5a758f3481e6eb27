import type { Subject } from './hidden-field.js';
import { type Args, asBatch, type Probe, type ProbeSettings, type RpcProbe, rpcProbe } from './probe.js';
import { rpcAttributeProbes } from './rpc-attribute-probes.js';
import { rpcKeyProbes } from './rpc-key-probes.js';
import { rpcRelationProbes } from './rpc-relation-probes.js';

/** All probes of the RPC style, each by itself and in a batch. */
export function rpcProbes(subject: Subject, { rows }: Pick<ProbeSettings, 'rows'>): readonly Probe[] {
  const { attribute, relation } = subject;
  const probes = [
    ...(attribute ? [...rpcAttributeProbes(subject, attribute), ...rpcKeyProbes(subject)] : []),
    ...(relation ? rpcRelationProbes(subject, relation) : []),
    ...silentProbes(subject, rows),
  ];
  return probes.flatMap((probe) => [...(probe.undoneBy ? [] : [probe]), ...(probe.isVariant ? [] : [asBatch(probe)])]);
}

/** What does not name the field: ordinary answers, and errors about a name that is almost the same. */
function silentProbes({ owner: { delegate, resource }, hops, typo, field }: Subject, rows: number): readonly RpcProbe[] {
  const findIn = (model: string, slot: string, args: Args): RpcProbe =>
    rpcProbe(slot, { delegate: model, operation: 'findMany', args: { ...args, take: rows } }, 'silence');
  const find = (slot: string, args: Args): RpcProbe => findIn(delegate, slot, args);
  return [
    { ...find('by default', {}), control: true },
    find('with an empty omit', { omit: {} }),
    find('with _count', { include: { _count: true } }),
    rpcProbe('by default', { delegate, operation: 'findFirst', args: {} }, 'silence'),
    ...(typo === undefined ? [] : typoProbes(typo, find)),
    // Who may write the field knows its name.
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
