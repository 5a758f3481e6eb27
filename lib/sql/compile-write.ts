import type { StoredField } from '../model/storage/storage.js';
import { said } from './compile-read.js';
import { decline } from './declined.js';
import type { Assignment, FlatWrite, ReferredRow } from './flat-write.js';
import { type Encode, encodeJson, listEncoder, scalarEncoder } from './parameter.js';
import { Scope, type Statement, typeOf } from './scope.js';
import { membersOf } from './selection.js';
import { call, type Expression, type Guard, type Rows, type WriteRow } from './tree.js';
import { uniqueWhere, where } from './where.js';

/** A write, and what is read of the row that it returns. */
export interface CompiledWrite {
  readonly write: WriteRow;
  readonly rows: Rows;
}

const KINDS = { create: 'insert', update: 'update', delete: 'delete' } as const;

/**
 * The first of three steps of a write: a tree.
 *
 * @param most how many bytes the values of the row may have; undefined without a limit
 * @throws Declined for what Prisma does in another way
 */
export function compileWrite(statement: Statement, { query, assignments, referred }: FlatWrite, most: number | undefined): CompiledWrite {
  const scope = new Scope(statement, query.model);
  const members = membersOf(scope, query.selection, undefined);
  const conditions = query.kind === 'create' ? [] : said(uniqueWhere(scope, query.where));
  const guards = [...referred.map((row) => thereIs(statement, row)), ...shortRow(scope, query.selection.members.map(fieldOf), most)];
  if (scope.joins.length > 0) decline('a condition on other rows');
  return {
    write: {
      kind: KINDS[query.kind],
      table: scope.table,
      assignments: assignments.map((one) => ({ column: one.field.column, value: valueOf(scope, one) })),
      where: conditions,
      guards: [...guards, ...query.selection.members.flatMap((member) => readable(scope, fieldOf(member)))],
    },
    rows: { select: { from: scope.table, joins: [], where: [], order: [] }, members, isReversed: false },
  };
}

function fieldOf(member: FlatWrite['query']['selection']['members'][number]): StoredField {
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
