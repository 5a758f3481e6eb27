import { mkdirSync, writeFileSync } from 'node:fs';
import { memberOf, VALUE_TYPES } from './value-types.mjs';

/**
 * Writes a Prisma schema with a model for each type of a key, and one with a field and a list of each type; and the same schema with the preview
 * feature `relationJoins`, by which Prisma's default is to read relations with a join.
 */
export function writeSchemas() {
  const models = [...VALUE_TYPES.filter(({ isKey = true }) => isKey).flatMap(keyModels), ...COMPOUND, holder(), value(), ...VERSIONS];
  for (const [name, features] of [
    ['typed-keys', ''],
    ['typed-keys-joined', 'previewFeatures = ["relationJoins"]'],
  ]) {
    const folder = new URL(`../generated/${name}/`, import.meta.url);
    mkdirSync(folder, { recursive: true });
    writeFileSync(new URL('schema.prisma', folder), `${head(features)}\n${models.join('\n')}\n`);
  }
}

const head = (features) => `
generator client {
  provider            = "prisma-client"
  output              = "./prisma"
  moduleFormat        = "esm"
  importFileExtension = "js"
  ${features}
}
generator resourceApi {
  provider = "node dist/generator/bin.js"
  output   = "./resource-schema.ts"
}
datasource db {
  provider = "postgresql"
}
enum Kind {
  SMALL
  BIG   @map("big one")
  ODD
}`;

const keyModels = ({ name, prisma }) => [
  `model Key${name} {
  k       ${prisma} @id
  label   String
  ownerId Int?
  owner   Owner?   @relation("own${name}", fields: [ownerId], references: [id])
  owners  Owner[]  @relation("many${name}")
  refs    Ref${name}[]
}`,
  `model Ref${name} {
  id    Int @id @default(autoincrement())
  label String
  key   ${optional(prisma)}
  to    Key${name}? @relation(fields: [key], references: [k])
}`,
];

const optional = (prisma) => prisma.replace(/^\w+/, '$&?');
const listOf = (prisma) => prisma.replace(/^\w+/, '$&[]');

const COMPOUND = [
  `model KeyVisit {
  page    Int
  at      DateTime
  label   String
  ownerId Int?
  owner   Owner?     @relation("ownVisit", fields: [ownerId], references: [id])
  refs    RefVisit[]
  @@id([page, at])
}`,
  `model RefVisit {
  id    Int       @id @default(autoincrement())
  label String
  page  Int?
  at    DateTime?
  to    KeyVisit? @relation(fields: [page, at], references: [page, at])
}`,
  `model KeyCombo {
  b       BigInt
  at      DateTime
  kind    Kind
  amount  Decimal
  text    String
  label   String
  ownerId Int?
  owner   Owner?     @relation("ownCombo", fields: [ownerId], references: [id])
  refs    RefCombo[]
  @@id([b, at, kind, amount, text])
}`,
  `model RefCombo {
  id     Int       @id @default(autoincrement())
  label  String
  b      BigInt?
  at     DateTime?
  kind   Kind?
  amount Decimal?
  text   String?
  to     KeyCombo? @relation(fields: [b, at, kind, amount, text], references: [b, at, kind, amount, text])
}`,
];

function holder() {
  const keys = VALUE_TYPES.filter(({ isKey = true }) => isKey).map(({ name }) => name);
  const lists = [...keys, 'Visit', 'Combo'].map((name) => `  own${name} Key${name}[] @relation("own${name}")`);
  const joined = keys.map((name) => `  many${name} Key${name}[] @relation("many${name}")`);
  return `model Owner {
  id   Int    @id @default(autoincrement())
  name String
${[...lists, ...joined].join('\n')}
}`;
}

function value() {
  const fields = VALUE_TYPES.flatMap(({ name, prisma, isList = true }) => [
    `  ${memberOf(name)} ${optional(prisma)}`,
    ...(isList ? [`  ${memberOf(name)}s ${listOf(prisma)}`] : []),
  ]);
  return `model Holder {
  id     Int     @id @default(autoincrement())
  label  String
  values Value[]
}
model Value {
  id       Int     @id @default(autoincrement())
  holderId Int?
  holder   Holder? @relation(fields: [holderId], references: [id])
  json     Json?
${fields.join('\n')}
}`;
}

const VERSIONS = ['Int', 'SmallInt', 'BigInt'].map(
  (name) => `model Version${name} {
  id      Int    @id @default(autoincrement())
  label   String
  /// @api.version
  version ${VALUE_TYPES.find((one) => one.name === name)?.prisma} @default(1)
}`,
);
