import type { DmmfDocument, DmmfField, DmmfModel } from '../../lib/generator/dmmf.js';

/** The statements that create the enums and tables of a schema, without its views. Foreign keys have no constraints unless they are implicit. */
export function createTables({ datamodel }: DmmfDocument, views: readonly string[] = []): string {
  const models = datamodel.models.filter(({ name }) => !views.includes(name));
  const enums = datamodel.enums.map(({ name, dbName, values }) => {
    return `CREATE TYPE ${quote(dbName ?? name)} AS ENUM (${values.map((value) => `'${value.dbName ?? value.name}'`).join(', ')});`;
  });
  return [...enums, ...models.map((model) => createTable(model, datamodel)), ...joinTables(models)].join('\n');
}

type Datamodel = DmmfDocument['datamodel'];

function createTable(model: DmmfModel, datamodel: Datamodel): string {
  const columns = model.fields.filter(({ kind }) => kind === 'scalar' || kind === 'enum').map((field) => columnOf(field, datamodel));
  const keyed = model.primaryKey?.fields ?? model.fields.filter(({ isId }) => isId).map(({ name }) => name);
  const uniques = [...model.uniqueFields, ...model.fields.filter(({ isUnique }) => isUnique).map(({ name }) => [name])];
  const listed = (names: readonly string[]): string => names.map((name) => quote(columnNamed(model, name))).join(', ');
  return `CREATE TABLE ${quote(model.dbName ?? model.name)} (
  ${[...columns, ...(keyed.length > 0 ? [`PRIMARY KEY (${listed(keyed)})`] : []), ...uniques.map((names) => `UNIQUE (${listed(names)})`)].join(',\n  ')}
);`;
}

function columnNamed({ fields }: DmmfModel, name: string): string {
  return fields.find((field) => field.name === name)?.dbName ?? name;
}

function columnOf(field: DmmfField, { enums }: Datamodel): string {
  const definition = enums.find((one) => one.name === field.type);
  const type = definition ? quote(definition.dbName ?? definition.name) : typeOf(field);
  const column = `${quote(field.dbName ?? field.name)} ${type}`;
  if (field.isList) return `${column}[] NOT NULL DEFAULT '{}'`;
  return `${column}${field.isRequired ? ' NOT NULL' : ''}${defaultOf(field)}`;
}

function defaultOf({ default: given }: DmmfField): string {
  return isCall(given) && given.name === 'dbgenerated' && given.args[0] ? ` DEFAULT ${String(given.args[0])}` : '';
}

function isCall(value: unknown): value is { readonly name: string; readonly args: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'args' in value;
}

const TYPES: Readonly<Record<string, string>> = {
  String: 'TEXT',
  Int: 'INTEGER',
  BigInt: 'BIGINT',
  Float: 'DOUBLE PRECISION',
  Decimal: 'DECIMAL(65,30)',
  Boolean: 'BOOLEAN',
  DateTime: 'TIMESTAMP(3)',
  Json: 'JSONB',
  Bytes: 'BYTEA',
  DoublePrecision: 'DOUBLE PRECISION',
  ByteA: 'BYTEA',
};

function typeOf({ type, nativeType, default: given }: DmmfField): string {
  if (isCall(given) && given.name === 'autoincrement') return 'SERIAL';
  if (!nativeType) return TYPES[type] ?? type;
  const [native, digits] = nativeType;
  return `${(TYPES[native] ?? native).replace(/\(.*/, '')}${digits.length > 0 ? `(${digits.join(',')})` : ''}`;
}

/** Of implicit many-to-many relations: `_<relation>`, whose column A is of the model that comes first in the alphabet. */
function joinTables(models: readonly DmmfModel[]): readonly string[] {
  const lists = models.flatMap((model) =>
    model.fields.filter(({ isList, kind }) => isList && kind === 'object').map((field) => ({ model, field })),
  );
  const names = new Set(lists.map(({ field }) => field.relationName ?? ''));
  return [...names].flatMap((name) => {
    const sides = lists.filter(({ field }) => field.relationName === name).map(({ model }) => model);
    if (sides.length < 2) return [];
    const [a, b] = sides
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map((model) => {
        const id = model.fields.find(({ isId }) => isId);
        return id ? typeOf(id) : 'INTEGER';
      });
    return [`CREATE TABLE ${quote(`_${name}`)} ("A" ${a} NOT NULL, "B" ${b} NOT NULL, PRIMARY KEY ("A", "B"));`];
  });
}

function quote(name: string): string {
  return `"${name}"`;
}
