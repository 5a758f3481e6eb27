import type { StoredField, StoredForeignKey, StoredJoinTable } from '../model/storage/storage.js';
import { uniqueAsCondition } from '../query/condition.js';
import { fieldNamed } from '../query/fields.js';
import type { Selection } from '../query/selection.js';
import { keyPlaceOf, returnsResult, type Write } from '../query/write.js';
import { said } from './compile-read.js';
import { decline } from './declined.js';
import type { Assignment, ReferencedRow } from './assignments.js';
import { COMMANDS, type FlatWrite, isRowsWrite, linksAlone } from './flat-write.js';
import { findForeignKey, type LinkChange } from './links.js';
import { referencesOf } from './nested-creates.js';
import { type Encode, encodeJson, listEncoder, scalarEncoder } from './parameter.js';
import { Scope, type Statement, slotTypeOf } from './scope.js';
import { membersOf } from './selection.js';
import { spelledAsStored } from './spellings.js';
import { call, type Exists, type Expression, joined, type NewValue, type Rows } from './tree.js';
import type { Guard, NestedWrite, WriteRows } from './write-tree.js';
import { compileUnique, where } from './where.js';

/** A compiled write, and the members of the rows that it returns. */
export interface CompiledWrite {
  readonly write: WriteRows;
  readonly rows: Rows | undefined;
  /** Conditions that must be true before the write. The caller of a bound client must see the rows that they select. */
  readonly seen: readonly Expression[];
}

/**
 * Compiles a write to the tree of a statement. Rewriting the tree and printing it are the next two steps.
 *
 * @param bytes the maximum number of bytes of the returned values; undefined without a limit
 * @throws Declined for a write that SQL does not support
 */
export function compileWrite(statement: Statement, flat: FlatWrite, bytes: number | undefined): CompiledWrite {
  const { query, seen = [] } = flat;
  const scope = new Scope(statement, query.model, { isWritten: true });
  const isMany = isRowsWrite(query);
  const answered = returnsResult(query) ? answeredRow(scope, query.selection, isMany ? undefined : bytes) : NOT_ANSWERED;
  const write = {
    command: linksAlone(flat) ? ('SELECT' as const) : COMMANDS[query.kind],
    table: scope.table,
    ...valuesOf(scope, flat),
    ...foundBefore(statement, flat),
    ...nestedIn(scope, flat),
    where: conditionsOf(scope, query),
    guards: [...guardsOf(scope, flat), ...answered.guards],
    ...requiredBy(flat),
    ...('skipDuplicates' in query && query.skipDuplicates && { skipsDuplicates: true }),
    ...(isMany && { total: { rows: flat.maxRows, bytes, bytesPerRow: bytesPerRow(query.selection) } }),
  };
  if (scope.joins.length > 0) decline('a condition on other rows');
  return { write, rows: answered.rows, seen: seen.map((row) => thereIs(statement, row)) };
}

/**
 * Returns how many rows a write must affect for its statement to succeed. If a write of one row, or one with checked references, affects none, Prisma
 * executes it again for the right error.
 */
function requiredBy({ query, referred }: FlatWrite): Pick<WriteRows, 'required'> {
  if (returnsResult(query) && !isRowsWrite(query)) return { required: 'one' };
  return referred.length > 0 ? { required: 'some' } : {};
}

/** Returns the guards of a write: its referenced rows exist, and, if it sets a foreign key, its table has no triggers or rules. */
function guardsOf({ statement, table }: Scope, { referred, isLinking }: FlatWrite): readonly Guard[] {
  const there = referred.map((row): Guard => ({ kind: 'met', condition: thereIs(statement, row) }));
  return isLinking ? [...there, { kind: 'ordinary', table }] : there;
}

interface AnsweredRow {
  readonly guards: readonly Guard[];
  readonly rows: Rows | undefined;
}

const NOT_ANSWERED: AnsweredRow = { guards: [], rows: undefined };

function answeredRow(scope: Scope, selection: Selection, maxBytes: number | undefined): AnsweredRow {
  const members = membersOf(scope, selection, undefined);
  const fields = selection.members.map(fieldOf);
  return {
    guards: [...shortRow(scope, fields, maxBytes), ...fields.flatMap((field) => readable(scope, field))],
    rows: { select: { from: scope.table, joins: [], where: [], order: [] }, members, isReversed: false },
  };
}

