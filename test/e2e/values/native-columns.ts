import { FILTER_OPERATORS } from '../../../lib/rest/parse/filter-operators.js';

/** Every native type that Prisma has for PostgreSQL, with a value in its JSON form. Of `Citext`, PostgreSQL needs an extension. */
const TYPES: readonly (readonly [type: string, value: unknown])[] = [
  ['String', 'a'],
  ['String @db.Text', 'a'],
  ['String @db.Char(4)', 'a'],
  ['String @db.VarChar(9)', 'a'],
  ['String @db.Bit(4)', '1010'],
  ['String @db.VarBit', '10'],
  ['String @db.Uuid', '123e4567-e89b-42d3-a456-426614174000'],
  ['String @db.Xml', '<a/>'],
  ['String @db.Inet', '10.0.0.1'],
  ['Boolean', true],
  ['Int', 1],
  ['Int @db.SmallInt', 1],
  ['Int @db.Oid', 1],
  ['BigInt', '1'],
  ['Float', 1.5],
  ['Float @db.Real', 1.5],
  ['Decimal', '1.5'],
  ['Decimal @db.Money', '1.5'],
  ['DateTime', '2024-01-31T10:00:00.000Z'],
  ['DateTime @db.Timestamptz(6)', '2024-01-31T10:00:00.000Z'],
  ['DateTime @db.Date', '2024-01-31'],
  ['DateTime @db.Time(6)', '1970-01-01T10:00:00.000Z'],
  ['DateTime @db.Timetz(6)', '1970-01-01T10:00:00.000Z'],
  ['Json', { a: 1 }],
  ['Json @db.Json', { a: 1 }],
  ['Bytes', 'AQID'],
  ['Kind', 'ONE'],
];

export interface NativeColumn {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}

/** The types whose lists Prisma reads with the driver adapter of PostgreSQL. */
const LISTS: ReadonlySet<string> = new Set(['String', 'String @db.Uuid', 'Int', 'Json', 'Json @db.Json', 'Kind']);

/** A column of each type that may be null, and lists. */
export const COLUMNS: readonly NativeColumn[] = TYPES.flatMap(([type, value], index) => {
  const single = { name: `one${index}`, type: type.replace(/^\w+/, '$&?'), value };
  const list = { name: `list${index}`, type: type.replace(/^\w+/, '$&[]'), value: [value] };
  return LISTS.has(type) ? [single, list] : [single];
});

export const MODELS = `enum Kind {
  ONE
  TWO
}
model Every {
  id Int @id
${COLUMNS.map(({ name, type }) => `  ${name} ${type}`).join('\n')}
}`;

export const ROWS = `INSERT INTO "Every" ("id") VALUES (1), (2);`;

/** The operators that may follow a field in the name of a filter. */
export const ALL_OPERATORS: readonly string[] = ['', ...[...FILTER_OPERATORS.keys()].map((name) => `$${name}`)];
