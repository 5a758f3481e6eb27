import cuid from '@bugsnag/cuid';
import { randomUUID } from 'node:crypto';
import type { StoredField, StoredForeignKey, StoredModel } from '../model/storage/storage.js';
import { uniqueAsCondition, type Condition } from '../query/condition.js';
import { fieldNamed } from '../query/fields.js';
import type { ConnectVerb, WrittenField, WrittenRecord, WrittenRelation } from '../query/write.js';
import { decline } from './declined.js';
import { jsonNullOf } from './parameter.js';
import { requireOneSpelling } from './spellings.js';
import { randomBytes, randomInt } from 'crypto';

/** A value that a write assigns to a field. */
export type Assignment = FieldAssignment | LinkAssignment;

interface FieldAssignment {
  readonly field: StoredField;
  readonly operation: 'set' | 'increment' | 'decrement';
  readonly value: unknown;
}

/** An assignment of a value of the parent row, which the same statement creates. */
interface LinkAssignment {
  readonly field: StoredField;
  readonly operation: 'link';
  readonly value: StoredField;
}

/** A row that a write references. */
export interface ReferencedRow {
  readonly model: StoredModel;
  readonly condition: Condition;
}

/** The assignments of a record to its own row, and the rows that they reference. */
export interface Written {
  readonly assignments: readonly Assignment[];
  readonly referred: readonly ReferencedRow[];
}

/**
 * Returns the assignments of a record.
 *
 * @throws Declined for nested writes, except a `connect` or `disconnect` by a foreign key of the row itself
 */
export function assignmentsOf({ model, fields, relations }: WrittenRecord): Written {
  const links = relations.map((relation) => linkOf(model, relation));
  const assignments = [...fields.map(assignmentOf), ...links.flatMap((link) => link.assignments)];
  if (new Set(assignments.map(({ field }) => field)).size < assignments.length) decline('a field that is written twice');
  return { assignments, referred: links.flatMap(({ referred }) => referred) };
}

function assignmentOf({ field, operation, value }: WrittenField): Assignment {
  if (value === undefined) return decline(`no value of ${field.name}`);
  if (operation === 'set') return { field, operation, value: field.type === 'Json' ? jsonOf(value) : value };
  if ((operation !== 'increment' && operation !== 'decrement') || value === null) return decline(`the operation ${operation} of a field`);
  return { field, operation, value };
}

/** Returns the value to store for a Json field. Prisma distinguishes the NULL of the database from the JSON value null. */
function jsonOf(value: unknown): unknown {
  const kind = jsonNullOf(value);
  if (kind === undefined) return value ?? decline('a plain null of Json');
  return kind === 'DbNull' ? null : decline('a null of Json');
}

/** Returns the assignments of a foreign key: the key of the connected row, or nulls. */
function linkOf(model: StoredModel, { relation, target, verbs }: WrittenRelation): Written {
  const { foreignKey, name } = relation;
  const [verb, ...others] = verbs;
  if (!foreignKey || !verb || others.length > 0) return decline(`what is written through ${name}`);
  if (verb.kind === 'connect')
    return {
      assignments: assignConnectedKey(model, foreignKey, { verb, target }),
      referred: [{ model: target, condition: uniqueAsCondition(verb.row) }],
    };
  const fields = resolveKeyFields(model, foreignKey);
  const isCut = verb.kind === 'disconnect' && 'kind' in verb.row && verb.row.kind === 'always' && fields.every(({ optional }) => optional);
  if (!isCut) return decline(`what is written through ${name}`);
  return { assignments: fields.map((field) => ({ field, operation: 'set', value: null })), referred: [] };
}

interface Connecting {
  readonly verb: ConnectVerb;
  readonly target: StoredModel;
}

/** Returns the assignments of the key that a `connect` names the row by. Declines if the foreign key references another key. */
function assignConnectedKey(
  model: StoredModel,
  { fields, references }: StoredForeignKey,
  { verb, target }: Connecting,
): readonly Assignment[] {
  const { keys, more } = verb.row;
  const named = keys.find(({ key }) => key.fields.length === fields.length && references.every((name) => key.fields.includes(name)));
  if (!named || more.kind !== 'always') return decline('a row that is named by another key');
  for (const name of references) requireOneSpelling(fieldNamed(target, name));
  return resolveKeyFields(model, { fields, references }).map((field, index) => {
    const value = named.values[named.key.fields.indexOf(references[index] ?? '')];
    return { field, operation: 'set', value: value ?? decline(`no value of ${field.name}`) };
  });
}

