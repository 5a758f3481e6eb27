import { readFileSync } from 'node:fs';
import { getDMMF } from '@prisma/get-dmmf';
import type { DmmfDocument } from '../../../lib/generator/dmmf.js';
import { readDatamodel } from '../../../lib/generator/read-datamodel.js';
import type { ResourceSchema } from '../../../lib/model/schema/resource-schema.js';

/** Prisma's own description of a schema's text. */
export function describeSchema(text: string): DmmfDocument {
  const described = getDMMF({ datamodel: text });
  if ('error' in described) throw described.error;
  return described;
}

/** A schema of these blocks. */
export function schemaText(blocks: string, provider = 'postgresql'): string {
  return `datasource db {\n  provider = "${provider}"\n}\n${blocks}`;
}

/** Returns the resource schema that the generator reads from a text. */
export function readSchema(text: string): ResourceSchema {
  return readDatamodel(describeSchema(text), 'postgresql');
}

/** Every feature of models that a Prisma schema for PostgreSQL can have: its text, Prisma's description, and what is read from that. */
export const EVERYTHING = everything();

/** A schema of many models: each with every common kind of field and key, pointing to the next one. */
export function manyModels(count: number): string {
  return schemaText(`enum Color {\n  RED\n  GREEN\n}\n${Array.from({ length: count }, (_, index) => modelText(index, count)).join('\n')}`);
}

function modelText(index: number, count: number): string {
  const texts = Array.from({ length: 6 }, (_, number) => `  text${number} String?`).join('\n');
  return `model Model${index} {
  id        Int      @id @default(autoincrement())
  code      String   @unique @db.VarChar(40)
  createdAt DateTime @default(now())
  updatedAt DateTime @updatedAt
  color     Color    @default(RED)
  a         Int
  b         Int
  price     Decimal  @db.Decimal(10, 2)
  tags      String[]
${texts}
  nextId    Int
  next      Model${(index + 1) % count} @relation("next${index}", fields: [nextId], references: [id])
  previous  Model${(index + count - 1) % count}[] @relation("next${(index + count - 1) % count}")

  @@unique([a, b])
}`;
}

function everything() {
  const text = readFileSync(new URL('./fixtures/everything.prisma', import.meta.url), 'utf8');
  const document = describeSchema(text);
  return { text, document, schema: readDatamodel(document, 'postgresql') };
}
