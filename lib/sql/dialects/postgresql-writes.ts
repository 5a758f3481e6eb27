import type { RowLayout } from '../row-layout.js';
import type { Column, Expression, TableSource } from '../tree.js';
import type { Conflict, Guard, Held, JoinedRows, NestedUpdate, NestedWrite, NestedWrites, Total, WriteRows } from '../write-tree.js';
import { type Printed, Printer, quote } from './postgresql.js';
import { jsonList, SENT } from './sent-row.js';

/**
 * Prints a write as one PostgreSQL statement, which is atomic. Each row that it returns is a JSON list, as in reads.
 *
 * A guard that is false divides by zero, which undoes the write. Guards are not evaluated if no row is written.
 *
 * @param answered the layout of the returned rows; undefined if the statement only counts rows
 */
export function printWrite(write: WriteRows, answered: RowLayout | undefined, schema: string): Printed {
  const printer = new Printer(schema);
  const guards = write.guards.map((guard) => holdsOf(guard, printer));
  const returned = answered
    ? [rowOf(answered, guards, printer), ...lookOf(write, printer), ...printReturnedKeys(write, printer)].join(', ')
    : guards.length > 0
      ? guarded(1, guards)
      : undefined;
  const text = HEADS[write.command](write, returned, printer);
  return { text: inWhole(text, write, printer), slots: printer.slots };
}

/** Prints a statement that divides by zero unless all conditions are true. */
export function printCheck(conditions: readonly Expression[], schema: string): Printed {
  const printer = new Printer(schema);
  const held = conditions.map((condition) => printer.expression(condition));
  return { text: `SELECT ${guarded(1, held)}`, slots: printer.slots };
}

function inWhole(text: string, write: WriteRows, printer: Printer): string {
  const { nested, required, total } = write;
  if (nested) return withNested(text, write, nested, printer);
  if (required === 'one') return inOne(text, write, printer);
  return total || required ? inTotal(text, write) : text;
}

/**
 * Prints a write of one row with its writes to other tables, as `WITH` queries of one statement.
 *
 * It fails if one of the tables has triggers, because they would see fewer of the written rows than between the statements of Prisma. It also fails
 * if the row does not exist.
 */
function withNested(text: string, { command, table }: WriteRows, { writes }: NestedWrites, printer: Printer): string {
  const queries = writes.map((write, index) => `"c${index}" AS (${nestedOf(write, printer)})`);
  const written = [...(command === 'SELECT' ? [] : [table]), ...writes.map((write) => write.table)];
  const found = writes.flatMap((write) => foundOf(write, printer));
  const linked = writes.flatMap((write, index) => (linksRows(write) ? [allOf(write, `"c${index}"`, printer)] : []));
  const held = guarded(1, [ordinary(written, printer), `(SELECT count(*) = 1 FROM "w")`, ...found, ...linked]);
  return `WITH ${[`"w" AS (${text})`, ...queries].join(', ')} SELECT "r" FROM "w" WHERE ${held} = 1`;
}

/** Prints the condition that tables are ordinary: no views, no triggers or rules, and no child tables, because these may have triggers. */
function ordinary(written: readonly TableSource[], printer: Printer): string {
  const tables = [...new Set(written.map((table) => `${literal(printer.name(table))}::regclass`))];
  const triggered = 'EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal)';
  const others = `relkind <> 'r' OR relhassubclass OR relhasrules OR ${triggered}`;
  return `NOT EXISTS (SELECT 1 FROM pg_catalog.pg_class AS c WHERE c.oid IN (${tables.join(', ')}) AND (${others}))`;
}

/** Prints the condition that all rows to link exist. Because it counts them, two keys of the same row fail. */
function foundOf(write: NestedWrite, printer: Printer): readonly string[] {
  if (write.kind === 'insert' || write.wanted === undefined) return [];
  const from = printer.table(write.kind === 'update' ? write.table : write.from);
  return [`(SELECT count(*) FROM ${from} WHERE ${printer.expression(write.met)}) = ${write.wanted}`];
}

/** Whether a nested write links existing rows. Another transaction may delete them during the statement. */
function linksRows(write: NestedWrite): write is NestedUpdate {
  return write.kind === 'update' && write.of !== 'held';
}

