import type { ApiStyle } from '../options/api-style.js';
import { type Args, batchProbe, type Probe, type RpcProbeCall as Call } from './probe.js';
import type { RowHop, RowName, RowSubject } from './hidden-row.js';

/** Requests whose responses must be equal, or one request with a sorted response. */
export interface RowProbe {
  readonly surface: string;
  readonly style: ApiStyle;
  /**
   * `twins`: the first request names the hidden record, the second one a record that does not exist. `without`: the second request excludes the
   * hidden record, and proves nothing if it is refused. `sorted`: one list, which must be in the order of the counts in it.
   */
  readonly kind: 'twins' | 'without' | 'sorted';
  readonly probes: readonly Probe[];
}

/**
 * Builds all requests that could distinguish a hidden record from one that does not exist.
 *
 * @param parents the `where` of a readable record by the delegate of its model
 * @param values texts of the hidden record
 */
export function rowProbes(subject: RowSubject, parents: ReadonlyMap<string, Args>, values: readonly string[] = []): readonly RowProbe[] {
  return [
    ...namingProbes(subject),
    ...values.flatMap((value) => textProbes(subject, value)),
    ...countingProbes(subject),
    ...subject.hops.flatMap((hop) => [...hopProbes(subject, hop), ...linkProbes(subject, hop, parents.get(hop.from.delegate))]),
    ...restProbes(subject),
  ];
}

function namingProbes(subject: RowSubject): readonly RowProbe[] {
  const { delegate } = subject.resource;
  const naming = (operation: string, argsOf: (name: RowName) => Args): RowProbe =>
    twins(subject, `${delegate}/${operation}`, (name) => ({ delegate, operation, args: argsOf(name) }));
  const undone = (operation: string, argsOf: (name: RowName) => Args): RowProbe =>
    rolledBackPair(subject, `${delegate}/${operation}`, (name) => ({ delegate, operation, args: argsOf(name) }));
  return [
    naming('findUnique', ({ where }) => ({ where })),
    naming('findUniqueOrThrow', ({ where }) => ({ where })),
    naming('findFirst', ({ plain }) => ({ where: plain })),
    naming('findMany', ({ plain }) => ({ where: { OR: [plain] } })),
    naming('findMany', ({ where }) => ({ cursor: where, take: 1 })),
    naming('count', ({ plain }) => ({ where: plain })),
    naming('aggregate', ({ plain }) => ({ where: plain, _count: true })),
    undone('update', ({ where }) => ({ where, data: {} })),
    undone('updateMany', ({ plain }) => ({ where: plain, data: {} })),
    undone('upsert', ({ where }) => ({ where, update: {}, create: {} })),
    undone('delete', ({ where }) => ({ where })),
    undone('deleteMany', ({ plain }) => ({ where: plain })),
  ];
}

/** Builds filters by a part of a text. With some patterns, a database finds a row or raises an error only if it reaches that text. */
function textProbes({ resource: { delegate, attributes } }: RowSubject, value: string): readonly RowProbe[] {
  const texts = attributes.filter(({ type, list, rights }) => type === 'String' && !list && rights.filter !== false);
  const part = value.slice(0, -1);
  const filters: readonly ((text: string) => Args)[] = [
    (text) => ({ endsWith: `${text}\\` }),
    (text) => ({ endsWith: `${text}\\`, mode: 'insensitive' }),
    (text) => ({ equals: `${text}\\`, mode: 'insensitive' }),
    (text) => ({ equals: `${text}%`, mode: 'insensitive' }),
    (text) => ({ not: `${text}%`, mode: 'insensitive' }),
    (text) => ({ search: `'${text.replace(/['\\]/g, ' ')}' & !` }),
  ];
  return texts.flatMap(({ name }) =>
    filters.map((filterOf): RowProbe => {
      const probeOf = (text: string): Probe => rpc({ delegate, operation: 'count', args: { where: { [name]: filterOf(text) } } });
      const surface = `${delegate}/count where ${name} ${Object.keys(filterOf(part)).join(' ')}`;
      return { surface, style: 'rpc', kind: 'twins', probes: [probeOf(part), probeOf('assert-no-leak')] };
    }),
  );
}

/** Builds counts, aggregates and groups, with the hidden record and without it. */
function countingProbes({ resource, hidden }: RowSubject): readonly RowProbe[] {
  const { delegate } = resource;
  const others = { where: { NOT: hidden.plain } };
  const compared = (operation: string, args: Args): RowProbe =>
    without(`${delegate}/${operation} ${JSON.stringify(args)}`, [
      { delegate, operation, args },
      { delegate, operation, args: { ...args, ...others } },
    ]);
  const names = resource.attributes.filter(({ list, type }) => !list && type !== 'Json' && type !== 'Bytes').map(({ name }) => name);
  return [
    compared('count', {}),
    compared('aggregate', { _count: true }),
    ...names.flatMap((name) => [
      compared('aggregate', { _max: { [name]: true } }),
      compared('aggregate', { _min: { [name]: true } }),
      compared('groupBy', { by: [name], _count: true, orderBy: { [name]: 'asc' } }),
    ]),
  ];
}

