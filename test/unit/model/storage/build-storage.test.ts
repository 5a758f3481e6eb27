import { describe, expect, it } from '@jest/globals';
import { readDatamodel } from '../../../../lib/generator/read-datamodel.js';
import { buildStorage } from '../../../../lib/model/storage/build-storage.js';
import type { StoredModel, StoredRelation } from '../../../../lib/model/storage/storage.js';
import { describeSchema } from '../../generator/describe-schema.js';

const TEXT = `datasource db {
  provider = "postgresql"
  schemas  = ["people", "texts"]
}

/// What a user may do.
enum Role {
  READER @map("reader")
  ADMIN

  @@map("roles")
  @@schema("people")
}

/// A writer.
/// @api.hidden
model User {
  id        Int    @id
  name      String @map("full_name") /// As on the cover. @api.readOnly
  role      Role
  legacy    String @ignore @map("old_name") @db.VarChar(20) // @ignore
  posts     Post[] @relation("Writing")
  tags      Tag[]
  followers User[] @relation("Follows")
  follows   User[] @relation("Follows")

  @@map("users")
  @@schema("people")
}

model Post {
  id       Int    @id
  data     Json   @db.Json
  authorId Int    @map("author_id") @ignore
  author   User   @relation("Writing", fields: [authorId], references: [id], onDelete: Cascade) @ignore
  editorId Int?
  // @ignore would take it out

  @@schema("texts")
}

model Tag {
  id    Int    @id
  users User[]

  @@schema("texts")
}
`;

const SCHEMA = readDatamodel(describeSchema(TEXT), 'postgresql', TEXT);
const STORAGE = buildStorage(SCHEMA);

function stored(name: string): StoredModel {
  const model = STORAGE.byModel.get(name);
  if (!model) throw new Error(`There is no model ${name}.`);
  return model;
}

function relation(model: string, name: string): StoredRelation | undefined {
  return stored(model).relations.get(name);
}

describe('the storage view', () => {
  it('has tables, their schemas and columns, of hidden models too', () => {
    expect(stored('User')).toMatchObject({ table: 'users', schema: 'people' });
    expect(stored('Post')).toMatchObject({ table: 'Post', schema: 'texts' });
    expect(stored('User').fields.get('name')).toMatchObject({ column: 'full_name', type: 'String', ignored: false });
    expect(stored('User').columns.get('full_name')).toBe('name');
    expect(stored('Post').fields.get('data')?.nativeType).toEqual(['Json', []]);
  });

  it('has the stored values of an enum, and the schema of its type', () => {
    const { enumType } = stored('User').fields.get('role') ?? {};
    expect(enumType).toMatchObject({ name: 'roles', schema: 'people' });
    expect([...(enumType?.values ?? [])]).toEqual([
      ['READER', 'reader'],
      ['ADMIN', 'ADMIN'],
    ]);
  });

  it('has ignored fields, and the foreign key of a relation whose other side is ignored', () => {
    expect([...stored('Post').fields.keys()]).toEqual(['id', 'data', 'editorId', 'authorId']);
    expect(stored('Post').fields.get('authorId')).toMatchObject({ column: 'author_id', type: 'Int', ignored: true });
    expect(stored('User').fields.get('legacy')).toMatchObject({ nativeType: ['VarChar', ['20']], ignored: true });
    const key = { fields: ['authorId'], references: ['id'] };
    expect(relation('User', 'posts')).toMatchObject({ opposite: 'author', many: true, ignored: false, referredBy: key });
    expect(relation('Post', 'author')).toMatchObject({ opposite: 'posts', many: false, ignored: true, foreignKey: key });
  });

  it('has join tables on both sides of a relation, of a model with itself too', () => {
    const tags = { table: '_TagToUser', schema: 'texts' };
    expect(relation('User', 'tags')?.joinTable).toEqual({ ...tags, ownColumn: 'B', targetColumn: 'A' });
    expect(relation('Tag', 'users')?.joinTable).toEqual({ ...tags, ownColumn: 'A', targetColumn: 'B' });
    const follows = { table: '_Follows', schema: 'people' };
    expect(relation('User', 'followers')?.joinTable).toEqual({ ...follows, ownColumn: 'A', targetColumn: 'B' });
    expect(relation('User', 'follows')?.joinTable).toEqual({ ...follows, ownColumn: 'B', targetColumn: 'A' });
  });
});

describe('the documentation of the schema', () => {
  it('is kept without its comments about exposure', () => {
    expect(SCHEMA.enums['Role']).toMatchObject({ documentation: 'What a user may do.' });
    expect(SCHEMA.models['User']).toMatchObject({ documentation: 'A writer.', api: { hidden: true } });
    expect(SCHEMA.models['User']?.fields['name']).toMatchObject({ documentation: 'As on the cover.', api: 'readOnly' });
    expect(SCHEMA.models['User']?.fields['role']).not.toHaveProperty('documentation');
  });
});