/** Prints the condition that the statement has updated all rows that it should link. */
function allOf(write: NestedUpdate, linked: string, printer: Printer): string {
  const wanted = `SELECT count(*) FROM ${printer.table(write.table)} WHERE ${changedRows(write, printer)}`;
  return `(SELECT count(*) FROM ${linked}) = (${wanted})`;
}

/** Prints a write to another table. It writes nothing if the row of the main write does not exist. */
function nestedOf(write: NestedWrite, printer: Printer): string {
  switch (write.kind) {
    case 'insert':
      return insertOf(write, printer);
    case 'update':
      return updateOf(write, printer);
    case 'link':
      return linkOf(write, printer);
    case 'cut':
      return cutOf(write, printer);
  }
}

function updateOf(write: NestedUpdate, printer: Printer): string {
  const update = `UPDATE ${printer.table(write.table)} SET ${setOf(write, printer)} WHERE ${changedRows(write, printer)}`;
  return linksRows(write) ? `${update} RETURNING 1` : update;
}

/** Prints the condition on the rows that a nested update changes. If the row of the main write does not exist, no row references it. */
function changedRows({ table, held, of, met, isOther }: NestedUpdate, printer: Printer): string {
  const rows = isOther ? `(${printer.expression(met)}) IS NOT TRUE` : printer.expression(met);
  const holds = held.map((one) => heldBy(one, table, printer)).join(' AND ');
  switch (of) {
    case 'held':
      return `${holds} AND ${rows}`;
    case 'others':
      return `${THERE} AND (${holds}) IS NOT TRUE AND ${rows}`;
    case 'all':
      return `${THERE} AND ${rows}`;
  }
}

function linkOf({ table, own, other: [column, key], from, met }: JoinedRows, printer: Printer): string {
  const pairs = `SELECT ${printer.expression(own.value)}, ${printer.expression(key)} FROM ${printer.table(from)}`;
  const conditions = `${printer.expression(met)} AND ${THERE}`;
  return `INSERT INTO ${printer.table(table)} (${quote(own.column)}, ${quote(column)}) ${pairs} WHERE ${conditions} ON CONFLICT DO NOTHING`;
}

function cutOf({ table, own, other: [column, key], from, met, isOther }: JoinedRows, printer: Printer): string {
  const rows = `SELECT ${printer.expression(key)} FROM ${printer.table(from)} WHERE ${printer.expression(met)}`;
  const pair = `${table.alias}.${quote(column)}${isOther ? ' NOT' : ''} IN (${rows})`;
  return `DELETE FROM ${printer.table(table)} WHERE ${heldBy(own, table, printer)} AND ${pair}`;
}

const THERE = 'EXISTS (SELECT 1 FROM "w")';

