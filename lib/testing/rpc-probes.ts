import type { Subject } from './hidden-field.js';
import type { ProbeSettings } from './probe-settings.js';
import { asBatch, type Probe, type RpcProbe, rpcProbe } from './probe.js';
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
  const find: Find = (slot, args) => rpcProbe(slot, { delegate, operation: 'findMany', args: { ...args, take: rows } }, 'silence');
  return [
    { ...find('by default', {}), control: true },
    find('with an empty omit', { omit: {} }),
    find('with _count', { include: { _count: true } }),
    rpcProbe('by default', { delegate, operation: 'findFirst', args: {} }, 'silence'),
    ...(typo === undefined ? [] : typoProbes(delegate, typo, find)),
    // Who may write the field knows its name.
    ...(typo === undefined || resource?.fields.get(field)?.rights.create ? [] : [createProbe(delegate, typo)]),
    ...hops.map(({ from, name }) =>
      rpcProbe(
        `include ${name}`,
        { delegate: from.delegate, operation: 'findMany', args: { include: { [name]: true }, take: rows } },
        'silence',
      ),
    ),
  ];
}

type Find = (slot: string, args: RpcProbe['call']['args']) => RpcProbe;

function typoProbes(delegate: string, typo: string, find: Find): readonly RpcProbe[] {
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
