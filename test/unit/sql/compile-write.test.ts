import { describe, expect, it } from '@jest/globals';
import { fieldNamed, selectFields } from '../../../lib/query/fields.js';
import { uniqueCondition } from '../../../lib/query/key.js';
import type { Upsert } from '../../../lib/query/write.js';
import type { Assignment } from '../../../lib/sql/assignments.js';
import type { FlatWrite } from '../../../lib/sql/flat-write.js';
import { PlanCompiler } from '../../../lib/sql/plan-compiler.js';
import { modelOf } from '../rpc/model-of.js';

const { storage } = modelOf(`
model Visit {
  id   Int      @id @default(autoincrement())
  at   DateTime @default(now())
  note String?
  remarks Remark[]
}

model Remark {
  id      Int     @id @default(autoincrement())
  text    String?
  visit   Visit   @relation(fields: [visitId], references: [id])
  visitId Int
}
`).model;

const [model] = storage.byModel.values();
if (!model) throw new Error('There is a model.');

describe('a write of records without values', () => {
  const textOf = (count: number): string => {
    const write: FlatWrite = {
      query: { kind: 'create-many', model, records: [] },
      records: Array.from({ length: count }, () => []),
      referred: [],
    };
    return new PlanCompiler(storage, 'public').compileWrite(write, undefined).text;
  };

  it('inserts the defaults of one', () => {
    expect(textOf(1)).toBe('INSERT INTO "public"."Visit" AS t0 DEFAULT VALUES');
  });

  it('is left to Prisma where there are several, because SQL has no list of defaults', () => {
    expect(() => textOf(2)).toThrow('several records of defaults alone');
  });
});

describe('a write that returns any number of rows', () => {
  const selection = selectFields(model, ['id']);
  const textOf = (most?: number, bytes?: number): string => {
    const write: FlatWrite = {
      query: { kind: 'create-many', model, records: [], selection },
      records: [[]],
      referred: [],
      ...(most !== undefined && { maxRows: most }),
    };
    return new PlanCompiler(storage, 'public').compileWrite(write, bytes).text;
  };
  const WRITE =
    'WITH "w" AS (INSERT INTO "public"."Visit" AS t0 DEFAULT VALUES RETURNING json_build_array(0, t0."id")::text AS "r") SELECT "r" FROM "w"';

  it('returns all of them without a limit', () => {
    expect(textOf()).toBe(WRITE);
  });

  it.each([
    [3, undefined, 'count(*) <= 3'],
    [undefined, 5_000, 'COALESCE(sum(octet_length("r") + 10), 0) <= 5000'],
    [3, 5_000, 'count(*) <= 3 AND COALESCE(sum(octet_length("r") + 10), 0) <= 5000'],
  ])('fails as a whole where they exceed %s rows, or %s bytes', (most, bytes, limits) => {
    expect(textOf(most, bytes)).toBe(`${WRITE} WHERE 1 / (CASE WHEN (SELECT ${limits} FROM "w") THEN 1 ELSE 0 END) = 1`);
  });
});

const assigned = (name: string, value: unknown, operation: 'set' | 'increment' = 'set'): Assignment => ({
  field: fieldNamed(model, name),
  operation,
  value,
});

describe('records that write different fields', () => {
  it('set a field that a record lacks to its default, or to NULL, as Prisma does', () => {
    const at = new Date('2026-01-01');
    const write: FlatWrite = {
      query: { kind: 'create-many', model, records: [] },
      records: [[assigned('note', 'a')], [assigned('id', 7), assigned('at', at)]],
      referred: [],
    };
    const { text, values } = new PlanCompiler(storage, 'public').compileWrite(write, undefined);
    expect(text).toBe('INSERT INTO "public"."Visit" AS t0 ("note", "id", "at") VALUES ($1, DEFAULT, DEFAULT), (NULL, $2, $3)');
    expect(values).toEqual(['a', '7', '2026-01-01 00:00:00.000']);
  });
});

