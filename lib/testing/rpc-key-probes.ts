import type { SchemaKey } from '../model/schema/resource-schema.js';
import type { Resource } from '../model/surface/surface.js';
import type { ProbedRelation, ProbedField } from './hidden-field.js';
import { type Args, type RpcProbe, rpcProbe } from './probe.js';
import { sampleValue, schemaSample, whereNothing } from './sample-value.js';

/** Builds probes for every place of the RPC style that accepts a unique key, with each key that contains the hidden field. No row has these keys. */
export function rpcKeyProbes(subject: ProbedField): readonly RpcProbe[] {
  return subject.keys.flatMap((key) => {
    const where = uniqueWhere(key, subject);
    return [...ownProbes(subject, key, where), ...subject.hops.flatMap((hop) => linkProbes(subject, hop, key, where))];
  });
}

function uniqueWhere({ name, fields }: SchemaKey, { schema, owner }: ProbedField): Args {
  const values = Object.fromEntries(fields.map((field) => [field, schemaSample(schema, owner.name, field)]));
  return fields.length === 1 ? values : { [name]: values };
}

function ownProbes({ owner: { delegate, resource } }: ProbedField, { name }: SchemaKey, where: Args): readonly RpcProbe[] {
  const probe = (operation: string, args: Args): RpcProbe => rpcProbe(`where by ${name}`, { delegate, operation, args });
  const nothing = resource?.actions.has('read') === true ? whereNothing(resource) : undefined;
  const upsert = probe('upsert', { where, create: createData(resource), update: {} });
  return [
    ...['findUnique', 'findUniqueOrThrow', 'delete'].map((operation) => probe(operation, { where })),
    probe('update', { where, data: {} }),
    // An upsert could create a record. The next call of the batch fails and rolls it back.
    ...(nothing ? [{ ...upsert, undoneBy: { delegate, operation: 'findUniqueOrThrow', args: { where: nothing } } }] : []),
    rpcProbe(`cursor by ${name}`, { delegate, operation: 'findMany', args: { cursor: where, take: 1 } }),
  ];
}

function linkProbes(
  { schema, owner }: ProbedField,
  { from, name, many }: ProbedRelation,
  key: SchemaKey,
  where: Args,
): readonly RpcProbe[] {
  // The parent does not exist, so nothing is written.
  const parent = whereNothing(from.resource);
  const field = schema.models[from.name]?.fields[name];
  const create = createData(owner.resource, field?.kind === 'relation' ? field.opposite : undefined);
  const writes: Readonly<Record<string, unknown>> = {
    connect: where,
    connectOrCreate: { where, create },
    ...(many && { set: [where], disconnect: where, delete: where, update: { where, data: {} }, upsert: { where, create, update: {} } }),
  };
  const probe = (slot: string, operation: string, args: Args): RpcProbe =>
    rpcProbe(`${slot} by ${key.name}`, { delegate: from.delegate, operation, args });
  const include = many ? [probe(`include ${name}.cursor`, 'findMany', { include: { [name]: { cursor: where } }, take: 1 })] : [];
  if (parent === undefined) return include;
  const links = Object.entries(writes).map(([write, operand]) =>
    probe(`data.${name}.${write}`, 'update', { where: parent, data: { [name]: { [write]: operand } } }),
  );
  return [...include, ...links];
}

/**
 * Returns the data of a complete record, so that another fault is not mistaken for the refusal of the key.
 *
 * @param filled the relation that the nested write fills
 */
function createData(resource: Resource | undefined, filled?: string): Args {
  if (!resource) return {};
  const { attributes, relationships } = resource.required;
  const values = attributes.filter(({ foreignKeyOf }) => foreignKeyOf.length === 0);
  const links = relationships.filter(({ name }) => name !== filled);
  return {
    ...Object.fromEntries(values.map((attribute) => [attribute.name, sampleValue(attribute)])),
    ...Object.fromEntries(links.map(({ name, target }) => [name, { connect: whereNothing(target) ?? {} }])),
  };
}
