/**
 * The types of PostgreSQL columns, as a Prisma schema and SQL name them, each with values as identifiers and documents have them. PostgreSQL reads
 * the same texts as literals. `variants` are other texts of the first value that the database takes for the same.
 *
 * @type {readonly import('./value-types.d.mts').ValueType[]}
 */
export const VALUE_TYPES = [
  { name: 'Int', prisma: 'Int', sql: 'integer', values: ['7', '-8', '2147483647'] },
  { name: 'SmallInt', prisma: 'Int @db.SmallInt', sql: 'smallint', values: ['7', '-8', '32767'] },
  { name: 'BigInt', prisma: 'BigInt', sql: 'bigint', values: ['9007199254740993', '-5', '9223372036854775807'] },
  {
    name: 'Decimal',
    prisma: 'Decimal',
    sql: 'numeric(65,30)',
    values: ['1.1', '-0.5', '1.23456789012345678901234567890123456789e+29'],
    variants: ['1.10', '11e-1'],
  },
  { name: 'Fixed', prisma: 'Decimal @db.Decimal(12, 2)', sql: 'numeric(12,2)', values: ['1.5', '20', '-0.25'], variants: ['1.50'] },
  { name: 'Numeric', prisma: 'Decimal @db.Decimal', sql: 'numeric', values: ['1.5', '20', '-0.25'] },
  { name: 'Float', prisma: 'Float', sql: 'double precision', values: ['25', '-25000000', '1.7e+300'] },
  { name: 'Double', prisma: 'Float', sql: 'double precision', values: ['0.1', '-2.5e-7', '5e-324'], isKey: false },
  { name: 'Real', prisma: 'Float @db.Real', sql: 'real', values: ['1.5', '-0.25', '0.1'], isKey: false },
  {
    name: 'Stamp',
    prisma: 'DateTime',
    sql: 'timestamp(3)',
    values: ['2020-01-02T03:04:05.001Z', '2021-12-31T23:59:59.999Z', '0099-01-01T00:00:00.000Z'],
    variants: ['2020-01-02T04:04:05.001+01:00'],
  },
  {
    name: 'Seconds',
    prisma: 'DateTime @db.Timestamp(0)',
    sql: 'timestamp(0)',
    values: ['2020-01-02T03:04:05.000Z', '1969-12-31T23:59:59.000Z', '9999-12-31T00:00:00.000Z'],
  },
  {
    name: 'Zoned',
    prisma: 'DateTime @db.Timestamptz(3)',
    sql: 'timestamptz(3)',
    values: ['2020-01-02T03:04:05.001Z', '2021-06-30T22:00:00.500Z', '1850-01-01T00:00:00.000Z'],
  },
  {
    name: 'Micros',
    prisma: 'DateTime @db.Timestamptz(6)',
    sql: 'timestamptz(6)',
    values: ['2020-01-02T03:04:05.120Z', '2021-06-30T22:00:00.000Z', '0001-01-01T00:00:00.000Z'],
  },
  {
    name: 'Date',
    prisma: 'DateTime @db.Date',
    sql: 'date',
    values: ['2020-01-02T00:00:00.000Z', '1999-12-31T00:00:00.000Z', '0099-01-01T00:00:00.000Z'],
    variants: ['2020-01-02T05:06:07.000Z', '2020-01-02'],
  },
  {
    name: 'Time',
    prisma: 'DateTime @db.Time(3)',
    sql: 'time(3)',
    values: ['1970-01-01T03:04:05.001Z', '1970-01-01T23:59:59.000Z', '1970-01-01T00:00:00.000Z'],
    isKey: false,
  },
  { name: 'Bytes', prisma: 'Bytes', sql: 'bytea', values: ['AQID', '+/7/', 'AA=='] },
  { name: 'Boolean', prisma: 'Boolean', sql: 'boolean', values: ['true', 'false'] },
  { name: 'Kind', prisma: 'Kind', sql: '"Kind"', values: ['SMALL', 'BIG', 'ODD'] },
  {
    name: 'Uuid',
    prisma: 'String @db.Uuid',
    sql: 'uuid',
    values: ['a81bc81b-dead-4e5d-abff-90865d1e13b1', '00000000-0000-0000-0000-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    variants: ['A81BC81B-DEAD-4E5D-ABFF-90865D1E13B1'],
  },
  { name: 'Text', prisma: 'String', sql: 'text', values: ['plain', 'Ünïcode ☃', 'a_b.c~d e'] },
  { name: 'VarChar', prisma: 'String @db.VarChar(20)', sql: 'varchar(20)', values: ['plain', 'with space', '1.10'] },
  { name: 'Char', prisma: 'String @db.Char(5)', sql: 'char(5)', values: ['ab   ', 'abcde', 'x    '], variants: ['ab', 'ab '] },
  {
    name: 'Citext',
    prisma: 'String @db.Citext',
    sql: 'citext',
    values: ['Mixed', 'lower', 'UPPER'],
    variants: ['mixed', 'MIXED'],
    isList: false,
  },
  { name: 'Inet', prisma: 'String @db.Inet', sql: 'inet', values: ['10.0.0.1', '192.168.0.0/16', '::1'] },
  { name: 'Bit', prisma: 'String @db.Bit(4)', sql: 'bit(4)', values: ['1010', '0000', '1111'] },
  { name: 'VarBit', prisma: 'String @db.VarBit(8)', sql: 'bit varying(8)', values: ['101', '0', '11111111'] },
];

/** @type {typeof import('./value-types.d.mts').memberOf} */
export function memberOf(name) {
  return `${name[0].toLowerCase()}${name.slice(1)}`;
}

/** @type {typeof import('./value-types.d.mts').literalOf} */
export function literalOf({ name, sql }, value) {
  if (name === 'Kind' && value === 'BIG') return `'big one'::${sql}`;
  if (name === 'Time') return `'${value}'::timestamp::${sql}`;
  return name === 'Bytes' ? `decode('${value}', 'base64')` : `'${value.replaceAll("'", "''")}'::${sql}`;
}
