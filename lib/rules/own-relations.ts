import type { StoredRelation } from '../model/storage/storage.js';
import { missingRow } from './refusals.js';
import type { RowWriter } from './row-writer.js';
import type { Where } from './rules-option.js';
import type { Args, Row } from './session.js';
import type { RelatedWrites } from './split-data.js';
import { updateParts } from './update-parts.js';

/** A row whose relations are written; without `row` one that is not there yet. */
export interface Owner {
  readonly model: string;
  readonly row?: Row;
}

/** What writes through relations whose key the row holds come to. */
export interface OwnLinks {
  /** Columns of the row to write. */
  readonly columns: Args;
  /** What remains to be done once they are written. */
  readonly after: readonly (() => Promise<void>)[];
}

/** Writes what a row refers to, before the row itself. */
export async function writeOwnRelations(writer: RowWriter, owner: Owner, own: readonly RelatedWrites[]): Promise<OwnLinks> {
  const columns: Record<string, unknown> = {};
  const after: (() => Promise<void>)[] = [];
  for (const { relation, writes } of own) {
    for (const [operation, operand] of Object.entries(writes)) {
      const write = OWN_WRITES.get(operation);
      if (!write) throw new TypeError(`Nobody knows the nested write '${operation}'.`);
      const link = await write({ writer, owner, relation }, operand);
      if (link.to !== undefined) Object.assign(columns, columnsOf(writer, { owner, relation }, link.to));
      if (link.after) after.push(link.after);
    }
  }
  return { columns, after };
}

interface OwnWriting {
  readonly writer: RowWriter;
  readonly owner: Owner;
  readonly relation: StoredRelation;
}

interface Link {
  /** The row that is referred to now; null for none, undefined for the same as before. */
  readonly to?: Row | null;
  readonly after?: () => Promise<void>;
}

type OwnWrite = (writing: OwnWriting, operand: unknown) => Promise<Link>;

interface Parts {
  readonly where?: Where;
  readonly create: Args;
  readonly update: Args;
}

const OWN_WRITES: ReadonlyMap<string, OwnWrite> = new Map<string, OwnWrite>([
  ['create', async ({ writer, relation }, data) => ({ to: await writer.create(relation.target, data as Args) })],
  ['connect', async ({ writer, relation }, where) => ({ to: await writer.findNamed(relation.target, where as Where) })],
  ['connectOrCreate', (writing, parts) => connectOrCreate(writing, parts as Parts)],
  ['disconnect', (writing, operand) => disconnect(writing, operand)],
  ['update', (writing, operand) => updateLinked(writing, operand as Args)],
  ['upsert', (writing, parts) => upsertLinked(writing, parts as Parts)],
  ['delete', (writing, operand) => deleteLinked(writing, operand)],
]);

async function connectOrCreate({ writer, relation: { target } }: OwnWriting, { where = {}, create }: Parts): Promise<Link> {
  return { to: (await writer.find(target, where)) ?? (await writer.create(target, create)) };
}

/** `true`, or the condition under which the link is cut. */
async function disconnect(writing: OwnWriting, operand: unknown): Promise<Link> {
  if (operand === true) return { to: null };
  return operand !== false && (await linkedRow(writing, operand as Where)) ? { to: null } : {};
}

async function upsertLinked(writing: OwnWriting, { where, create, update }: Parts): Promise<Link> {
  const { writer, relation } = writing;
  const linked = await linkedRow(writing, where);
  if (!linked) return { to: await writer.create(relation.target, create) };
  await writer.update(relation.target, linked, update);
  return {};
}

async function updateLinked(writing: OwnWriting, operand: Args): Promise<Link> {
  const { where, data } = updateParts(operand);
  const linked = await linkedRow(writing, where);
  if (!linked) throw missingRow(writing.relation.target);
  await writing.writer.update(writing.relation.target, linked, data);
  return {};
}

async function deleteLinked(writing: OwnWriting, operand: unknown): Promise<Link> {
  if (operand === false) return {};
  const { writer, relation } = writing;
  const linked = await linkedRow(writing, operand === true ? undefined : (operand as Where));
  if (!linked) throw missingRow(relation.target);
  return { to: null, after: () => writer.remove(relation.target, linked) };
}

/** The row that the owner refers to, where it may be read and meets the caller's condition. */
async function linkedRow({ writer, owner, relation: { target, foreignKey } }: OwnWriting, where?: Where): Promise<Row | undefined> {
  const { row } = owner;
  if (!row || !foreignKey) return undefined;
  const values = foreignKey.fields.map((name) => row[name]);
  if (values.some((value) => value === null || value === undefined)) return undefined;
  const key = Object.fromEntries(foreignKey.references.map((name, index) => [name, values[index]]));
  return (await writer.findAll(target, key, where))[0];
}

function columnsOf(writer: RowWriter, { owner, relation }: Omit<OwnWriting, 'writer'>, to: Row | null): Args {
  const { fields = [], references = [] } = relation.foreignKey ?? {};
  if (to) return Object.fromEntries(fields.map((name, index) => [name, to[references[index] ?? '']]));
  const stored = writer.session.rules.model(owner.model).fields;
  return Object.fromEntries(fields.filter((name) => stored.get(name)?.optional).map((name) => [name, null]));
}
