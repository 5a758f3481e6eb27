import type { RulesOption } from '../../../lib/index.js';
import { resourceSchema } from '../generated/typed-keys/resource-schema.js';
import { PrismaClient } from '../generated/typed-keys/prisma/client.js';
import { PrismaClient as JoiningClient } from '../generated/typed-keys-joined/prisma/client.js';
import { openScripted, type ScriptedDatabase } from '../scripted-database.js';
import { literalOf, memberOf, VALUE_TYPES, type ValueType } from './value-types.mjs';

/** A model whose rows are named by a key of one type, or of several. */
export interface KeyModel {
  readonly name: string;
  /** The fields of the key, and those of a foreign key that references it. */
  readonly fields: readonly { readonly name: string; readonly foreign: string; readonly type: ValueType }[];
  /** The values of three keys, in the order of the fields. The owner of the second is 1, and row 1 of the referencing model references it. */
  readonly keys: readonly (readonly string[])[];
  /** Other texts of the first key. */
  readonly variants: readonly (readonly string[])[];
}

export const KEY_MODELS: readonly KeyModel[] = [
  ...VALUE_TYPES.filter(({ isKey = true }) => isKey).map((type) => ({
    name: type.name,
    fields: [{ name: 'k', foreign: 'key', type }],
    keys: type.values.map((value) => [value]),
    variants: (type.variants ?? []).map((value) => [value]),
  })),
  compound('Visit', [
    ['page', 'Int'],
    ['at', 'Stamp'],
  ]),
  compound('Combo', [
    ['b', 'BigInt'],
    ['at', 'Stamp'],
    ['kind', 'Kind'],
    ['amount', 'Decimal'],
    ['text', 'Text'],
  ]),
];

function compound(name: string, parts: readonly (readonly [name: string, type: string])[]): KeyModel {
  const fields = parts.map(([part, type]) => ({ name: part, foreign: part, type: typeNamed(type) }));
  const keys = [0, 1].map((index) => fields.map(({ type }) => type.values[index] ?? ''));
  const variants = fields.some(({ type }) => type.variants) ? [fields.map(({ type }) => type.variants?.[0] ?? type.values[0] ?? '')] : [];
  return { name, fields, keys, variants };
}

function typeNamed(name: string): ValueType {
  const type = VALUE_TYPES.find((one) => one.name === name);
  if (!type) throw new Error(`There is no type ${name}.`);
  return type;
}

const SEEN = { label: { not: 'hidden' } };

const VERSIONS = ['Int', 'SmallInt', 'BigInt'].map(typeNamed);

/** All tables, each after those that it references. */
export const VALUES_TABLES = [
  'Owner',
  'Holder',
  'Value',
  ...VERSIONS.map(({ name }) => `Version${name}`),
  ...KEY_MODELS.flatMap(({ name, fields }) => [`Key${name}`, `Ref${name}`, ...(fields.length === 1 ? [`_many${name}`] : [])]),
];

const SQL = `
  CREATE EXTENSION citext;
  CREATE TYPE "Kind" AS ENUM ('SMALL', 'big one', 'ODD');
  CREATE TABLE "Owner" ("id" SERIAL PRIMARY KEY, "name" TEXT NOT NULL);
  CREATE TABLE "Holder" ("id" SERIAL PRIMARY KEY, "label" TEXT NOT NULL);
  CREATE TABLE "Value" ("id" SERIAL PRIMARY KEY, "holderId" INTEGER REFERENCES "Holder" ON DELETE SET NULL ON UPDATE CASCADE, "json" JSONB,
    ${VALUE_TYPES.map(({ name, sql, isList = true }) => `"${memberOf(name)}" ${sql}${isList ? `, "${memberOf(name)}s" ${sql}[]` : ''}`).join(', ')});
  ${VERSIONS.map(({ name, sql }) => `CREATE TABLE "Version${name}" ("id" SERIAL PRIMARY KEY, "label" TEXT NOT NULL, "version" ${sql} NOT NULL DEFAULT 1);`).join('\n')}
  ${KEY_MODELS.map(creating).join('\n')}`;

function creating({ name, fields }: KeyModel): string {
  const [own, foreign] = [fields.map((field) => `"${field.name}"`).join(', '), fields.map((field) => `"${field.foreign}"`).join(', ')];
  const columns = fields.map((field) => `"${field.name}" ${field.type.sql}, `).join('');
  const references = fields.map((field) => `"${field.foreign}" ${field.type.sql}, `).join('');
  const [{ type }] = fields as readonly [KeyModel['fields'][0]];
  const joinTable = `CREATE TABLE "_many${name}" ("A" ${type.sql} REFERENCES "Key${name}" ON DELETE CASCADE ON UPDATE CASCADE,
    "B" INTEGER REFERENCES "Owner" ON DELETE CASCADE ON UPDATE CASCADE, PRIMARY KEY ("A", "B"));`;
  return `CREATE TABLE "Key${name}" (${columns}"label" TEXT NOT NULL, "ownerId" INTEGER REFERENCES "Owner" ON DELETE SET NULL ON UPDATE CASCADE, PRIMARY KEY (${own}));
    CREATE TABLE "Ref${name}" ("id" SERIAL PRIMARY KEY, "label" TEXT NOT NULL, ${references}
      FOREIGN KEY (${foreign}) REFERENCES "Key${name}" (${own}) ON DELETE SET NULL ON UPDATE CASCADE);
    ${fields.length === 1 ? joinTable : ''}`;
}

