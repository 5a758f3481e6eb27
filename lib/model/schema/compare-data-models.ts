import type { PrismaDataModel, PrismaField } from './prisma-data-model.js';
import type { ResourceSchema, SchemaField } from './resource-schema.js';

/**
 * What the generated schema and the Prisma client do not agree on, one line each, in the order of the schema: models and fields that one of
 * them lacks, and fields that have another type there. They are made by the same `prisma generate`, so that any line means that one is stale, or
 * made from another Prisma schema.
 */
export function compareDataModels(schema: ResourceSchema, client: PrismaDataModel): readonly string[] {
  const models = new Set([...Object.keys(schema.models), ...Object.keys(client.models)]);
  return [...models].flatMap((model) => {
    const ours = schema.models[model];
    const theirs = client.models[model];
    if (!ours) return [`the schema lacks the model '${model}'`];
    if (!theirs) return [`the client lacks the model '${model}'`];
    return compareFields(model, new Map(Object.entries(ours.fields).map(describeOurs)), new Map(theirs.fields.flatMap(describeTheirs)));
  });
}

/** The type of each field, by its name. */
type Types = ReadonlyMap<string, string>;

function compareFields(model: string, ours: Types, theirs: Types): readonly string[] {
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((name) => {
    const [own, other] = [ours.get(name), theirs.get(name)];
    if (own === other) return [];
    const field = `'${model}.${name}'`;
    if (own === undefined) return [`the schema lacks the field ${field}`];
    return other === undefined ? [`the client lacks the field ${field}`] : [`${field} is ${own} in the schema and ${other} in the client`];
  });
}

function describeOurs([name, { kind, type }]: readonly [string, SchemaField]): readonly [string, string] {
  return [name, kind === 'relation' ? `a relation to '${type}'` : type];
}

/** What the generator leaves out is no difference: columns of unsupported types, MongoDB's composite types. */
function describeTheirs({ name, kind, type, relationName }: PrismaField): readonly (readonly [string, string])[] {
  if (kind === 'unsupported') return [];
  if (kind !== 'object') return [[name, type]];
  return relationName ? [[name, `a relation to '${type}'`]] : [];
}
