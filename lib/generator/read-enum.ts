import type { SchemaEnum } from '../model/schema/resource-schema.js';
import type { DmmfDocument } from './dmmf.js';
import { readDocumentation } from './read-documentation.js';
import type { SchemaText } from './read-text.js';

type DmmfEnum = DmmfDocument['datamodel']['enums'][number];

/** Reads an enum: its values as the client and as the database know them. */
export function readEnum(definition: DmmfEnum, { blocks }: SchemaText): SchemaEnum {
  const { name, values, dbName } = definition;
  const stored = values.flatMap((value) => (value.dbName ? [[value.name, value.dbName] as const] : []));
  // Prisma does not describe it.
  const schema = blocks.get(name)?.flatMap((line) => /^@@schema\("([^"]+)"\)/.exec(line)?.[1] ?? [])[0];
  return {
    values: values.map((value) => value.name),
    ...(stored.length > 0 && { stored: Object.fromEntries(stored) }),
    ...(dbName && { databaseName: dbName }),
    ...(schema !== undefined && { schema }),
    ...readDocumentation(definition),
  };
}
