import { describe, expect, it } from '@jest/globals';
import { readDatamodel } from '../../../lib/generator/read-datamodel.js';
import type { SchemaField } from '../../../lib/model/schema/resource-schema.js';
import { describeSchema, EVERYTHING, readSchema, schemaText } from './describe-schema.js';

function fieldOf(model: string, field: string): SchemaField | undefined {
  return EVERYTHING.schema.models[model]?.fields[field];
}

/** The fields of a model of these lines. */
function fieldsOf(lines: string, provider?: string) {
  return readSchema(schemaText(`model User {\n${lines}\n}`, provider)).models['User']?.fields;
}

describe('readFields', () => {
  describe('fields', () => {
    it.each(['String', 'Boolean', 'Int', 'BigInt', 'Float', 'Decimal', 'DateTime', 'Json'])('reads %s, and lists of it', (type) => {
      const name = type.charAt(0).toLowerCase() + type.slice(1);

      expect(fieldOf('Scalars', name)).toStrictEqual({ kind: 'scalar', type });
      expect(fieldOf('Scalars', `${name}s`)).toStrictEqual({ kind: 'scalar', type, list: true });
    });

    it.each([
      ['bytes', { kind: 'scalar', type: 'Bytes' }],
      ['bytesList', { kind: 'scalar', type: 'Bytes', list: true }],
      ['color', { kind: 'enum', type: 'Color' }],
      ['colors', { kind: 'enum', type: 'Color', list: true }],
      ['stringOrNull', { kind: 'scalar', type: 'String', optional: true }],
      ['jsonOrNull', { kind: 'scalar', type: 'Json', optional: true }],
      ['colorOrNull', { kind: 'enum', type: 'Color', optional: true }],
      ['mapped', { kind: 'scalar', type: 'String', column: 'another_column' }],
    ])('reads Scalars.%s', (name, expected) => {
      expect(fieldOf('Scalars', name)).toStrictEqual(expected);
    });

    it('leaves out ignored fields and columns of unsupported types', () => {
      expect(fieldOf('Scalars', 'ignored')).toBeUndefined();
      expect(fieldOf('Scalars', 'shape')).toBeUndefined();
    });

    it('leaves out composite types', () => {
      const blocks =
        'type Address {\n  street String\n}\nmodel User {\n  id String @id @default(auto()) @map("_id") @db.ObjectId\n  address Address\n  others Address[]\n}';

      expect(readSchema(schemaText(blocks, 'mongodb')).models['User']?.fields).toStrictEqual({
        id: { kind: 'scalar', type: 'String', nativeType: ['ObjectId', []], default: { kind: 'function', name: 'auto' }, column: '_id' },
      });
    });

    it('refuses a scalar type that Prisma may add one day, naming the field', () => {
      const described = JSON.stringify(describeSchema(schemaText('model User {\n  id Int @id\n}'))).replace(
        '"type":"Int"',
        '"type":"Vector"',
      );

      expect(() => readDatamodel(JSON.parse(described), 'postgresql')).toThrow(
        'User.id has the type Vector, which this version does not know.',
      );
    });
  });

  describe('defaults', () => {
    it.each([
      ['string', 'it\'s "quoted" \\ and\nbroken'],
      ['boolean', false],
      ['int', -5],
      ['bigInt', '9007199254740993'],
      ['float', 1.5],
      ['decimal', 1e-7],
      ['dateTime', '2020-01-01T00:00:00+00:00'],
      ['json', '{"a": [1]}'],
      ['bytes', 'aGVsbG8='],
      ['color', 'GREEN'],
      ['strings', ['a', 'b']],
      ['bigInts', ['1', '9007199254740993']],
      ['colors', ['RED', 'GREEN']],
      ['noInts', []],
    ])('reads the literal of Defaults.%s', (name, value) => {
      expect(fieldOf('Defaults', name)).toHaveProperty('default', { kind: 'value', value });
    });

    it.each([
      ['id', { name: 'autoincrement' }],
      ['uuid4', { name: 'uuid', args: [4] }],
      ['uuid7', { name: 'uuid', args: [7] }],
      ['cuid1', { name: 'cuid', args: [1] }],
      ['cuid2', { name: 'cuid', args: [2] }],
      ['ulid', { name: 'ulid' }],
      ['nanoid', { name: 'nanoid' }],
      ['nanoid8', { name: 'nanoid', args: [8] }],
      ['now', { name: 'now' }],
      ['touchedAt', { name: 'now' }],
      ['database', { name: 'dbgenerated', args: ["md5('x')"] }],
      ['unspecified', { name: 'dbgenerated' }],
    ])('reads the function of Defaults.%s', (name, expected) => {
      expect(fieldOf('Defaults', name)).toHaveProperty('default', { kind: 'function', ...expected });
    });

    it("reads CockroachDB's sequence()", () => {
      expect(fieldsOf('id BigInt @id @default(sequence(start: 1, increment: 2))', 'cockroachdb')).toStrictEqual({
        id: { kind: 'scalar', type: 'BigInt', default: { kind: 'function', name: 'sequence' } },
      });
    });

    it('marks @updatedAt, with and without a default beside it', () => {
      expect(fieldOf('Defaults', 'updatedAt')).toStrictEqual({ kind: 'scalar', type: 'DateTime', updatedAt: true });
      expect(fieldOf('Defaults', 'touchedAt')).toHaveProperty('updatedAt', true);
      expect(fieldOf('Defaults', 'now')).not.toHaveProperty('updatedAt');
    });
  });

  describe('native types', () => {
    it.each([
      ['id', ['Uuid', []]],
      ['integer', ['Integer', []]],
      ['jsonB', ['JsonB', []]],
      ['byteA', ['ByteA', []]],
      ['varChar', ['VarChar', ['191']]],
      ['varChars', ['VarChar', ['5']]],
      ['char', ['Char', ['2']]],
      ['text', ['Text', []]],
      ['inet', ['Inet', []]],
      ['bit', ['Bit', ['8']]],
      ['smallInt', ['SmallInt', []]],
      ['oid', ['Oid', []]],
      ['real', ['Real', []]],
      ['decimal', ['Decimal', ['10', '2']]],
      ['money', ['Money', []]],
      ['date', ['Date', []]],
      ['time', ['Time', ['0']]],
      ['timestamp', ['Timestamp', ['3']]],
      ['timestamptz', ['Timestamptz', []]],
    ])('keeps the one of NativeTypes.%s', (name, nativeType) => {
      expect(fieldOf('NativeTypes', name)).toHaveProperty('nativeType', nativeType);
    });

    it('has no other side where that is ignored', () => {
      expect(fieldOf('Edge', 'watcher')).toStrictEqual({
        kind: 'relation',
        type: 'Node',
        relation: 'watcher',
        foreignKey: { fields: ['watcherId'], references: ['id'] },
      });
      expect(fieldOf('Node', 'watched')).toBeUndefined();
    });

    it('has no foreign key where a field of that is ignored', () => {
      const blocks =
        'model User {\n  id Int @id\n  posts Post[]\n}\nmodel Post {\n  id Int @id\n  userId Int @ignore\n  user User @relation(fields: [userId], references: [id])\n}';

      expect(readSchema(schemaText(blocks)).models['Post']?.fields).toStrictEqual({
        id: { kind: 'scalar', type: 'Int' },
        user: {
          kind: 'relation',
          type: 'User',
          relation: 'PostToUser',
          opposite: 'posts',
          ignoredKey: { fields: ['userId'], references: ['id'] },
        },
      });
    });

    it('leaves out ignored models and the relations to them', () => {
      expect(EVERYTHING.schema.models).not.toHaveProperty('Unreachable');
      expect(fieldOf('Node', 'unreachables')).toBeUndefined();
    });

    it('pairs every relation with its other side, both ways', () => {
      const sides = Object.entries(EVERYTHING.schema.models).flatMap(([model, { fields }]) =>
        Object.entries(fields).flatMap(([name, field]) => (field.kind === 'relation' ? [{ model, name, field }] : [])),
      );

      expect(sides.length).toBeGreaterThan(15);
      for (const { model, name, field } of sides) {
        if (field.opposite === undefined) continue;
        expect(fieldOf(field.type, field.opposite)).toMatchObject({
          kind: 'relation',
          type: model,
          relation: field.relation,
          opposite: name,
        });
      }
    });
  });
});
