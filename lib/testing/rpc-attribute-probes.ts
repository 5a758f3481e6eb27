import { mayGroup } from '../model/surface/rights.js';
import type { Attribute } from '../model/surface/surface.js';
import { AGGREGATES } from '../prisma/aggregates.js';
import { JSON_OPERATORS } from '../prisma/read-json-filter.js';
import { LIST_OPERATORS } from '../prisma/read-list-filter.js';
import { hasOperator } from '../prisma/require-comparison.js';
import { operatorsOf } from '../prisma/read-scalar-filter.js';
import type { ProbedRelation, ProbedField } from './hidden-field.js';
import { type Args, type RpcProbe, rpcProbe } from './probe.js';
import { sampleValue, whereNothing } from './sample-value.js';

/** Builds probes for every RPC argument that reads or compares a plain field, with the hidden field in it. */
export function rpcAttributeProbes(subject: ProbedField, attribute: Attribute): readonly RpcProbe[] {
  const conditions = conditionsOn(attribute);
  const { delegate } = subject.owner;
  return [
    ...conditions.map((where) => rpcProbe(`where ${JSON.stringify(where)}`, { delegate, operation: 'findMany', args: { where, take: 1 } })),
    ...unionProbes(subject, conditions[0] ?? {}),
    ...orderProbes(subject),
    ...aggregateProbes(subject, attribute),
    ...selectionProbes(subject),
    ...subject.hops.flatMap((hop) => hopProbes(subject, hop, conditions)),
  ];
}

/** Returns the conditions of a filter on the field: its value alone, and each operator of its type. */
function conditionsOn(attribute: Attribute): readonly Args[] {
  const { name } = attribute;
  const operators = [...filterOperators(attribute)].filter((operator) => operator !== 'mode');
  const filters = operators.map((operator) => ({ [name]: { [operator]: operandOf(operator, attribute) } }));
  if (attribute.list || attribute.type === 'Json') return filters;
  const equals = sampleValue(attribute);
  const folded =
    attribute.type === 'String' ? [{ [name]: { equals, mode: 'insensitive' } }, { [name]: { not: equals, mode: 'insensitive' } }] : [];
  return [{ [name]: equals }, ...filters, { [name]: { not: { equals } } }, ...folded];
}

function filterOperators(attribute: Attribute): Iterable<string> {
  if (attribute.list) return LIST_OPERATORS.keys();
  return attribute.type === 'Json'
    ? JSON_OPERATORS.keys()
    : [...operatorsOf(attribute).keys()].filter((name) => hasOperator(attribute, name));
}

function operandOf(operator: string, attribute: Attribute): unknown {
  if (/^(?:in|notIn|hasEvery|hasSome)$/.test(operator) || (attribute.list && operator === 'equals')) return [sampleValue(attribute)];
  if (operator === 'isEmpty') return true;
  if (operator === 'path') return ['a'];
  return operator.startsWith('string_') ? 'a' : sampleValue(attribute);
}

/** Builds probes for the other places of a condition. Writes among them match no row. */
function unionProbes({ owner, field }: ProbedField, condition: Args): readonly RpcProbe[] {
  const { delegate } = owner;
  const nothing = whereNothing(owner.resource);
  const by = [owner.resource?.attributes.find((one) => mayGroup(one) && one.name !== field)?.name ?? field];
  const further = nothing && { ...nothing, ...condition };
  const reads = ['findFirst', 'findFirstOrThrow', 'count', 'aggregate'].map((operation) => {
    return rpcProbe('where', { delegate, operation, args: { where: condition, ...(operation === 'aggregate' && { _count: true }) } });
  });
  const logical = [{ AND: [condition] }, { OR: [condition] }, { NOT: condition }].map((where) =>
    rpcProbe(`where ${JSON.stringify(where)}`, { delegate, operation: 'findMany', args: { where, take: 1 } }),
  );
  const groups = [
    rpcProbe('where', { delegate, operation: 'groupBy', args: { by, where: condition } }),
    rpcProbe('having', { delegate, operation: 'groupBy', args: { by, having: condition } }),
    rpcProbe('by', { delegate, operation: 'groupBy', args: { by: [field] } }),
    rpcProbe('orderBy', { delegate, operation: 'groupBy', args: { by, orderBy: { [field]: 'asc' } } }),
  ];
  const always = [...reads, ...logical, ...groups];
  if (further === undefined) return always;
  const single = ['findUnique', 'findUniqueOrThrow', 'delete', 'deleteMany'].map((operation) =>
    rpcProbe('where, beside a key', { delegate, operation, args: { where: further } }),
  );
  const writes = ['update', 'updateMany', 'updateManyAndReturn'].map((operation) =>
    rpcProbe('where, beside a key', { delegate, operation, args: { where: further, data: {} } }),
  );
  const cursor = rpcProbe('cursor, beside a key', { delegate, operation: 'findMany', args: { cursor: further } });
  return [...always, ...single, ...writes, cursor];
}