function heldBy({ column, value }: Held, { alias }: TableSource, printer: Printer): string {
  return `${alias}.${quote(column)} = ${printer.expression(value)}`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Prints a write that returns one row, or null for none. If it writes none, the table must be ordinary. Otherwise the statement fails, because Prisma
 * would roll back everything that triggers and rules have done.
 */
function inOne(text: string, { command, conflict, found, table }: WriteRows, printer: Printer): string {
  const columns = found ? 'max("r") AS "r", max("f") AS "f"' : 'max("r") AS "r"';
  const isAlways = command === 'INSERT' && !conflict;
  const none = isAlways ? '' : ` OR (count(*) = 0 AND ${ordinary([table], printer)})`;
  return `WITH "w" AS (${text}) SELECT ${columns} FROM "w" HAVING ${guarded(1, [`(count(*) = 1${none})`])} = 1`;
}

/** Prints a write in a `WITH` query, so that PostgreSQL executes all of it, regardless of which rows are read. */
function inTotal(text: string, { required, total }: WriteRows): string {
  const limits = [...(required ? ['count(*) > 0'] : []), ...(total ? limitsOf(total) : [])];
  const held = limits.length > 0 ? ` WHERE ${guarded(1, [`(SELECT ${limits.join(' AND ')} FROM "w")`])} = 1` : '';
  return `WITH "w" AS (${text}) SELECT ${total ? '"r"' : '1'} FROM "w"${held}`;
}

function limitsOf({ rows, bytes, bytesPerRow }: Total): readonly string[] {
  return [
    ...(rows === undefined ? [] : [`count(*) <= ${rows}`]),
    ...(bytes === undefined ? [] : [`COALESCE(sum(octet_length("r") + ${bytesPerRow}), 0) <= ${bytes}`]),
  ];
}

function rowOf({ tag, sent, columns }: RowLayout, guards: readonly string[], printer: Printer): string {
  const values = sent.map(([column, form]) => SENT[form](printer.expression(columns[column] ?? { kind: 'constant', value: false })));
  return `${jsonList([guarded(tag, guards), ...values])}::text AS "r"`;
}

function printReturnedKeys({ nested }: WriteRows, printer: Printer): readonly string[] {
  return nested ? nested.returned.map((column, index) => `${printer.expression(column)} AS "k${index}"`) : [];
}

function lookOf({ found }: WriteRows, printer: Printer): readonly string[] {
  return found ? [`(${printer.expression(found)})::text AS "f"`] : [];
}

function guarded(value: number, guards: readonly string[]): string {
  return guards.length > 0 ? `${value} / (CASE WHEN ${guards.join(' AND ')} THEN 1 ELSE 0 END)` : String(value);
}

type Head = (write: WriteRows, returned: string | undefined, printer: Printer) => string;

const HEADS: Readonly<Record<WriteRows['command'], Head>> = {
  INSERT: ({ skipsDuplicates, conflict, ...insert }, returned, printer) => {
    const into = insertOf(insert, printer);
    if (conflict) return returning(`${into} ON CONFLICT ${updateInstead(conflict, printer)}`, returned);
    return returning(skipsDuplicates ? `${into} ON CONFLICT DO NOTHING` : into, returned);
  },
  UPDATE: ({ table, columns, values: [row = []], where }, returned, printer) => {
    return returning(`UPDATE ${printer.table(table)} SET ${setOf({ columns, values: row }, printer)}${whereOf(where, printer)}`, returned);
  },
  DELETE: ({ table, where }, returned, printer) => returning(`DELETE FROM ${printer.table(table)}${whereOf(where, printer)}`, returned),
  SELECT: ({ table, where }, returned = '1', printer) => `SELECT ${returned} FROM ${printer.table(table)}${whereOf(where, printer)}`,
};

/**
 * Prints the `DO UPDATE` of an upsert with the condition on its key. The key of the conflicting row may differ from the given one, which the type of
 * the column may have rounded.
 */
function updateInstead({ key, where, ...change }: Conflict, printer: Printer): string {
  return `(${key.map(quote).join(', ')}) DO UPDATE SET ${setOf(change, printer)}${whereOf(where, printer)}`;
}

function returning(text: string, returned: string | undefined): string {
  return returned === undefined ? text : `${text} RETURNING ${returned}`;
}

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
    case 'ordinary':
      return ordinary([guard.table], printer);
    case 'short':
      return `${guard.columns.map((column) => `COALESCE(octet_length(${text(column)}), 0)`).join(' + ')} <= ${guard.maxBytes}`;
    case 'dated': {
      const column = printer.expression(guard.column);
      return `(${column} IS NULL OR (${column} >= '0001-01-01' AND ${column} <= '9999-12-31'))`;
    }
    case 'filled':
      return filled(guard, printer);
    case 'known': {
      const values = guard.values.map(literal).join(', ');
      const isKnown = guard.isList ? `${text(guard.column)}[] <@ ARRAY[${values}]` : `${text(guard.column)} IN (${values})`;
      return `(${isKnown}) IS NOT FALSE`;
    }
    case 'plain':
      return `(${text(guard.column)} !~ '__proto__|\\\\u00') IS NOT FALSE`;
  }
}

/** Prints that a list has neither NULL nor the JSON value null, which is a text. `json` keeps the spaces around that text, `jsonb` does not. */
function filled({ column, isJson }: Extract<Guard, { readonly kind: 'filled' }>, printer: Printer): string {
  const elements = `${printer.expression(column)}::${isJson ? 'jsonb[]::' : ''}text[]`;
  return (isJson ? ['NULL', "'null'"] : ['NULL']).map((element) => `array_position(${elements}, ${element}) IS NULL`).join(' AND ');
}
