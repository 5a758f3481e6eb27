import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { prismaNullName } from '../../../lib/model/values/json-value.js';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import type { Comparison, Condition, OneCondition } from '../../../lib/query/condition.js';
import { match, type Table } from '../../../lib/query/match.js';
import type { Row } from '../../../lib/query/result.js';
import { nullSafe } from '../../../lib/rules/null-safe-condition.js';
import { readRule } from '../../../lib/rules/read-rule.js';
import { Prisma } from '../../support/generated/prisma/client.js';
import { schemaOf } from '../rpc/model-of.js';

const storage = buildStorage(
  schemaOf(`
model Node {
  id       Int    @id
  name     String
  size     Int?
  note     Json?
  data     Json
  words    String[]
  parent   Node?  @relation("tree", fields: [parentId], references: [id])
  parentId Int?
  children Node[] @relation("tree")
}
`),
);

function read(where: object): Condition {
  return readRule(storage, 'Node', where, (problem) => {
    throw new Error(problem);
  });
}

/** A truth value of SQL, where null is unknown. */
type Truth = boolean | null;

const opposite = (value: Truth): Truth => (value === null ? null : !value);
const allOf = (values: readonly Truth[]): Truth => (values.includes(false) ? false : values.includes(null) ? null : true);

/** Evaluates a condition on a row as SQL does. */
function evaluate(condition: Condition, row: Row): Truth {
  return match(VALUES, condition, row);
}

function undrawn(): never {
  throw new Error('The test draws no such condition.');
}

const isOfParent = ({ condition }: OneCondition, { parent }: Row): Truth => (parent === null ? false : evaluate(condition, parent as Row));

const VALUES: Table<Condition, [Row], Truth> = {
  always: () => true,
  never: () => false,
  and: ({ conditions }, row) => allOf(conditions.map((one) => evaluate(one, row))),
  or: ({ conditions }, row) => opposite(allOf(conditions.map((one) => opposite(evaluate(one, row))))),
  not: ({ condition }, row) => opposite(evaluate(condition, row)),
  is: isOfParent,
  isNot: (node, row) => opposite(isOfParent(node, row)),
  some: ({ condition }, row) => (row['children'] as readonly Row[]).some((child) => evaluate(condition, child) === true),
  compare: (node, row) => compareValues(node.operator, row[node.field.name] ?? null, node),
  json: ({ field, operand }, row) => compareJson(row[field.name] ?? null, operand),
  key: undrawn,
  list: undrawn,
  every: undrawn,
  none: undrawn,
};

function compareValues(operator: string, value: unknown, { operand, isNegated }: Pick<Comparison, 'operand' | 'isNegated'>): Truth {
  // Prisma prints comparisons with null as IS NULL, and with an empty list as a constant.
  const isDecided = operand === null || (Array.isArray(operand) && operand.length === 0);
  if (value === null && !isDecided) return null;
  const list = operand as readonly unknown[];
  const isMet = {
    equals: value === operand,
    in: operator === 'in' && list.includes(value),
    notIn: operator === 'notIn' && !list.includes(value),
  };
  return isMet[operator as keyof typeof isMet] !== isNegated;
}

/** `note` is one of the texts `json null` and `x`, or the null of the database. */
function compareJson(value: unknown, operand: unknown): Truth {
  const name = prismaNullName(operand);
  if (name === 'DbNull') return value === null;
  if (name === 'AnyNull') return value === null || value === 'json null';
  return value === null ? null : value === (name === 'JsonNull' ? 'json null' : operand);
}

const LEAVES: readonly object[] = [
  { id: 1 },
  { name: { in: ['a', 'b'] } },
  { size: 1 },
  { size: { not: 1 } },
  { size: null },
  { size: { not: null } },
  { size: { in: [1, 2] } },
  { size: { notIn: [1] } },
  { size: { in: [] } },
  { size: { notIn: [] } },
  { note: { equals: 'x' } },
  { note: { equals: Prisma.DbNull } },
  { note: { equals: Prisma.AnyNull } },
  { note: { equals: Prisma.JsonNull } },
  { data: { equals: 'x' } },
  { parent: null },
  { parentId: 1 },
  { children: { some: { size: 1 } } },
  { OR: [] },
];

const wheres = fc.letrec<{ where: object }>((tie) => ({
  where: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.constantFrom(...LEAVES),
    fc.array(tie('where'), { minLength: 1, maxLength: 3 }).map((AND) => ({ AND })),
    fc.array(tie('where'), { minLength: 1, maxLength: 3 }).map((OR) => ({ OR })),
    tie('where').map((NOT) => ({ NOT })),
    tie('where').map((is) => ({ parent: { is } })),
    tie('where').map((isNot) => ({ parent: { isNot } })),
  ),
})).where;

const values = {
  id: fc.constantFrom(1, 2),
  name: fc.constantFrom('a', 'c'),
  size: fc.constantFrom(null, 1, 2),
  note: fc.constantFrom(null, 'json null', 'x'),
  data: fc.constantFrom('x', 'json null'),
};
const child = fc.record(values);
const rows: fc.Arbitrary<Row> = fc
  .letrec<{ row: Row }>((tie) => ({
    row: fc.record({
      ...values,
      children: fc.array(child, { maxLength: 2 }),
      parent: fc.option(tie('row'), { maxDepth: 3 }),
    }),
  }))
  .row.map(withKeys);

/** A row has a foreign key where it has a parent. */
function withKeys(row: Row): Row {
  const parent = row['parent'] === null ? null : withKeys(row['parent'] as Row);
  return { ...row, parent, parentId: parent?.['id'] ?? null };
}

/** As `prisma.node.fields.id` is. */
class Reference {
  readonly modelName = 'Node';
  readonly name = 'id';
  readonly typeName = 'Int';
}

describe('nullSafe', () => {
  it('returns a condition that is never null, and true for the same rows', () => {
    fc.assert(
      fc.property(wheres, rows, (where, row) => {
        const condition = read(where);
        expect(evaluate(nullSafe(condition), row)).toBe(evaluate(condition, row) === true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('returns one that is true where the condition is null, below a negation', () => {
    fc.assert(
      fc.property(wheres, rows, (where, row) => {
        const condition = read(where);
        expect(evaluate(nullSafe(condition, true), row)).toBe(evaluate(condition, row) !== false);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, object]>([
    ['columns that cannot be null', { name: 'a', data: { equals: 'x' } }],
    ['nulls', { AND: [{ size: null }, { note: { equals: Prisma.DbNull } }, { note: { equals: Prisma.AnyNull } }] }],
    ['nothing', { size: { in: [] } }],
  ])('adds nothing to comparisons with %s', (_, where) => {
    const condition = read(where);
    expect(nullSafe(condition)).toEqual(condition);
  });

  it.each<[string, object]>([
    ['a list', { words: { has: 'a' } }],
    ['a part of Json', { data: { path: ['a'], equals: 1 } }],
    ['another column', { size: { equals: new Reference() } }],
    ['a list deep inside', { NOT: { parent: { OR: [{ id: 1 }, { words: { has: 'a' } }] } } }],
  ])('refuses a comparison with %s', (_, where) => {
    expect(() => nullSafe(read(where))).toThrow('This relation cannot be used to filter.');
  });
});
