import { Prisma, type PrismaClient } from '../../support/generated/prisma/client.js';

/** True, false, or null for SQL's unknown. */
export type Truth = boolean | null;

/** A scalar type of `Specimen`, whose fields are named after it: `int`, `optionalInt`, `intList`. */
export interface ValueType {
  readonly name: string;
  /** In ascending order. */
  readonly values: readonly [unknown, unknown, unknown];
  readonly kind: 'ordered' | 'text' | 'flag' | 'json' | 'plain';
}

const decimal = (text: string): Prisma.Decimal => new Prisma.Decimal(text);
const uuid = (digit: string): string => '00000000-0000-4000-8000-000000000000'.replaceAll('0', digit);

export const VALUE_TYPES: readonly ValueType[] = [
  { name: 'string', values: ['', 'A_b%', 'a_B%c'], kind: 'text' },
  { name: 'boolean', values: [false, true, true], kind: 'flag' },
  { name: 'int', values: [-5, 0, 7], kind: 'ordered' },
  { name: 'bigInt', values: [-9_007_199_254_740_993n, 9_007_199_254_740_992n, 9_007_199_254_740_993n], kind: 'ordered' },
  { name: 'float', values: [-0.25, 0.1, 1e21], kind: 'ordered' },
  { name: 'decimal', values: [decimal('-0.0000000001'), decimal('0.1'), decimal('12345678901234567890.0123456789')], kind: 'ordered' },
  {
    name: 'dateTime',
    values: [new Date('1969-12-31T23:59:59.999Z'), new Date('2026-01-01T00:00:00.000Z'), new Date('2026-01-01T00:00:00.001Z')],
    kind: 'ordered',
  },
  { name: 'date', values: [new Date('1969-12-31'), new Date('2026-01-01'), new Date('2026-01-02')], kind: 'ordered' },
  { name: 'json', values: [{ a: 1 }, 'text', 3], kind: 'json' },
  { name: 'bytes', values: [new Uint8Array(), Uint8Array.of(0), Uint8Array.of(92, 110, 34, 255)], kind: 'plain' },
  { name: 'uuid', values: [uuid('1'), uuid('a'), uuid('f')], kind: 'ordered' },
  { name: 'level', values: ['LOW', 'MEDIUM', 'HIGH'], kind: 'plain' },
];

export const optionalOf = (name: string): string => `optional${name.charAt(0).toUpperCase()}${name.slice(1)}`;
export const listOf = (name: string): string => `${name}List`;

/** Values of the fields of one row. A list may be NULL in the database. */
export interface SpecimenRow {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** Rows in which each field has each of its values, and null if it is optional. */
export const SPECIMENS: readonly SpecimenRow[] = Array.from({ length: 8 }, (_, row) => ({
  id: row + 1,
  ...Object.fromEntries(VALUE_TYPES.flatMap((type) => fieldsOf(type, row))),
}));

function fieldsOf({ name, values }: ValueType, row: number): readonly (readonly [string, unknown])[] {
  const [one, two, three] = values;
  const lists = [[], [one], [one, two], [two, one], [three], [three, three], null, [one, two, three]];
  return [
    [name, values[row % 3]],
    [optionalOf(name), [null, ...values][row % 4]],
    [listOf(name), lists[row]],
  ];
}

/** Replaces the rows of the seed by these. */
export async function writeSpecimens(prisma: PrismaClient): Promise<void> {
  await prisma.specimen.deleteMany();
  for (const row of SPECIMENS) {
    const fields = Object.entries(row);
    await prisma.specimen.create({ data: Object.fromEntries(fields.filter(([, value]) => value !== null)) as Prisma.SpecimenCreateInput });
    // Prisma writes an empty list in place of null.
    const nulls = fields.flatMap(([field, value]) => (value === null && field.endsWith('List') ? [`"${field}" = NULL`] : []));
    if (nulls.length > 0) await prisma.$executeRawUnsafe(`UPDATE "Specimen" SET ${nulls.join()} WHERE id = ${row.id}`);
  }
}

/** One text for equal values. */
export function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Prisma.Decimal) return value.toFixed();
  if (Array.isArray(value)) return JSON.stringify(value.map(textOf));
  return typeof value === 'string' ? value : typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

const same = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);
const unlessNull = (values: readonly unknown[], compare: () => Truth): Truth => (values.includes(null) ? null : compare());
export const opposite = (value: Truth): Truth => (value === null ? null : !value);

type Operator = (type: ValueType, value: unknown, operand: unknown) => Truth;

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const has = (list: unknown, value: unknown): boolean => listed(list).some((one) => same(one, value));

const order =
  (holds: (sign: number) => boolean): Operator =>
  ({ values }, value, operand) => {
    const placeOf = (one: unknown): number => values.findIndex((other) => same(one, other));
    return unlessNull([value, operand], () => holds(placeOf(value) - placeOf(operand)));
  };

const text =
  (holds: (value: string, part: string) => boolean): Operator =>
  (_, value, operand) =>
    unlessNull([value, operand], () => holds(String(value), String(operand)));

const equals: Operator = (_, value, operand) => unlessNull([value, operand], () => same(value, operand));
/** As `= ANY (list)`: without elements it is false, also of null. */
const among: Operator = (_, value, list) =>
  unlessNull([list], () => (listed(list).length === 0 ? false : unlessNull([value], () => has(list, value))));

const EQUALITY: Readonly<Record<string, Operator>> = {
  equals,
  not: (type, value, operand) => opposite(equals(type, value, operand)),
};
const MEMBERSHIP: typeof EQUALITY = {
  ...EQUALITY,
  in: among,
  notIn: (type, value, operand) => opposite(among(type, value, operand)),
};

/** The result of each operator for a value and an operand. */
export const SCALAR_OPERATORS: Readonly<Record<ValueType['kind'], Readonly<Record<string, Operator>>>> = {
  flag: EQUALITY,
  json: EQUALITY,
  plain: MEMBERSHIP,
  text: {
    ...MEMBERSHIP,
    contains: text((value, part) => value.includes(part)),
    startsWith: text((value, part) => value.startsWith(part)),
    endsWith: text((value, part) => value.endsWith(part)),
  },
  ordered: {
    ...MEMBERSHIP,
    lt: order((sign) => sign < 0),
    lte: order((sign) => sign <= 0),
    gt: order((sign) => sign > 0),
    gte: order((sign) => sign >= 0),
  },
};

export const LIST_OPERATORS: Readonly<Record<string, Operator>> = {
  equals,
  has: (type, list, operand) => among(type, operand, list),
  hasEvery: (_, list, operand) => unlessNull([list, operand], () => listed(operand).every((one) => has(list, one))),
  hasSome: (_, list, operand) => unlessNull([list, operand], () => listed(operand).some((one) => has(list, one))),
  isEmpty: (_, list, operand) => unlessNull([list], () => (listed(list).length === 0) === operand),
};
