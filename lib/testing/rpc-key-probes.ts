import { type SchemaKey } from '../model/resource-schema.js';
import { type Subject } from './hidden-field.js';
import { type RpcProbe, rpcProbe } from './probe.js';
import { schemaSample, whereNothing } from './sample-value.js';

/** Every place of the RPC style that takes a unique key, with each key that the hidden field is part of. Nothing has that key. */
export function rpcKeyProbes(subject: Subject): readonly RpcProbe[] {
  return subject.keys.flatMap((key) => {
    const where = uniqueWhere(key, subject);
    return [...ownProbes(subject, key, where), ...subject.hops.flatMap((hop) => linkProbes(hop, key, where))];
  });
}

type Where = Readonly<Record<string, unknown>>;

function uniqueWhere({ name, fields }: SchemaKey, { schema, owner }: Subject): Where {
  const values = Object.fromEntries(fields.map((field) => [field, schemaSample(schema, owner.name, field)]));
  return fields.length === 1 ? values : { [name]: values };
}

function ownProbes({ owner: { delegate, resource } }: Subject, { name }: SchemaKey, where: Where): readonly RpcProbe[] {
  const probe = (operation: string, args: Where): RpcProbe => rpcProbe(`where by ${name}`, { delegate, operation, args });
  // An empty `create` fails where a field is required: without one it could succeed.
  const isSafe = resource?.attributes.some(({ hasDefault }) => !hasDefault) === true;
  return [
    ...['findUnique', 'findUniqueOrThrow', 'delete'].map((operation) => probe(operation, { where })),
    probe('update', { where, data: {} }),
    ...(isSafe ? [probe('upsert', { where, create: {}, update: {} })] : []),
    rpcProbe(`cursor by ${name}`, { delegate, operation: 'findMany', args: { cursor: where, take: 1 } }),
  ];
}

function linkProbes({ from, name, many }: Subject['hops'][number], key: SchemaKey, where: Where): readonly RpcProbe[] {
  const parent = whereNothing(from.resource);
  const writes: Readonly<Record<string, unknown>> = {
    connect: where,
    connectOrCreate: { where, create: {} },
    ...(many && { set: [where], disconnect: where, delete: where, update: { where, data: {} }, upsert: { where, create: {}, update: {} } }),
  };
  const include = many
    ? [rpcProbe(`include ${name}.cursor by ${key.name}`, { delegate: from.delegate, operation: 'findMany', args: cursor(name, where) })]
    : [];
  if (parent === undefined) return include;
  const links = Object.entries(writes).map(([write, operand]) =>
    rpcProbe(`data.${name}.${write} by ${key.name}`, {
      delegate: from.delegate,
      operation: 'update',
      args: { where: parent, data: { [name]: { [write]: operand } } },
    }),
  );
  return [...include, ...links];
}

function cursor(relation: string, where: Where): Where {
  return { include: { [relation]: { cursor: where } }, take: 1 };
}
