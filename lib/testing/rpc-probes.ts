import { type Subject } from './hidden-field.js';
import { asBatch, type Probe, type RpcProbe, rpcProbe } from './probe.js';
import { rpcAttributeProbes } from './rpc-attribute-probes.js';
import { rpcKeyProbes } from './rpc-key-probes.js';
import { rpcRelationProbes } from './rpc-relation-probes.js';

/** All probes of the RPC style, each by itself and in a batch. */
export function rpcProbes(subject: Subject): readonly Probe[] {
  const { attribute, relation } = subject;
  const probes = [
    ...(attribute ? [...rpcAttributeProbes(subject, attribute), ...rpcKeyProbes(subject)] : []),
    ...(relation ? rpcRelationProbes(subject, relation) : []),
    ...silentProbes(subject),
  ];
  return probes.flatMap((probe) => (probe.isVariant ? [probe] : [probe, asBatch(probe)]));
}

/** What does not name the field: ordinary answers, and errors about a name that is almost the same. */
function silentProbes({ owner: { delegate }, hops, field }: Subject): readonly RpcProbe[] {
  const almost = field.slice(0, -1);
  const find = (slot: string, args: RpcProbe['call']['args']): RpcProbe =>
    rpcProbe(slot, { delegate, operation: 'findMany', args: { ...args, take: 5 } }, 'silence');
  const typos = [
    find(`where ${almost}`, { where: { [almost]: 'x' } }),
    find(`orderBy ${almost}`, { orderBy: { [almost]: 'asc' } }),
    find(`select ${almost}`, { select: { [almost]: true } }),
    find(`include ${almost}`, { include: { [almost]: true } }),
    find(`omit ${almost}`, { omit: { [almost]: true } }),
    find(`distinct ${almost}`, { distinct: [almost] }),
    rpcProbe(`data ${almost}`, { delegate, operation: 'create', args: { data: { [almost]: 'x' } } }, 'silence'),
  ];
  return [
    { ...find('by default', {}), control: true },
    find('with an empty omit', { omit: {} }),
    find('with _count', { include: { _count: true } }),
    rpcProbe('by default', { delegate, operation: 'findFirst', args: {} }, 'silence'),
    ...(field.length > 3 ? typos : []),
    ...hops.map(({ from, name }) =>
      rpcProbe(
        `include ${name}`,
        { delegate: from.delegate, operation: 'findMany', args: { include: { [name]: true }, take: 5 } },
        'silence',
      ),
    ),
  ];
}
