import type { ResourceSchema, SchemaField, SchemaKey, SchemaModel } from '../resource-schema.js';
import { isHidden } from './meta-attribute.js';
import { readField } from './read-field.js';
import type { ZenStackModel, ZenStackSchema } from './zenstack-schema.js';

/**
 * Converts a ZenStack 3 schema to the value of the option `schema`, for applications whose data client is ZenStack's ORM.
 *
 * Exposure is set in ZModel by attributes, because the generated schema does not contain comments. On a field, use `@meta('api', 'hidden')`
 * (or `readOnly`, `writeOnly`, `immutable`); on a model, `@@meta('api', 'hidden')`.
 * By default, a field with `@omit` is write-only, and a computed field is read-only. Computed fields with parameters, and columns of
 * unsupported types, are not exposed.
 *
 * @param schema the export `schema` of the code that `zenstack generate` writes
 * @example
 * ResourceApiModule.forRoot({ …, schema: fromZenStackSchema(schema), getClient: ({ caller }: CallerRequest) => db.$setAuth(caller) })
 */
export function fromZenStackSchema(schema: ZenStackSchema): ResourceSchema {
  const enums = Object.entries(schema.enums ?? {}).map(([name, { values }]) => [name, { values: Object.keys(values) }] as const);
  const models = Object.entries(schema.models).map(([name, model]) => [name, readModel(schema, name, model)] as const);
  return {
    version: 2,
    provider: schema.provider.type,
    orm: 'zenstack',
    enums: Object.fromEntries(enums),
    models: Object.fromEntries(models),
  };
}

function readModel(schema: ZenStackSchema, name: string, model: ZenStackModel): SchemaModel {
  const entries = Object.entries(model.fields).map(([fieldName, field]) => [fieldName, readField(schema, name, field)] as const);
  const fields = Object.fromEntries(entries.filter((entry): entry is readonly [string, SchemaField] => entry[1] !== undefined));
  const keys = readKeys(model).filter((key) => key.fields.every((field) => Object.hasOwn(fields, field)));
  const primaryKey = keys.find((key) => key.fields.join() === model.idFields.join());
  const actions = deriveActions(model);
  return {
    fields,
    ...(primaryKey && { primaryKey }),
    uniqueKeys: keys.filter((key) => key !== primaryKey),
    ...(actions && { actions }),
    ...(isHidden(model.attributes) && { api: { hidden: true } }),
  };
}

function readKeys({ uniqueFields, fields }: ZenStackModel): readonly SchemaKey[] {
  return Object.entries(uniqueFields).map(([name, value]) => ({ name, fields: isSingle(name) ? [name] : Object.keys(value as object) }));

  function isSingle(name: string): boolean {
    return Object.hasOwn(fields, name);
  }
}

function deriveActions({ isView, isDelegate, fields }: ZenStackModel): SchemaModel['actions'] {
  if (isView) return ['read'];
  const hasUnknown = Object.values(fields).some(
    ({ type, optional, default: value }) => type === 'Unsupported' && !optional && value === undefined,
  );
  return isDelegate || hasUnknown ? ['read', 'update', 'delete'] : undefined;
}