function orderProbes({ owner: { delegate }, field }: ProbedField): readonly RpcProbe[] {
  const find = (slot: string, args: Args): RpcProbe => rpcProbe(slot, { delegate, operation: 'findMany', args: { ...args, take: 1 } });
  return [
    find('orderBy', { orderBy: { [field]: 'asc' } }),
    find('orderBy, in a list', { orderBy: [{ [field]: 'desc' }] }),
    find('orderBy, nulls first', { orderBy: { [field]: { sort: 'asc', nulls: 'first' } } }),
    find('orderBy _relevance', { orderBy: { _relevance: { fields: [field], search: 'a', sort: 'asc' } } }),
    find('distinct', { distinct: [field] }),
  ];
}

function aggregateProbes({ owner: { delegate, resource }, field }: ProbedField, attribute: Attribute): readonly RpcProbe[] {
  const by = [resource?.attributes.find((one) => mayGroup(one) && one.name !== field)?.name ?? field];
  const functions = [...AGGREGATES].filter(([, { takes }]) => takes(attribute)).map(([name]) => name);
  const group = (slot: string, args: Args): RpcProbe => rpcProbe(slot, { delegate, operation: 'groupBy', args: { by, ...args } });
  return [
    rpcProbe('select', { delegate, operation: 'count', args: { select: { [field]: true } } }),
    ...functions.flatMap((name) => [
      rpcProbe(name, { delegate, operation: 'aggregate', args: { [name]: { [field]: true } } }),
      group(name, { [name]: { [field]: true } }),
      group(`orderBy ${name}`, { orderBy: { [name]: { [field]: 'asc' } } }),
      group(`having ${name}`, { having: { [field]: { [name]: name === '_count' ? { gte: 0 } : { not: sampleValue(attribute) } } } }),
    ]),
  ];
}

function selectionProbes({ owner: { delegate, resource }, field }: ProbedField): readonly RpcProbe[] {
  const where = whereNothing(resource);
  // `omit: true` reveals only that a field exists. That is no secret for a field that the resource has, e.g. one that may be written.
  const isKnown = resource?.fields.has(field) === true;
  const selections = [{ select: { [field]: true } }, { omit: { [field]: false } }, ...(isKnown ? [] : [{ omit: { [field]: true } }])];
  return selections.flatMap((selection) => {
    const slot = JSON.stringify(selection);
    return [
      ...['findMany', 'findFirst'].map((operation) => rpcProbe(slot, { delegate, operation, args: selection })),
      ...(where ? ['findUnique', 'delete'] : []).map((operation) => rpcProbe(slot, { delegate, operation, args: { where, ...selection } })),
      ...(where ? ['update', 'updateManyAndReturn'] : []).map((operation) =>
        rpcProbe(slot, { delegate, operation, args: { where, data: {}, ...selection } }),
      ),
      rpcProbe(slot, { delegate, operation: 'createManyAndReturn', args: { data: [], ...selection } }),
    ];
  });
}

/** Builds probes from another model, over a relation. */
function hopProbes({ field }: ProbedField, hop: ProbedRelation, conditions: readonly Args[]): readonly RpcProbe[] {
  const { name, many } = hop;
  const { delegate } = hop.from;
  const [condition = {}] = conditions;
  const find = (slot: string, args: Args): RpcProbe => rpcProbe(slot, { delegate, operation: 'findMany', args: { ...args, take: 1 } });
  const quantifiers = many ? ['some', 'every', 'none'] : ['is', 'isNot'];
  const include = (args: Args): Args => ({ include: { [name]: args } });
  const common = [
    ...conditions.map((one, index): RpcProbe => {
      const probe = find(`where ${JSON.stringify(one)} over ${name}`, { where: { [name]: many ? { some: one } : one } });
      return index === 0 ? probe : { ...probe, isVariant: true };
    }),
    ...quantifiers.map((quantifier) => find(`where over ${name}.${quantifier}`, { where: { [name]: { [quantifier]: condition } } })),
    find(`include ${name}.select`, include({ select: { [field]: true } })),
    find(`select ${name}.select`, { select: { [name]: { select: { [field]: true } } } }),
    find(`include ${name}.omit`, include({ omit: { [field]: false } })),
    ...nestedWriteProbes(hop, condition),
  ];
  if (!many) return [...common, find(`orderBy over ${name}`, { orderBy: { [name]: { [field]: 'asc' } } })];
  return [
    ...common,
    find(`include ${name}.where`, include({ where: condition })),
    find(`include ${name}.orderBy`, include({ orderBy: { [field]: 'asc' } })),
    find(`include ${name}.distinct`, include({ distinct: [field] })),
    find(`include _count ${name}.where`, { include: { _count: { select: { [name]: { where: condition } } } } }),
  ];
}

/** Builds probes with conditions in nested writes of a record that does not exist. */
function nestedWriteProbes({ from: { delegate, resource }, name, many }: ProbedRelation, condition: Args): readonly RpcProbe[] {
  const where = whereNothing(resource);
  if (where === undefined) return [];
  const writes = many
    ? { updateMany: { where: condition, data: {} }, deleteMany: condition }
    : { update: { where: condition, data: {} }, disconnect: condition, delete: condition };
  return Object.entries(writes).map(([write, operand]) =>
    rpcProbe(`data.${name}.${write}`, { delegate, operation: 'update', args: { where, data: { [name]: { [write]: operand } } } }),
  );
}
