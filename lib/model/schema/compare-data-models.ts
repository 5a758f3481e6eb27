import type { PrismaDataModel, PrismaField } from './prisma-data-model.js';
import type { ResourceSchema, SchemaField } from './resource-schema.js';

/**
 * Returns the differences between the generated schema and the Prisma client, one line each, in the order of the schema: missing models,
 * missing fields, and fields of another type.
 * Because one `prisma generate` writes both, a difference means that one of them is stale, or was generated from another Prisma schema.
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

/** The type of each field, by field name. */
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

/** Returns name and type of a field. Fields that the generator omits return nothing: columns of unsupported types and MongoDB's composite types. */
function describeTheirs({ name, kind, type, relationName }: PrismaField): readonly (readonly [string, string])[] {
  if (kind === 'unsupported') return [];
  if (kind !== 'object') return [[name, type]];
  return relationName ? [[name, `a relation to '${type}'`]] : [];
}