/** Returns the bytes that the names and types of the selected fields add to each row of a response. */
function bytesPerRow({ members }: Selection): number {
  return members.map(fieldOf).reduce((bytes, { name }) => bytes + name.length + BYTES_PER_FIELD, 0);
}

const BYTES_PER_FIELD = 8;

function conditionsOf(scope: Scope, query: Write): readonly Expression[] {
  switch (query.kind) {
    case 'create':
    case 'create-many':
    case 'upsert':
      return [];
    case 'update':
    case 'delete':
      return said(compileUnique(scope, query.where));
    case 'update-many':
    case 'delete-many':
      return said([where(scope, query.where)]);
  }
}

function valuesOf(scope: Scope, { query, records }: FlatWrite): Pick<WriteRows, 'columns' | 'values' | 'conflict'> {
  if (query.kind !== 'upsert') return compileRows(scope, records);
  const [created = [], changed = []] = records;
  const { columns, values } = compileRows(scope, [changed]);
  const key = query.where.keys[0].key.fields.map((name) => scope.field(name).column);
  return {
    ...compileRows(scope, [created]),
    conflict: { key, columns, values: values[0] ?? [], where: said(compileUnique(scope, query.where)) },
  };
}

function nestedIn(scope: Scope, { query: { model }, children = [], links = [] }: FlatWrite): Pick<WriteRows, 'nested'> {
  if (children.length + links.length === 0) return {};
  const references = [...new Set([...referencesOf(children), ...links.flatMap(({ relation }) => findForeignKey(model, relation))])];
  const inserts = children.map((child): NestedWrite => {
    const inner = scope.inner(child.model);
    return { kind: 'insert', table: inner.table, ...compileRows(inner, child.records, references) };
  });
  const linked = links.flatMap((link) => {
    const held = findForeignKey(model, link.relation).map((field) => newValue(references, field));
    const place = keyPlaceOf(link.relation);
    return place.kind === 'join-table' ? joinsOf(scope, link, place.joinTable, held) : compileKeyChanges(scope, link, place.key, held);
  });
  return { nested: { returned: references.map(({ name }) => scope.column(name)), writes: [...inserts, ...linked] } };
}

/** Compiles the deletes and inserts of a join table. */
function joinsOf(
  scope: Scope,
  { kind, target, rows }: LinkChange,
  join: StoredJoinTable,
  values: readonly NewValue[],
): readonly NestedWrite[] {
  const { table, schema, ownColumn, targetColumn } = join;
  const [value] = values;
  const [key] = target.primaryKey?.fields ?? [];
  if (!value || key === undefined) return decline(`the key of ${target.model} is not one field`);
  const written = (which: 'link' | 'cut', isOther: boolean): NestedWrite => {
    const inner = scope.inner(target);
    return {
      kind: which,
      table: { kind: 'table', table, ...(schema !== undefined && { schema }), alias: scope.statement.alias() },
      own: { column: ownColumn, value },
      other: [targetColumn, inner.column(key)],
      from: inner.table,
      met: oneOf(inner, rows),
      isOther,
      ...(which === 'link' && { wanted: rows.length }),
    };
  };
  return [...(kind === 'connect' ? [] : [written('cut', kind === 'set')]), ...(linksAny({ kind, rows }) ? [written('link', false)] : [])];
}

/** Compiles the updates of the rows that reference this one by a foreign key. */
function compileKeyChanges(
  scope: Scope,
  { kind, relation, target, rows, changed }: LinkChange,
  { fields }: StoredForeignKey,
  values: readonly NewValue[],
): readonly NestedWrite[] {
  const key = fields.map((name) => fieldNamed(target, name).column);
  const held = key.map((column, index) => ({ column, value: values[index] ?? decline(`the key of ${relation.name}`) }));
  const written = (isCut: boolean, isOther: boolean): NestedWrite => {
    const inner = scope.inner(target);
    const rest = { kind: 'update', table: inner.table, held, met: oneOf(inner, rows), isOther } as const;
    if (isCut) return { ...rest, of: 'held', columns: key, values: key.map(() => call('null')) };
    const beside = compileRows(inner, [changed]);
    return {
      ...rest,
      wanted: rows.length,
      of: kind === 'set' ? 'others' : 'all',
      columns: [...key, ...beside.columns],
      values: [...held.map(({ value }) => value), ...beside.values.flat()],
    };
  };
  return [...(kind === 'connect' ? [] : [written(true, kind === 'set')]), ...(linksAny({ kind, rows }) ? [written(false, false)] : [])];
}