describe('a create with rows of another table', () => {
  const [, child] = storage.byModel.values();
  if (!child) throw new Error('There are two models.');
  const link: Assignment = { field: fieldNamed(child, 'visitId'), operation: 'link', value: fieldNamed(model, 'id') };
  const write: FlatWrite = {
    query: {
      kind: 'create',
      model,
      record: { kind: 'record', model, action: 'create', fields: [], relations: [], at: [] },
      selection: selectFields(model, ['note']),
    },
    records: [[assigned('note', 'a')]],
    referred: [],
    children: [{ model: child, records: [[{ field: fieldNamed(child, 'text'), operation: 'set', value: 'b' }, link], [link]] }],
  };

  it('sets their foreign keys to the new key, where the tables have no triggers', () => {
    const { text, values } = new PlanCompiler(storage, 'public').compileWrite(write, undefined);
    const [row, key] = ['json_build_array(0, t0."note")::text AS "r"', '(SELECT "k0" FROM "w")'];
    const tables = `c.oid IN ('"public"."Visit"'::regclass, '"public"."Remark"'::regclass)`;
    const triggered = 'EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal)';
    expect(text).toBe(
      [
        `WITH "w" AS (INSERT INTO "public"."Visit" AS t0 ("note") VALUES ($1) RETURNING ${row}, t0."id" AS "k0"),`,
        `"c0" AS (INSERT INTO "public"."Remark" AS t1 ("text", "visitId") VALUES ($2, ${key}), (NULL, ${key}))`,
        `SELECT "r" FROM "w" WHERE 1 / (CASE WHEN NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class AS c WHERE ${tables}`,
        `AND (relkind <> 'r' OR relhassubclass OR relhasrules OR ${triggered}))`,
        `AND (SELECT count(*) = 1 FROM "w") THEN 1 ELSE 0 END) = 1`,
      ].join(' '),
    );
    expect(values).toEqual(['a', 'b']);
  });
});

describe('an upsert', () => {
  const record = { kind: 'record', model, action: 'create', fields: [], relations: [], at: [] } as const;
  const where = uniqueCondition(model, { name: 'id', fields: [{ name: 'id' }] }, { id: 7 });
  const upsert: Upsert = { kind: 'upsert', model, where, create: record, update: record, selection: selectFields(model, ['note']) };
  const write: FlatWrite = {
    query: upsert,
    records: [[assigned('id', 7)], [assigned('id', 1, 'increment'), assigned('note', null)]],
    referred: [],
  };
  const INSERT =
    'INSERT INTO "public"."Visit" AS t0 ("id") VALUES ($1) ON CONFLICT ("id") DO UPDATE SET "id" = t0."id" + $2, "note" = NULL WHERE t0."id" = $3 RETURNING json_build_array(0, t0."note")::text AS "r"';
  /** Whether the table has no partitions, rules or triggers, by which an INSERT may return no row. */
  const ORDINARY =
    `NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class AS c WHERE c.oid IN ('"public"."Visit"'::regclass) AND (relkind <> 'r' OR relhassubclass ` +
    `OR relhasrules OR EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal)))`;
  const ONE = `HAVING 1 / (CASE WHEN (count(*) = 1 OR (count(*) = 0 AND ${ORDINARY})) THEN 1 ELSE 0 END) = 1`;

  it('is an INSERT with ON CONFLICT, without a query of the row', () => {
    const { text, values } = new PlanCompiler(storage, 'public').compileWrite(write, undefined);
    expect([text, values]).toEqual([`WITH "w" AS (${INSERT}) SELECT max("r") AS "r" FROM "w" ${ONE}`, ['7', '1', '7']]);
  });

  it('returns whether the row existed, where its plan has a query of the row', () => {
    const look = { query: { kind: 'find-unique', model, where, selection: upsert.selection, isRequired: false } } as const;
    const { text, values } = new PlanCompiler(storage, 'public').compileWrite({ ...write, look }, undefined);
    const written = INSERT.replaceAll(/\$\d/g, (slot) => ({ $1: '$2', $2: '$3' })[slot] ?? '$1');
    const found = '(EXISTS (SELECT 1 FROM "public"."Visit" AS t1 WHERE t1."id" = $1))::text AS "f"';
    expect([text, values]).toEqual([
      `WITH "w" AS (${written}, ${found}) SELECT max("r") AS "r", max("f") AS "f" FROM "w" ${ONE}`,
      ['7', '7', '1'],
    ]);
  });
});
