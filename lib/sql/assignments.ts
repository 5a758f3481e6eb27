import cuid from '@bugsnag/cuid';
import { randomUUID } from 'node:crypto';
import type { StoredField, StoredForeignKey, StoredModel } from '../model/storage/storage.js';
import { uniqueAsCondition, type Condition } from '../query/condition.js';
import { fieldNamed } from '../query/fields.js';
import type { ConnectVerb, WrittenField, WrittenRecord, WrittenRelation } from '../query/write.js';
import { decline } from './declined.js';
import { nanoid, ulid, uuid7 } from './new-ids.js';
import { jsonNullOf } from './parameter.js';
import { requireOneSpelling } from './spellings.js';

/** What is written into a field. */
export type Assignment = FieldAssignment | LinkAssignment;

interface FieldAssignment {
  readonly field: StoredField;
  readonly operation: 'set' | 'increment' | 'decrement';
  readonly value: unknown;
}

/** The value of a field of the row that its row is created with. */
interface LinkAssignment {
  readonly field: StoredField;
  readonly operation: 'link';
  readonly value: StoredField;
}

/** A row that is referred to. */
export interface ReferredRow {
  readonly model: StoredModel;
  readonly condition: Condition;
}

/** What a record writes into its own row. */
export interface Written {
  readonly assignments: readonly Assignment[];
  readonly referred: readonly ReferredRow[];
}

/** @throws Declined for what is written through relations, but for the keys of rows that are linked */
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

/** Prisma has a null of the database, and one of Json. */
function jsonOf(value: unknown): unknown {
  const kind = jsonNullOf(value);
  if (kind === undefined) return value ?? decline('a plain null of Json');
  return kind === 'DbNull' ? null : decline('a null of Json');
}

/** The key of a row that is linked, or none. */
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

/** The values of the key that the row is named by, if it is the one that is referred to. */
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
 * What Prisma itself writes into fields that nobody has said anything of. The database fills the others.
 *
 * @param now one moment for the whole write
 */
export function withFilled(record: WrittenRecord, given: readonly Assignment[], now: Date): readonly Assignment[] {
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

/** What a change of a row writes into its fields with `@updatedAt`. */
export function changeTimes({ fields }: StoredModel, now: Date): readonly Assignment[] {
  return [...fields.values()]
    .filter(({ isUpdatedAt, ignored }) => isUpdatedAt && !ignored)
    .map((field) => ({ field, operation: 'set', value: now }));
}

/** Prisma cuts links by a statement of its own, which leaves the time of the last change as it is. */
function onlyDisconnects({ action, fields, relations }: WrittenRecord): boolean {
  return action === 'update' && fields.length === 0 && relations.every(({ verbs }) => verbs.every(({ kind }) => kind === 'disconnect'));
}

function fillingOf({ name, type, list, default: filling }: StoredField, now: Date): unknown {
  if (!filling) return undefined;
  if (filling.kind === 'value') return LITERAL.has(type) && !list ? filling.value : decline(`the default of ${name}`);
  const fill = FILLED[filling.name] ?? decline(`the default of ${name}`);
  return fill(now, filling.args?.[0]) ?? undefined;
}

/** Functions of a Prisma schema; the database itself has the value of those that return null. */
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

/** Types whose literals in a Prisma schema are the values. */
const LITERAL: ReadonlySet<StoredField['type']> = new Set(['String', 'Boolean', 'Int', 'BigInt', 'Float', 'Decimal', 'Enum'] as const);