function linksAny({ kind, rows }: Pick<LinkChange, 'kind' | 'rows'>): boolean {
  return kind !== 'disconnect' && rows.length > 0;
}

function oneOf(scope: Scope, rows: LinkChange['rows']): Expression {
  return joined(
    'or',
    rows.map((row) => joined('and', compileUnique(scope, row))),
  );
}

function newValue(references: readonly StoredField[], field: StoredField): NewValue {
  return { kind: 'new-value', index: references.indexOf(field) };
}

/**
 * Compiles the condition that the row of an upsert exists before the write. Because a statement reads the snapshot from before its own writes, one
 * statement can do both.
 */
function foundBefore(statement: Statement, { query, look }: FlatWrite): Pick<WriteRows, 'found'> {
  if (query.kind !== 'upsert' || !look) return {};
  const target = new Scope(statement, query.model);
  return { found: existsIn(target, [where(target, uniqueAsCondition(query.where))]) };
}

/** Compiles the values of records, which need not have the same fields. As in Prisma, a missing field gets its default, or null if it has none. */
function compileRows(
  scope: Scope,
  records: FlatWrite['records'],
  references: readonly StoredField[] = [],
): Pick<WriteRows, 'columns' | 'values'> {
  const fields = [...new Set(records.flatMap((record) => record.map(({ field }) => field)))];
  if (fields.length === 0 && records.length > 1) decline('several records of defaults alone');
  const values = records.map((record) => {
    const byField = new Map(record.map((one) => [one.field, valueOf(scope, one, references)]));
    return fields.map((field) => byField.get(field) ?? (field.default ? undefined : call('null')));
  });
  return { columns: fields.map(({ column }) => column), values };
}

function fieldOf(member: Selection['members'][number]): StoredField {
  return member.kind === 'field' ? member.field : decline('an answer with more than the fields of the row');
}

function valueOf({ statement, alias }: Scope, assignment: Assignment, references: readonly StoredField[]): Expression {
  const { field, operation, value } = assignment;
  if (operation === 'link') return newValue(references, value);
  if (value === null) return call('null');
  const slot = statement.slot(assignment, encoderOf(field), { type: field.type === 'Json' ? undefined : slotTypeOf(field, field.list) });
  if (operation === 'set') return slot;
  return call(operation === 'increment' ? '+' : '-', { kind: 'column', alias, name: field.column }, slot);
}

function encoderOf(field: StoredField): Encode {
  if (!field.list) return field.type === 'Json' ? encodeJson : scalarEncoder(field);
  return field.type === 'Json' ? decline(`a list of Json in ${field.name}`) : listEncoder(field);
}

function thereIs(statement: Statement, { model, condition }: ReferencedRow): Exists {
  const target = new Scope(statement, model);
  return existsIn(target, [where(target, condition), ...spelledAsStored(target, condition)]);
}

function existsIn({ table, joins }: Scope, conditions: readonly Expression[]): Exists {
  return { kind: 'exists', select: { from: table, joins, where: conditions, order: [] } };
}

/** Returns the guard that a returned row is not too large. If it is, the write fails, and Prisma executes it for the right error. */
function shortRow(scope: Scope, fields: readonly StoredField[], maxBytes: number | undefined): readonly Guard[] {
  const columns = fields.filter(({ type, list }) => list || LONG.has(type)).map(({ name }) => scope.column(name));
  return maxBytes === undefined || columns.length === 0 ? [] : [{ kind: 'short', columns, maxBytes }];
}

const LONG: ReadonlySet<StoredField['type']> = new Set(['String', 'Json', 'Bytes', 'Decimal'] as const);

/**
 * Returns the guards that a stored value can be decoded. Because the write is committed with its statement, Prisma could not execute it again
 * afterwards.
 */
function readable(scope: Scope, field: StoredField): readonly Guard[] {
  const { name, type, list, enumType } = field;
  if (list && type === 'DateTime') decline(`a list of dates in ${name}`);
  const column = scope.column(name);
  const guards: Guard[] = list ? [{ kind: 'filled', column, isJson: type === 'Json' }] : [];
  if (enumType) guards.push({ kind: 'known', column, values: [...enumType.values.values()], isList: list });
  if (type === 'Json') guards.push({ kind: 'plain', column });
  if (isDated(field)) guards.push({ kind: 'dated', column });
  return guards;
}

function isDated({ type, nativeType }: StoredField): boolean {
  return type === 'DateTime' && nativeType?.[0] !== 'Time' && nativeType?.[0] !== 'Timetz';
}
