import { missingComparisons } from '../surface/lacked-comparisons.js';
import { delegateOf } from '../schema/delegate-of.js';
import { frozenMap, frozenSet } from '../freeze.js';
import type {
  DatabaseProvider,
  ResourceSchema,
  SchemaField,
  SchemaKey,
  SchemaModel,
  SchemaRelationField,
} from '../schema/resource-schema.js';
import { buildConstraints } from './build-constraints.js';
import { buildRelation } from './build-relation.js';
import type { Storage, StoredEnum, StoredField, StoredKey, StoredModel } from './storage.js';

/**
 * Builds the storage view of a schema: all of its models and fields, hidden ones included.
 *
 * @param versions the version field of each model that has one
 */
export function buildStorage(schema: ResourceSchema, versions: ReadonlyMap<string, string> = new Map()): Storage {
  const enums = new Map(Object.keys(schema.enums).map((name) => [name, buildEnum(name, schema.enums)]));
  const models = Object.entries(schema.models).map(
    ([name, model]) => [name, buildModel(name, model, { schema, enums, version: versions.get(name) })] as const,
  );
  return Object.freeze({
    provider: schema.provider,
    orm: schema.orm ?? 'prisma',
    isVersioned: versions.size > 0,
    byModel: frozenMap(models),
  });
}

type Enums = ReadonlyMap<string, StoredEnum | undefined>;

function buildEnum(name: string, enums: ResourceSchema['enums']): StoredEnum | undefined {
  const definition = enums[name];
  if (!definition) return undefined;
  const { values, stored = {}, databaseName = name, schema } = definition;
  return Object.freeze({
    name: databaseName,
    ...(schema !== undefined && { schema }),
    values: frozenMap(values.map((value) => [value, stored[value] ?? value])),
  });
}

interface Sources {
  readonly schema: ResourceSchema;
  readonly enums: Enums;
  readonly version: string | undefined;
}

function buildModel(model: string, definition: SchemaModel, { schema, enums, version: counted = '' }: Sources): StoredModel {
  const { table = model, primaryKey, uniqueKeys, ignored = {} } = definition;
  const entries = [
    ...Object.entries(definition.fields).map(([name, field]) => ({ name, field, ignored: false })),
    ...Object.entries(ignored).map(([name, field]) => ({ name, field, ignored: true })),
  ];
  const fields = entries.flatMap(({ name, field, ...entry }) => {
    return field.kind === 'relation' ? [] : buildField(name, field, { ...entry, enums, schema });
  });
  const relations = entries.flatMap(({ name, field, ...entry }) => {
    return field.kind === 'relation' ? buildRelation({ model, name, field, ...entry }, schema) : [];
  });
  const byName = frozenMap(fields.map((field) => [field.name, field]));
  const version = byName.get(counted);
  return Object.freeze({
    model,
    delegate: delegateOf(model),
    table,
    ...(definition.schema !== undefined && { schema: definition.schema }),
    fields: byName,
    columns: frozenMap(fields.map(({ name, column }) => [column, name])),
    relations: frozenMap(relations.map((relation) => [relation.name, relation])),
    ...(primaryKey && { primaryKey: buildKey(primaryKey) }),
    ...(version && { version }),
    uniqueKeys: Object.freeze(uniqueKeys.map(buildKey)),
    constraints: buildConstraints({ table, fields: byName }, definition, schema.provider),
  });
}

interface FieldSources {
  readonly enums: Enums;
  readonly schema: Pick<ResourceSchema, 'orm' | 'provider'>;
  readonly ignored: boolean;
}

function buildField(name: string, field: Exclude<SchemaField, SchemaRelationField>, { enums, ignored, schema }: FieldSources): StoredField {
  const nativeType = field.kind === 'scalar' ? field.nativeType : undefined;
  const enumType = field.kind === 'enum' ? enums.get(field.type) : undefined;
  return Object.freeze({
    name,
    column: field.column ?? name,
    type: field.kind === 'enum' ? 'Enum' : field.type,
    ...(enumType && { enumType }),
    list: field.list === true,
    optional: field.optional === true,
    ...(field.default && { default: Object.freeze({ ...field.default }) }),
    ...(field.updatedAt && { isUpdatedAt: true }),
    ...(nativeType && { nativeType: frozenType(nativeType) }),
    ...comparisonsOf(field, schema.provider),
    ignored,
    ...exactForm(field.type, schema.orm),
  });
}

function comparisonsOf(field: Exclude<SchemaField, SchemaRelationField>, provider: DatabaseProvider): Pick<StoredField, 'lacks'> {
  const lacks = field.kind === 'scalar' ? missingComparisons(field, provider) : undefined;
  return lacks ? { lacks: frozenSet(lacks) } : {};
}

function exactForm(type: string, orm: ResourceSchema['orm']): Pick<StoredField, 'needsExactForm'> {
  return (type === 'Json' || type === 'Float') && orm === undefined ? { needsExactForm: true } : {};
}

type NativeType = NonNullable<StoredField['nativeType']>;

function frozenType([name, args]: NativeType): NativeType {
  return Object.freeze([name, Object.freeze([...args])] as const);
}

function buildKey({ name, fields }: SchemaKey): StoredKey {
  return Object.freeze({ name, fields: Object.freeze([...fields]) });
}
