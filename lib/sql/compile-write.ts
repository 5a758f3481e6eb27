import type { StoredField } from '../model/storage/storage.js';
import type { Selection } from '../query/selection.js';
import { isAnswered } from '../query/write.js';
import { said } from './compile-read.js';
import { decline } from './declined.js';
import { type Assignment, COMMANDS, type FlatQuery, type FlatWrite, type ReferredRow } from './flat-write.js';
import { type Encode, encodeJson, listEncoder, scalarEncoder } from './parameter.js';
import { Scope, type Statement, typeOf } from './scope.js';
import { membersOf } from './selection.js';
import { call, type Expression, type Guard, type Rows, type WriteRows } from './tree.js';
import { uniqueWhere, where } from './where.js';

/** A write, and what is read of the row that it returns, if it returns one. */
export interface CompiledWrite {
  readonly write: WriteRows;
  readonly rows: Rows | undefined;
}

/**
 * The first of three steps of a write: a tree.
 *
 * @param most how many bytes the values of a row that it answers may have; undefined without a limit
 * @throws Declined for what Prisma does in another way
 */
export function compileWrite(statement: Statement, flat: FlatWrite, most: number | undefined): CompiledWrite {
  const { query } = flat;
  const scope = new Scope(statement, query.model);
  const answered = isAnswered(query) ? answeredRow(scope, query.selection, most) : NOT_ANSWERED;
  const write = {
    command: COMMANDS[query.kind],
    table: scope.table,
    ...valuesOf(scope, flat),
    where: conditionsOf(scope, query),
    guards: [...flat.referred.map((row) => thereIs(statement, row)), ...answered.guards],
    ...('skipDuplicates' in query && query.skipDuplicates && { skipsDuplicates: true }),
  };
  if (scope.joins.length > 0) decline('a condition on other rows');
  return { write, rows: answered.rows };
}

interface AnsweredRow {
  readonly guards: readonly Guard[];
  readonly rows: Rows | undefined;
}

const NOT_ANSWERED: AnsweredRow = { guards: [], rows: undefined };

function answeredRow(scope: Scope, selection: Selection, most: number | undefined): AnsweredRow {
  const members = membersOf(scope, selection, undefined);
  const fields = selection.members.map(fieldOf);
  return {
    guards: [...shortRow(scope, fields, most), ...fields.flatMap((field) => readable(scope, field))],
    rows: { select: { from: scope.table, joins: [], where: [], order: [] }, members, isReversed: false },
  };
}

function conditionsOf(scope: Scope, query: FlatQuery): readonly Expression[] {
  switch (query.kind) {
    case 'create':
    case 'create-many':
      return [];
    case 'update':
    case 'delete':
      return said(uniqueWhere(scope, query.where));
    case 'update-many':
    case 'delete-many':
      return said([where(scope, query.where)]);
  }
}

/** Records need not write the same fields. */
function valuesOf(scope: Scope, { records }: FlatWrite): Pick<WriteRows, 'columns' | 'values'> {
  const columns = [...new Set(records.flatMap((record) => record.map(({ field }) => field.column)))];
  if (columns.length === 0 && records.length > 1) decline('several records of defaults alone');
  const values = records.map((record) => {
    const byColumn = new Map(record.map((one) => [one.field.column, valueOf(scope, one)]));
    return columns.map((column) => byColumn.get(column));
  });
  return { columns, values };
}

function fieldOf(member: Selection['members'][number]): StoredField {
  return member.kind === 'field' ? member.field : decline('an answer with more than the fields of the row');
}

function valueOf({ statement, alias }: Scope, assignment: Assignment): Expression {
  const { field, operation, value } = assignment;
  if (value === null) return call('null');
  const slot = statement.slot(assignment, encoderOf(field), { type: field.type === 'Json' ? undefined : typeOf(field, field.list) });
  if (operation === 'set') return slot;
  return call(operation === 'increment' ? '+' : '-', { kind: 'column', alias, name: field.column }, slot);
}

function encoderOf(field: StoredField): Encode {
  if (!field.list) return field.type === 'Json' ? encodeJson : scalarEncoder(field);
  return field.type === 'Json' ? decline(`a list of Json in ${field.name}`) : listEncoder(field);
}

function thereIs(statement: Statement, { model, condition }: ReferredRow): Guard {
  const target = new Scope(statement, model);
  const met = where(target, condition);
  return { kind: 'met', condition: { kind: 'exists', select: { from: target.table, joins: target.joins, where: [met], order: [] } } };
}

/** An answer that is too large must not be written: it is Prisma that says so. */
function shortRow(scope: Scope, fields: readonly StoredField[], most: number | undefined): readonly Guard[] {
  const columns = fields.filter(({ type, list }) => list || LONG.has(type)).map(({ name }) => scope.column(name));
  return most === undefined || columns.length === 0 ? [] : [{ kind: 'short', columns, most }];
}

const LONG: ReadonlySet<StoredField['type']> = new Set(['String', 'Json', 'Bytes', 'Decimal'] as const);

/** What is written must be readable: once it is stored, nobody else can be asked. */
function readable(scope: Scope, { name, type, list, nativeType }: StoredField): readonly Guard[] {
  if (list && type === 'DateTime') decline(`a list of dates in ${name}`);
  if (type === 'Json') return [{ kind: 'plain', column: scope.column(name) }];
  const hasDate = type === 'DateTime' && nativeType?.[0] !== 'Time' && nativeType?.[0] !== 'Timetz';
  return hasDate ? [{ kind: 'dated', column: scope.column(name) }] : [];
}