export function resolveKeyFields(model: StoredModel, { fields }: StoredForeignKey): readonly StoredField[] {
  return fields.map((name) => fieldNamed(model, name));
}

/**
 * Adds the values that Prisma's client itself writes into fields without a value. The database fills all other fields.
 *
 * @param now one time stamp for the whole write
 */
export function withDefaults(record: WrittenRecord, given: readonly Assignment[], now: Date): readonly Assignment[] {
  const { model, action } = record;
  if (action === 'update' && given.length === 0) return decline('no change');
  const changed = onlyDisconnects(record) ? undefined : now;
  const known = new Set(given.map(({ field }) => field));
  const filled = [...given];
  for (const field of model.fields.values()) {
    if (known.has(field) || field.ignored) continue;
    const value = field.isUpdatedAt ? changed : action === 'create' ? fillingOf(field, now) : undefined;
    if (value !== undefined) filled.push({ field, operation: 'set', value });
  }
  return filled;
}

/** Returns the assignments of all fields with `@updatedAt`. */
export function changeTimes({ fields }: StoredModel, now: Date): readonly Assignment[] {
  return [...fields.values()]
    .filter(({ isUpdatedAt, ignored }) => isUpdatedAt && !ignored)
    .map((field) => ({ field, operation: 'set', value: now }));
}

/** Whether an update only disconnects rows. Prisma does that by a separate statement, which does not set `@updatedAt`. */
function onlyDisconnects({ action, fields, relations }: WrittenRecord): boolean {
  return action === 'update' && fields.length === 0 && relations.every(({ verbs }) => verbs.every(({ kind }) => kind === 'disconnect'));
}

function fillingOf({ name, type, list, default: filling }: StoredField, now: Date): unknown {
  if (!filling) return undefined;
  if (filling.kind === 'value') return LITERAL.has(type) && !list ? filling.value : decline(`the default of ${name}`);
  const fill = FILLED[filling.name] ?? decline(`the default of ${name}`);
  return fill(now, filling.args?.[0]) ?? undefined;
}

/** The functions of `@default`. Those that return null are executed by the database. */
const FILLED: Readonly<Record<string, (now: Date, argument: string | number | undefined) => unknown>> = {
  autoincrement: () => null,
  dbgenerated: () => null,
  sequence: () => null,
  now: (now) => now,
  uuid: (now, version = 4) => (version === 7 ? uuid7(now.getTime()) : version === 4 ? randomUUID() : decline(`uuid(${version})`)),
  cuid: (_, version = 1) => (version === 1 ? cuid() : decline(`cuid(${version})`)),
  nanoid: (_, size = 21) => nanoid(Number(size)),
  ulid: (now) => ulid(now.getTime()),
};

/** Types whose default in a Prisma schema is the stored value itself. */
const LITERAL: ReadonlySet<StoredField['type']> = new Set(['String', 'Boolean', 'Int', 'BigInt', 'Float', 'Decimal', 'Enum'] as const);
let last = { time: 0, sequence: 0 };

/** Returns a UUID of version 7. Ids of one process ascend, also within one millisecond (RFC 9562, section 6.2, method 1). */
export function uuid7(now: number): string {
  last = next(now);
  const bytes = randomBytes(16);
  bytes.writeUIntBE(last.time, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.sequence, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the next time and sequence number. A sequence starts in its lower half, so at least half of its numbers are left in each millisecond. */
function next(now: number): typeof last {
  if (now > last.time) return { time: now, sequence: randomInt(0x800) };
  const { time, sequence } = last;
  return sequence < 0xfff ? { time, sequence: sequence + 1 } : { time: time + 1, sequence: 0 };
}

/** Returns a Nano ID, made of letters, digits, `_` and `-`. */
export function nanoid(size: number): string {
  return randomBytes(size).toString('base64url').slice(0, size);
}

/** Returns a ULID: the time in milliseconds and 80 random bits, in Crockford's Base32. */
export function ulid(now: number): string {
  const bits = (BigInt(now) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  return bits
    .toString(32)
    .padStart(26, '0')
    .replaceAll(/./g, (digit) => CROCKFORD.charAt(Number.parseInt(digit, 32)));
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
