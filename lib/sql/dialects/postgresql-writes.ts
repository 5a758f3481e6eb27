import type { LaidRows } from '../lay-out.js';
import type { Column, Guard, WriteRow } from '../tree.js';
import { type Printed, Printer, quote } from './postgresql.js';
import { jsonList, SENT } from './sent-row.js';

/**
 * A write of one row as PostgreSQL spells it: one statement, and so a transaction of its own. What it returns is a JSON list, as of reads. A guard
 * that does not hold divides by zero, and so undoes the write.
 */
export function printWrite(write: WriteRow, { tag, sent, columns }: LaidRows, schema: string): Printed {
  const printer = new Printer(schema);
  const head = HEADS[write.kind](write, printer);
  const values = sent.map(([column, form]) => SENT[form](printer.expression(columns[column] ?? { kind: 'constant', value: false })));
  const holds = write.guards.map((guard) => holdsOf(guard, printer));
  const guarded = holds.length > 0 ? `${tag} / (CASE WHEN ${holds.join(' AND ')} THEN 1 ELSE 0 END)` : String(tag);
  return { text: `${head} RETURNING ${jsonList([guarded, ...values])}::text AS "r"`, slots: printer.slots };
}

const HEADS: Readonly<Record<WriteRow['kind'], (write: WriteRow, printer: Printer) => string>> = {
  insert: ({ table, assignments }, printer) => {
    const into = `INSERT INTO ${printer.table(table)}`;
    if (assignments.length === 0) return `${into} DEFAULT VALUES`;
    const columns = assignments.map(({ column }) => quote(column));
    const values = assignments.map(({ value }) => printer.expression(value));
    return `${into} (${columns.join(', ')}) VALUES (${values.join(', ')})`;
  },
  update: ({ table, assignments, where }, printer) => {
    const set = assignments.map(({ column, value }) => `${quote(column)} = ${printer.expression(value)}`);
    return `UPDATE ${printer.table(table)} SET ${set.join(', ')}${whereOf(where, printer)}`;
  },
  delete: ({ table, where }, printer) => `DELETE FROM ${printer.table(table)}${whereOf(where, printer)}`,
};

function whereOf(conditions: WriteRow['where'], printer: Printer): string {
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
