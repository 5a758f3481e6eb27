import type { StoredField } from '../model/storage/storage.js';
import type { Query } from '../query/query.js';
import type { Selection } from '../query/selection.js';
import type { Create, Delete, Update, WrittenRecord } from '../query/write.js';
import { isPlainClient } from './client/extensions-of.js';
import { callsOf, type DataCall, type Plan } from './plan.js';
import type { Run } from './run.js';
import type { TimedClient } from './client/statement-timeout.js';

/**
 * Whether a run that writes needs no `BEGIN` and `COMMIT` through Prisma. It is then one statement on PostgreSQL, which the
 * `statement_timeout` of its connection ends. Extensions of the client, rules, hooks, bindings to a caller and idempotency records need a
 * transaction.
 */
export function commitsAlone({ plan, isBound, recorded, enforcement, size, storage }: Run, { client, prepare }: TimedClient): boolean {
  if (isBound || recorded || prepare || enforcement.writeMode !== 'direct') return false;
  return storage.provider === 'postgresql' && isPlainClient(client) && isStatement(plan, size.bytes);
}

/**
 * Whether a plan is one write of one row that Prisma executes as one statement on PostgreSQL.
 *
 * The row that the statement returns is the result, and nothing is checked before or after it. The response cannot be larger than the limit, because a
 * larger one would have to undo the write.
 *
 * @param maxBytes maximum size of the response
 */
function isStatement(plan: Plan, maxBytes: number): boolean {
  const [call, ...others] = callsOf(plan);
  if (!call || others.length > 0 || isChecked(call)) return false;
  if (plan.kind === 'transaction' && (plan.undoesUnreadable || plan.mayBeUndone)) return false;
  const { query } = call;
  return isOfOneRow(query) && isOneStatement(query) && responseBytes(query) <= maxBytes;
}

type RowWrite = Create | Update | Delete;

function isOfOneRow(query: Query): query is RowWrite {
  return query.kind === 'create' || query.kind === 'update' || query.kind === 'delete';
}

/** Whether Prisma executes a write as one statement. It may read other conditions than keys first. */
function isOneStatement(query: RowWrite): boolean {
  if (query.kind === 'create') return query.record.relations.length === 0;
  return query.where.more.kind === 'always' && (query.kind === 'delete' || !writesLinks(query));
}

/** Whether other statements or checks belong to a call. One row without related rows is never too many. */
function isChecked({ before = [], locks, requires, expect, foreignKeys = [] }: DataCall): boolean {
  const isExpecting = expect !== undefined && (expect.kind !== 'at-most' || expect.isProbed === true);
  return before.length > 0 || foreignKeys.length > 0 || locks !== undefined || requires !== undefined || isExpecting;
}

/** Whether an update writes relations, or a foreign key of its row. Prisma reads such a row again. */
function writesLinks({ model, record }: Update): boolean {
  const keys = new Set([...model.relations.values()].flatMap(({ foreignKey }) => foreignKey?.fields ?? []));
  return record.relations.length > 0 || record.fields.some(({ field }) => keys.has(field.name));
}

/** The size of a document without the values of its row: links, members of relationships, and the types of values. */
const DOCUMENT_BYTES = 65_536;

/** The maximum size of a value of a short type, with its name. */
const SHORT_BYTES = 1_024;

/** A character of JSON takes at most six bytes: `\u0000`. */
const CHARACTER_BYTES = 6;

const SHORT_TYPES: ReadonlySet<StoredField['type']> = new Set(['Int', 'BigInt', 'Float', 'Boolean', 'DateTime', 'Enum']);

/** Returns an upper bound of the size of the response; Infinity if it has other members than fields, or texts of any length. */
function responseBytes(query: RowWrite): number {
  const { members }: Selection = query.selection;
  const record = query.kind === 'delete' ? undefined : query.record;
  const sizes = members.map((member) => (member.kind === 'field' ? fieldBytes(member.field, record) : Infinity));
  return sizes.reduce((sum, size) => sum + size, DOCUMENT_BYTES);
}

function fieldBytes(field: StoredField, record: WrittenRecord | undefined): number {
  if (SHORT_TYPES.has(field.type) && !field.list) return SHORT_BYTES;
  const written = record?.fields.find((one) => one.field.name === field.name);
  if (written) return written.operation === 'set' ? valueBytes(written.value) : Infinity;
  return record?.action === 'create' ? defaultBytes(field) : Infinity;
}

/** Without a value, a create stores null, the default of the schema, or an id that Prisma or the database makes. */
function defaultBytes({ default: filled }: StoredField): number {
  if (filled?.kind === 'value') return valueBytes(filled.value);
  return filled?.name === 'dbgenerated' ? Infinity : SHORT_BYTES;
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return SHORT_BYTES + value.length * CHARACTER_BYTES;
  if (value instanceof Uint8Array) return SHORT_BYTES + value.length * 2;
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? SHORT_BYTES : Infinity;
}