/** Builds reads over a relation of another model. */
function hopProbes(subject: RowSubject, { from, name, many }: RowHop): readonly RowProbe[] {
  const { plain } = subject.hidden;
  const find = (args: Args): Call => ({ delegate: from.delegate, operation: 'findMany', args: { take: 5, ...args } });
  const naming = (slot: string, argsOf: (row: RowName) => Args): RowProbe =>
    twins(subject, `${from.delegate}/findMany ${slot} ${name}`, (row) => find(argsOf(row)));
  if (!many) {
    return [
      naming('where', (row) => ({ where: { [name]: row.plain } })),
      naming('where is', (row) => ({ where: { [name]: { is: row.plain } } })),
      naming('where isNot', (row) => ({ where: { [name]: { isNot: row.plain } } })),
      naming('where NOT', (row) => ({ where: { NOT: { [name]: row.plain } } })),
    ];
  }
  const others = { where: { NOT: plain } };
  const compared = (slot: string, args: readonly [Args, Args]): RowProbe =>
    without(`${from.delegate}/findMany ${slot} ${name}`, [find(args[0]), find(args[1])]);
  return [
    ...['some', 'none', 'every'].map((quantifier) =>
      naming(quantifier, (row) => ({ where: { [name]: { [quantifier]: quantifier === 'every' ? { NOT: row.plain } : row.plain } } })),
    ),
    ...['some', 'none'].map((quantifier) =>
      compared(quantifier, [{ where: { [name]: { [quantifier]: {} } } }, { where: { [name]: { [quantifier]: others.where } } }]),
    ),
    compared('_count', [{ select: { _count: { select: { [name]: true } } } }, { select: { _count: { select: { [name]: others } } } }]),
    compared('include', [{ include: { [name]: true } }, { include: { [name]: others } }]),
    naming('cursor in', ({ where }) => ({ include: { [name]: { cursor: where, take: 1 } } })),
    {
      surface: `${from.delegate}/findMany orderBy ${name}._count`,
      style: 'rpc',
      kind: 'sorted',
      probes: [rpc(find({ take: 50, orderBy: { [name]: { _count: 'asc' } }, select: { _count: { select: { [name]: true } } } }))],
    },
  ];
}

/** Builds nested writes on a record that the caller may read. */
function linkProbes(subject: RowSubject, { from, name, many }: RowHop, parent: Args | undefined): readonly RowProbe[] {
  if (!parent) return [];
  const { delegate } = from;
  const writes: Readonly<Record<string, (row: RowName) => unknown>> = {
    connect: ({ where }) => where,
    ...(many && {
      disconnect: ({ where }) => where,
      set: ({ where }) => [where],
      delete: ({ where }) => where,
      update: ({ where }) => ({ where, data: {} }),
    }),
  };
  return Object.entries(writes).map(([operation, operandOf]) =>
    rolledBackPair(subject, `${delegate}/update ${name}.${operation}`, (row) => ({
      delegate,
      operation: 'update',
      args: { where: parent, data: { [name]: { [operation]: operandOf(row) } } },
    })),
  );
}

function restProbes(subject: RowSubject): readonly RowProbe[] {
  const { resource, hops } = subject;
  const { type, identifier } = resource;
  const naming = (surface: string, pathOf: (id: string) => string): RowProbe => {
    const base = { surface, style: 'rest', method: 'GET', expect: 'silence' } as const;
    const probes = [subject.hidden, subject.absent].map(({ id }): Probe => ({ ...base, path: pathOf(encodeURIComponent(id)) }));
    return { surface, style: 'rest', kind: 'twins', probes };
  };
  const [idField] = identifier.fields;
  return [
    naming(`GET /${type}/{id}`, (id) => `/${type}/${id}`),
    naming(`GET /${type}?filter[id]`, (id) => `/${type}?filter[id]=${id}`),
    ...resource.relationships.flatMap(({ member }) => [
      naming(`GET /${type}/{id}/${member}`, (id) => `/${type}/${id}/${member}`),
      naming(`GET /${type}/{id}/relationships/${member}`, (id) => `/${type}/${id}/relationships/${member}`),
    ]),
    ...hops.flatMap(({ from, member, many }) => [
      // A to-one relation is not probed by id, because the foreign key is a value of the readable record.
      ...(many ? [naming(`GET /${from.type}?filter[${member}]`, (id) => `/${from.type}?filter[${member}]=${id}`)] : []),
      ...(idField && identifier.fields.length === 1
        ? [naming(`GET /${from.type}?filter[${member}][id]`, (id) => `/${from.type}?filter[${member}][id]=${id}`)]
        : []),
    ]),
  ];
}

function twins({ hidden, absent }: RowSubject, surface: string, callOf: (row: RowName) => Call): RowProbe {
  return { surface, style: 'rpc', kind: 'twins', probes: [rpc(callOf(hidden)), rpc(callOf(absent))] };
}

/** Builds a pair of batches with a write. The batches must fail, so that an accepted write is rolled back. */
function rolledBackPair(subject: RowSubject, surface: string, callOf: (row: RowName) => Call): RowProbe {
  const failing = { delegate: subject.resource.delegate, operation: 'findUniqueOrThrow', args: { where: subject.absent.where } };
  const probeOf = (row: RowName): Probe => batchProbe(surface, [callOf(row), failing], 'silence');
  return { surface: `batch: ${surface}`, style: 'rpc', kind: 'twins', probes: [probeOf(subject.hidden), probeOf(subject.absent)] };
}

function without(surface: string, [all, others]: readonly [Call, Call]): RowProbe {
  return { surface, style: 'rpc', kind: 'without', probes: [rpc(all), rpc(others)] };
}

function rpc({ delegate, operation, args }: Call): Probe {
  const path = `/${delegate}/${operation}?q=${encodeURIComponent(JSON.stringify(args))}`;
  return { surface: `${delegate}/${operation}`, style: 'rpc', method: 'GET', path, expect: 'silence' };
}
