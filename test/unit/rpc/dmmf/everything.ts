import type { DmmfDocument } from '../../../../lib/generator/dmmf.js';
import type { ResourceModel } from '../../../../lib/model/resource-model.js';
import { modelOf } from '../model-of.js';

/** The databases with different operations in Prisma. */
export const DATABASES = ['postgresql', 'cockroachdb', 'mysql', 'sqlite', 'sqlserver'] as const;
export type Database = (typeof DATABASES)[number];

export interface Everything {
  /** The installed Prisma's description of the schema. */
  readonly dmmf: DmmfDocument;
  /** The resource model of the same schema. */
  readonly model: ResourceModel;
}

/** A schema with every kind of field, key and relation that a database has in Prisma, preview features included. */
export function everythingOn(database: Database): Everything {
  return modelOf(modelsFor(database), { provider: database, previewFeatures: PREVIEW_FEATURES[database] });
}

const PREVIEW_FEATURES: Readonly<Record<Database, readonly string[]>> = {
  postgresql: ['relationJoins', 'nativeDistinct', 'fullTextSearchPostgres', 'strictUndefinedChecks'],
  cockroachdb: ['relationJoins', 'nativeDistinct'],
  mysql: ['relationJoins', 'nativeDistinct'],
  sqlite: ['nativeDistinct'],
  sqlserver: ['nativeDistinct'],
};

const SCALARS = ['String', 'Boolean', 'Int', 'BigInt', 'Float', 'Decimal', 'DateTime', 'Bytes'];

function modelsFor(database: Database): string {
  const types = [...SCALARS, ...(database === 'sqlserver' ? [] : ['Json', 'Color'])];
  const hasLists = database === 'postgresql' || database === 'cockroachdb';
  const hasUuid = database === 'postgresql' || database === 'cockroachdb';
  return `
${types.includes('Color') ? 'enum Color {\n  RED\n  GREEN\n}' : ''}

model User {
  id      Int     @id
  email   String  @unique
  name    String
  nick    String?
  posts   Post[]  @relation("author")
  reviews Post[]  @relation("reviewer")
  profile Profile?

  @@unique([email, name])
  @@unique([name, id], name: "nameAndId")
}

model Post {
  id         BigInt @id
  title      String
  author     User   @relation("author", fields: [authorId], references: [id], onDelete: NoAction, onUpdate: NoAction)
  authorId   Int
  reviewer   User?  @relation("reviewer", fields: [reviewerId], references: [id], onDelete: NoAction, onUpdate: NoAction)
  reviewerId Int?
  tags       Tag[]
  ${database === 'mysql' ? '@@fulltext([title])' : ''}
}

model Profile {
  id     Int  @id
  user   User @relation(fields: [userId], references: [id])
  userId Int  @unique
}

model Tag {
  id    Int    @id
  posts Post[]
}

model Scalars {
  id Int @id
${types.map((type) => `  required${type} ${type}\n  optional${type} ${type}?`).join('\n')}
${
  hasLists
    ? types
        .filter((type) => database !== 'cockroachdb' || type !== 'Json')
        .map((type) => `  list${type} ${type}[]`)
        .join('\n')
    : ''
}
${hasUuid ? '  requiredUuid String @db.Uuid\n  optionalUuid String? @db.Uuid' : ''}
}
`;
}
