import type { DatabaseProvider, ResourceSchema, SchemaEnum, SchemaModel } from '../model/schema/resource-schema.js';
import type { DmmfDocument } from './dmmf.js';
import { MODEL_PRESETS, parseApiComment, readDocumentation } from './parse-api-comment.js';
import { readFields } from './read-fields.js';
import { readIgnored, readText, type SchemaText } from './read-text.js';
import { readKeys } from './read-keys.js';

type Operations = DmmfDocument['mappings']['modelOperations'][number];

/** For each action, the method that the Prisma client has exactly if it supports the action. */
const WRITES = [
  ['create', 'createMany'],
  ['update', 'updateMany'],
  ['delete', 'deleteMany'],
] as const satisfies readonly (readonly [string, keyof Operations])[];

/**
 * Reads the schema metadata from Prisma's description of a schema. Omits what the Prisma client does not support: ignored models and fields, columns
 * of unsupported types, MongoDB's composite types, and keys without a `findUnique`.
 *
 * @param datamodel the text of the Prisma schema, for ignored fields and the schemas of enums, which the description omits
 * @throws Error naming `Model.field` for an `@api.…` comment that is invalid there.
 */
export function readDatamodel(document: DmmfDocument, provider: DatabaseProvider, datamodel = ''): ResourceSchema {
  const { models, enums, indexes } = document.datamodel;
  const text = readText(datamodel, enums);
  const operations = new Map(document.mappings.modelOperations.map((entry) => [entry.model, entry]));
  return {
    version: 2,
    provider,
    enums: Object.fromEntries(enums.map((definition) => [definition.name, readEnum(definition, text)])),
    models: Object.fromEntries(
      models.map((model): [string, SchemaModel] => {
        const fields = readFields(model, models);
        const api = parseApiComment(model.documentation, model.name, MODEL_PRESETS);
        const constraints = indexes.filter((index) => index.model === model.name);
        return [
          model.name,
          {
            fields,
            ...(model.dbName && { table: model.dbName }),
            ...(model.schema && { schema: model.schema }),
            ...readDocumentation(model),
            ...readKeys(model, { fields, constraints }),
            ...readActions(operations.get(model.name)),
            ...readIgnored(model.name, text),
            ...(api && { api: { [api]: true } }),
          },
        ];
      }),
    ),
  };
}

/** Reads the actions of a model, if the client does not support all of them. */
function readActions(operations: Operations | undefined): Pick<SchemaModel, 'actions'> {
  const writes = WRITES.filter(([, method]) => operations?.[method]).map(([action]) => action);
  return writes.length === WRITES.length ? {} : { actions: ['read', ...writes] };
}

type DmmfEnum = DmmfDocument['datamodel']['enums'][number];

/** Reads an enum: its values in the client and in the database. */
export function readEnum(definition: DmmfEnum, { blocks }: SchemaText): SchemaEnum {
  const { name, values, dbName } = definition;
  const stored = values.flatMap((value) => (value.dbName ? [[value.name, value.dbName] as const] : []));
  // Prisma's description omits the schema of an enum.
  const schema = blocks.get(name)?.flatMap((line) => /^@@schema\("([^"]+)"\)/.exec(line)?.[1] ?? [])[0];
  return {
    values: values.map((value) => value.name),
    ...(stored.length > 0 && { stored: Object.fromEntries(stored) }),
    ...(dbName && { databaseName: dbName }),
    ...(schema !== undefined && { schema }),
    ...readDocumentation(definition),
  };
}

/** Providers by Prisma's names, including aliases. */
const PROVIDERS: ReadonlyMap<string, DatabaseProvider> = new Map([
  ['postgresql', 'postgresql'],
  ['postgres', 'postgresql'],
  ['prisma+postgres', 'postgresql'],
  ['mysql', 'mysql'],
  ['sqlite', 'sqlite'],
  ['sqlserver', 'sqlserver'],
  ['cockroachdb', 'cockroachdb'],
  ['mongodb', 'mongodb'],
]);

/**
 * Reads the database provider of a Prisma schema from its only datasource.
 *
 * @throws Error if there is none, more than one, or one that this package does not support.
 */
export function readProvider(datasources: readonly { readonly name: string; readonly provider: string }[]): DatabaseProvider {
  const [datasource, ...others] = datasources;
  if (datasource === undefined) throw new Error('The Prisma schema has no datasource block. Add one that names the provider.');
  if (others.length > 0) {
    throw new Error(`The Prisma schema has several datasources (${datasources.map(({ name }) => name).join(', ')}). Keep one.`);
  }
  const provider = PROVIDERS.get(datasource.provider);
  if (provider === undefined) {
    const known = [...new Set(PROVIDERS.values())].join(', ');
    throw new Error(`Datasource ${datasource.name} has the provider ${datasource.provider}, which is not supported. Known: ${known}.`);
  }
  return provider;
}
