import type { LaidRows } from '../lay-out.js';
import type { ChildInserts, Column, Conflict, Expression, Guard, Table, Total, WriteRows } from '../tree.js';
import { type Printed, Printer, quote } from './postgresql.js';
import { jsonList, SENT } from './sent-row.js';

/**
 * A write as PostgreSQL spells it: one statement, and so a transaction of its own. The row that it answers is a JSON list, as of reads. A guard that
 * does not hold divides by zero, and so undoes the write; where no row is written, none is asked.
 *
 * @param answered the rows that it answers; undefined where they are counted alone
 */
export function printWrite(write: WriteRows, answered: LaidRows | undefined, schema: string): Printed {
  const printer = new Printer(schema);
  const head = HEADS[write.command](write, printer);
  const guards = write.guards.map((guard) => holdsOf(guard, printer));
  const returned = answered
    ? [rowOf(answered, guards, printer), ...foundOf(write, printer), ...keysOf(write, printer)].join(', ')
    : guards.length > 0
      ? guarded(1, guards)
      : undefined;
  const text = returned === undefined ? head : `${head} RETURNING ${returned}`;
  return { text: inWhole(text, write, printer), slots: printer.slots };
}

function inWhole(text: string, { total, children, table }: WriteRows, printer: Printer): string {
  if (children) return withChildren(text, children, { table, printer });
  return total ? inTotal(text, total) : text;
}

/**
 * A row, and others that hold its key. Triggers would see less of them than they do between the statements of Prisma, and change what the row is by then.
 * There may be none, which is asked before anything is inserted.
 */
function withChildren(
  write: string,
  { inserts }: ChildInserts,
  { table, printer }: { readonly table: Table; readonly printer: Printer },
): string {
  const queries = inserts.map((insert, index) => `"c${index}" AS (${insertOf(insert, printer)})`);
  const tables = [table, ...inserts.map((insert) => insert.table)].map((one) => `${literal(printer.name(one))}::regclass`);
  const triggers = `SELECT 1 FROM pg_catalog.pg_trigger WHERE NOT tgisinternal AND tgrelid IN (${tables.join(', ')})`;
  const held = guarded(1, [`NOT EXISTS (${triggers})`, `(SELECT count(*) = 1 FROM "w")`]);
  return `WITH ${[`"w" AS (${write})`, ...queries].join(', ')} SELECT "r" FROM "w" WHERE ${held} = 1`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The rows of a write, once all of them are there: it is done as a whole, whatever is read of it. */
function inTotal(write: string, { rows, bytes, bytesPerRow }: Total): string {
  const limits = [
    ...(rows === undefined ? [] : [`count(*) <= ${rows}`]),
    ...(bytes === undefined ? [] : [`COALESCE(sum(octet_length("r") + ${bytesPerRow}), 0) <= ${bytes}`]),
  ];
  const held = limits.length > 0 ? ` WHERE ${guarded(1, [`(SELECT ${limits.join(' AND ')} FROM "w")`])} = 1` : '';
  return `WITH "w" AS (${write}) SELECT "r" FROM "w"${held}`;
}

function rowOf({ tag, sent, columns }: LaidRows, guards: readonly string[], printer: Printer): string {
  const values = sent.map(([column, form]) => SENT[form](printer.expression(columns[column] ?? { kind: 'constant', value: false })));
  return `${jsonList([guarded(tag, guards), ...values])}::text AS "r"`;
}

function keysOf({ children }: WriteRows, printer: Printer): readonly string[] {
  return children ? children.returned.map((column, index) => `${printer.expression(column)} AS "k${index}"`) : [];
}

function foundOf({ found }: WriteRows, printer: Printer): readonly string[] {
  return found ? [`(${printer.expression(found)})::text AS "f"`] : [];
}

function guarded(value: number, guards: readonly string[]): string {
  return guards.length > 0 ? `${value} / (CASE WHEN ${guards.join(' AND ')} THEN 1 ELSE 0 END)` : String(value);
}

const HEADS: Readonly<Record<WriteRows['command'], (write: WriteRows, printer: Printer) => string>> = {
  INSERT: ({ skipsDuplicates, conflict, ...insert }, printer) => {
    const into = insertOf(insert, printer);
    if (conflict) return `${into} ON CONFLICT (${conflict.key.map(quote).join(', ')}) DO UPDATE SET ${setOf(conflict, printer)}`;
    return skipsDuplicates ? `${into} ON CONFLICT DO NOTHING` : into;
  },
  UPDATE: ({ table, columns, values: [row = []], where }, printer) => {
    return `UPDATE ${printer.table(table)} SET ${setOf({ columns, values: row }, printer)}${whereOf(where, printer)}`;
  },
  DELETE: ({ table, where }, printer) => `DELETE FROM ${printer.table(table)}${whereOf(where, printer)}`,
};

function insertOf({ table, columns, values }: Pick<WriteRows, 'table' | 'columns' | 'values'>, printer: Printer): string {
  const into = `INSERT INTO ${printer.table(table)}`;
  if (columns.length === 0) return `${into} DEFAULT VALUES`;
  const rows = values.map((row) => `(${row.map((value) => valueOf(value, printer)).join(', ')})`);
  return `${into} (${columns.map(quote).join(', ')}) VALUES ${rows.join(', ')}`;
}

function setOf({ columns, values }: Pick<Conflict, 'columns' | 'values'>, printer: Printer): string {
  return columns.map((column, index) => `${quote(column)} = ${valueOf(values[index], printer)}`).join(', ');
}

function valueOf(value: Expression | undefined, printer: Printer): string {
  return value ? printer.expression(value) : 'DEFAULT';
}

function whereOf(conditions: WriteRows['where'], printer: Printer): string {
  if (conditions.length === 0) return '';
  return ` WHERE ${conditions.map((condition) => printer.expression(condition)).join(' AND ')}`;
}

function holdsOf(guard: Guard, printer: Printer): string {
  const text = (column: Column): string => `${printer.expression(column)}::text`;
  switch (guard.kind) {
    case 'met':
      return printer.expression(guard.condition);
    case 'short':
      return `${guard.columns.map((column) => `COALESCE(octet_length(${text(column)}), 0)`).join(' + ')} <= ${guard.most}`;
    case 'dated': {
      const column = printer.expression(guard.column);
      return `(${column} IS NULL OR (${column} >= '0001-01-01' AND ${column} <= '9999-12-31'))`;
    }
    case 'plain':
      return `(${text(guard.column)} !~ '__proto__|\\\\u00') IS NOT FALSE`;
  }
}
