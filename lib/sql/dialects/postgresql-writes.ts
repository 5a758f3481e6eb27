import type { LaidRows } from '../lay-out.js';
import type { Column, Expression, Guard, WriteRows } from '../tree.js';
import { type Printed, Printer, quote } from './postgresql.js';
import { jsonList, SENT } from './sent-row.js';

/**
 * A write as PostgreSQL spells it: one statement, and so a transaction of its own. The row that it answers is a JSON list, as of reads. A guard that
 * does not hold divides by zero, and so undoes the write; where no row is written, none is asked.
 *
 * @param answered the row that it answers; undefined where the rows are counted alone
 */
export function printWrite(write: WriteRows, answered: LaidRows | undefined, schema: string): Printed {
  const printer = new Printer(schema);
  const head = HEADS[write.command](write, printer);
  const guards = write.guards.map((guard) => holdsOf(guard, printer));
  const returned = answered ? rowOf(answered, guards, printer) : guards.length > 0 ? guarded(1, guards) : undefined;
  return { text: returned === undefined ? head : `${head} RETURNING ${returned}`, slots: printer.slots };
}

function rowOf({ tag, sent, columns }: LaidRows, guards: readonly string[], printer: Printer): string {
  const values = sent.map(([column, form]) => SENT[form](printer.expression(columns[column] ?? { kind: 'constant', value: false })));
  return `${jsonList([guarded(tag, guards), ...values])}::text AS "r"`;
}

function guarded(value: number, guards: readonly string[]): string {
  return guards.length > 0 ? `${value} / (CASE WHEN ${guards.join(' AND ')} THEN 1 ELSE 0 END)` : String(value);
}

const HEADS: Readonly<Record<WriteRows['command'], (write: WriteRows, printer: Printer) => string>> = {
  INSERT: ({ table, columns, values, skipsDuplicates }, printer) => {
    const into = `INSERT INTO ${printer.table(table)}`;
    const end = skipsDuplicates ? ' ON CONFLICT DO NOTHING' : '';
    if (columns.length === 0) return `${into} DEFAULT VALUES${end}`;
    const rows = values.map((row) => `(${row.map((value) => valueOf(value, printer)).join(', ')})`);
    return `${into} (${columns.map(quote).join(', ')}) VALUES ${rows.join(', ')}${end}`;
  },
  UPDATE: ({ table, columns, values: [row = []], where }, printer) => {
    const set = columns.map((column, index) => `${quote(column)} = ${valueOf(row[index], printer)}`);
    return `UPDATE ${printer.table(table)} SET ${set.join(', ')}${whereOf(where, printer)}`;
  },
  DELETE: ({ table, where }, printer) => `DELETE FROM ${printer.table(table)}${whereOf(where, printer)}`,
};

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