const SEED = `
  INSERT INTO "Owner" VALUES (1, 'Ada'), (2, 'Bob');
  INSERT INTO "Holder" VALUES (1, 'full'), (2, 'empty');
  ${[0, 1, 2].map(valueRow).join('\n')}
  INSERT INTO "Value" ("id") VALUES (4);
  ${VERSIONS.map(({ name }) => `INSERT INTO "Version${name}" VALUES (1, 'one', 1), (2, 'two', 2);`).join('\n')}
  ${KEY_MODELS.map(rowsOf).join('\n')}`;

function valueRow(index: number): string {
  const fields = VALUE_TYPES.flatMap((type) => {
    const value = literalOf(type, type.values[index] ?? type.values[0] ?? '');
    const list = type.values.map((one) => literalOf(type, one)).join(', ');
    const own = [`"${memberOf(type.name)}"`, value] as const;
    return type.isList === false ? [own] : [own, [`"${memberOf(type.name)}s"`, `ARRAY[${list}]::${type.sql}[]`] as const];
  });
  const json = `'{"b": 1, "a": [1.5, null, "x"]}'`;
  const [names, values] = [fields.map(([name]) => name).join(', '), fields.map(([, value]) => value).join(', ')];
  return `INSERT INTO "Value" ("id", "holderId", "json", ${names}) VALUES (${index + 1}, 1, ${json}, ${values});`;
}

function rowsOf({ name, fields, keys }: KeyModel): string {
  const literals = keys.map((key) => key.map((value, index) => literalOf(typeAt(fields, index), value)).join(', '));
  const rows = literals.map((literal, index) => `(${literal}, 'key ${index}', ${index === 1 ? 1 : 'NULL'})`);
  const joinTable = fields.length === 1 ? `INSERT INTO "_many${name}" VALUES (${literals[1] ?? ''}, 1);` : '';
  return `INSERT INTO "Key${name}" VALUES ${rows.join(', ')};
    INSERT INTO "Ref${name}" VALUES (1, 'ref', ${literals[1] ?? ''}); ${joinTable}`;
}

function typeAt(fields: KeyModel['fields'], index: number): ValueType {
  const field = fields[index];
  if (!field) throw new Error('A key has more values than fields.');
  return field.type;
}

/** The tables that hold a key of a model. */
export function tablesOf({ name, fields }: KeyModel): readonly string[] {
  return ['Owner', `Key${name}`, `Ref${name}`, ...(fields.length === 1 ? [`_many${name}`] : [])];
}

/** A statement that brings the rows of these tables back. */
export function resetOf(model: KeyModel): string {
  const { name, fields } = model;
  return `DO $reset$ BEGIN
    ${fields.length === 1 ? `DELETE FROM "_many${name}";` : ''} DELETE FROM "Ref${name}"; DELETE FROM "Key${name}"; DELETE FROM "Owner" WHERE "id" > 2;
    UPDATE "Owner" SET "name" = CASE "id" WHEN 1 THEN 'Ada' ELSE 'Bob' END;
    ${rowsOf(model)}
    PERFORM setval('"Owner_id_seq"', 100); PERFORM setval('"Ref${name}_id_seq"', 100);
  END $reset$`;
}

/** The Prisma client of the schema; `joins` is that with the preview feature `relationJoins`. */
export type ValuesClient = PrismaClient;

export const valuesSchema = resourceSchema;

/** Rules that let every row of the seed through. */
export const VALUES_RULES: RulesOption = {
  '*': true,
  ...Object.fromEntries(KEY_MODELS.map(({ name }) => [`Key${name}`, { read: SEEN, create: SEEN, update: SEEN, delete: SEEN }])),
};

/** A database on the server with a model for each type of a key (`write-schemas.mjs`), for one test file: the embedded one has no `citext`. */
export function openValues(joins = false): Promise<ScriptedDatabase<PrismaClient>> {
  const script = { name: 'typed_keys', sql: SQL, tables: VALUES_TABLES, seed: SEED };
  // The preview feature changes how relations are read, and not the models.
  return openScripted(script, (options) => (joins ? (new JoiningClient(options) as unknown as PrismaClient) : new PrismaClient(options)));
}
