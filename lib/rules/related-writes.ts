import { ApiError } from '../errors/api-error.js';
import type { StoredForeignKey, StoredRelation } from '../model/storage/storage.js';
import { withConditions } from './condition.js';
import { missingRow } from './refusals.js';
import type { RowWriter } from './row-writer.js';
import { ruleWhere } from './rule-where.js';
import type { Where } from './rules-option.js';
import { type Args, plainKey, type Row, rowText, whereRow } from './session.js';
import type { RelatedWrites } from './split-data.js';
import { updateParts } from './update-parts.js';

/** A row whose relations are written. */
interface Parent {
  readonly model: string;
  readonly row: Row;
}

/** Writes through relations whose key others hold, once the row itself is written. */
export async function writeRelated(writer: RowWriter, parent: Parent, related: readonly RelatedWrites[]): Promise<void> {
  for (const { relation, writes } of related) {
    for (const [operation, operand] of Object.entries(writes)) await writeThrough({ writer, parent, relation }, operation, operand);
  }
}

async function writeThrough(writing: RelatedWriting, operation: string, operand: unknown): Promise<void> {
  const write = RELATED_WRITES.get(operation);
  if (!write) throw new TypeError(`Nobody knows the nested write '${operation}'.`);
  const operands: readonly unknown[] = operation === 'set' ? [operand] : [operand].flat();
  for (const one of operands) await write(writing, one);
}

interface RelatedWriting {
  readonly writer: RowWriter;
  readonly parent: Parent;
  readonly relation: StoredRelation;
}

type RelatedWrite = (writing: RelatedWriting, operand: unknown) => Promise<unknown>;

interface Parts {
  readonly where?: Where;
  readonly create: Args;
  readonly update: Args;
  readonly data: Args | readonly Args[];
  readonly skipDuplicates?: boolean;
}

/** The operand of an `update` through a relation to many. */
interface NamedUpdate {
  readonly where: Where;
  readonly data: Args;
}

const RELATED_WRITES: ReadonlyMap<string, RelatedWrite> = new Map<string, RelatedWrite>([
  ['create', (writing, data) => create(writing, data as Args)],
  ['createMany', (writing, envelope) => createMany(writing, envelope as Parts)],
  ['connect', async (writing, where) => link(writing, await writing.writer.findNamed(writing.relation.target, where as Where))],
  ['connectOrCreate', (writing, parts) => connectOrCreate(writing, parts as Parts)],
  ['disconnect', (writing, operand) => disconnect(writing, operand)],
  ['set', (writing, wheres) => set(writing, [wheres].flat() as readonly Where[])],
  ['update', (writing, operand) => update(writing, operand)],
  ['updateMany', (writing, parts) => updateMany(writing, parts as Parts)],
  ['upsert', (writing, parts) => upsert(writing, parts as Parts)],
  ['delete', (writing, operand) => remove(writing, operand)],
  ['deleteMany', (writing, where) => removeMany(writing, where as Where)],
]);

async function create(writing: RelatedWriting, data: Args): Promise<void> {
  const { writer, relation } = writing;
  const key = keyColumns(writing);
  if (key && !relation.many) await displace(writing);
  const row = await writer.create(relation.target, { ...data, ...key });
  if (!key) await link(writing, row);
}

async function createMany(writing: RelatedWriting, { data, skipDuplicates }: Parts): Promise<void> {
  const key = keyColumns(writing);
  if (!key) throw new TypeError('createMany writes through no join table.');
  const records = ([data].flat() as readonly Args[]).map((record) => ({ ...record, ...key }));
  await writing.writer.createMany(writing.relation.target, records, { skipDuplicates });
}

async function connectOrCreate(writing: RelatedWriting, { where = {}, create: data }: Parts): Promise<void> {
  const found = await writing.writer.find(writing.relation.target, where);
  await (found ? link(writing, found) : create(writing, data));
}

/** What is not linked, or may not be read, is left as it is. */
async function disconnect(writing: RelatedWriting, operand: unknown): Promise<void> {
  if (operand === false) return;
  const linked = await findLinked(writing, operand);
  if (linked) await unlink(writing, linked);
}

/** Rows that may not be read stay where they are. */
async function set(writing: RelatedWriting, wheres: readonly Where[]): Promise<void> {
  const { writer, relation } = writing;
  const wanted: Row[] = [];
  for (const where of wheres) wanted.push(await writer.findNamed(relation.target, where));
  const linked = await writer.findAll(relation.target, scopeOf(writing));
  const textOf = (row: Row): string => rowText(writer.session, relation.target, row);
  const wantedKeys = new Set(wanted.map(textOf));
  const linkedKeys = new Set(linked.map(textOf));
  for (const row of linked) if (!wantedKeys.has(textOf(row))) await unlink(writing, row);
  for (const row of wanted) if (!linkedKeys.has(textOf(row))) await link(writing, row);
}

async function update(writing: RelatedWriting, operand: unknown): Promise<void> {
  const { writer, relation } = writing;
  const { where, data } = relation.many ? (operand as NamedUpdate) : updateParts(operand as Args);
  const linked = await findLinked(writing, where ?? true);
  if (!linked) throw missingRow(relation.target);
  await writer.update(relation.target, linked, data);
}

async function updateMany(writing: RelatedWriting, { where = {}, data }: Parts): Promise<void> {
  await writing.writer.updateMany(writing.relation.target, scopedWhere(writing, where), { data: data as Args });
}

async function upsert(writing: RelatedWriting, { where, create: data, update: changes }: Parts): Promise<void> {
  const linked = await findLinked(writing, where ?? true);
  if (linked) await writing.writer.update(writing.relation.target, linked, changes);
  else await create(writing, data);
}

async function remove(writing: RelatedWriting, operand: unknown): Promise<void> {
  if (operand === false) return;
  const linked = await findLinked(writing, operand);
  if (!linked) throw missingRow(writing.relation.target);
  await writing.writer.remove(writing.relation.target, linked);
}

async function removeMany(writing: RelatedWriting, where: Where): Promise<void> {
  await writing.writer.deleteMany(writing.relation.target, scopedWhere(writing, where));
}

/** Lets the parent refer to a row: by the row's own key, which is an update of it, or in the table between them. */
async function link(writing: RelatedWriting, row: Row): Promise<void> {
  const { writer, relation } = writing;
  const key = keyColumns(writing);
  if (!key) return changeJoin(writing, { connect: whereRow(writer.session, relation.target, row) });
  if (!relation.many) await displace(writing, row);
  await writer.updateColumns(relation.target, row, key);
}

async function unlink(writing: RelatedWriting, row: Row): Promise<void> {
  const { writer, relation } = writing;
  if (!relation.referredBy) return changeJoin(writing, { disconnect: whereRow(writer.session, relation.target, row) });
  await writer.updateColumns(relation.target, row, clearedColumns(writing, relation.referredBy));
}

/** The row that a to-one relation has led to makes room for another. */
async function displace(writing: RelatedWriting, next?: Row): Promise<void> {
  const { writer, relation } = writing;
  const [linked] = await writer.findAll(relation.target, scopeOf(writing));
  if (!linked) return;
  const isNext = next && rowText(writer.session, relation.target, next) === rowText(writer.session, relation.target, linked);
  if (!isNext) await unlink(writing, linked);
}

async function changeJoin({ writer, parent, relation }: RelatedWriting, change: Args): Promise<void> {
  const where = whereRow(writer.session, parent.model, parent.row);
  await writer.call(parent.model, 'update', { where, data: { [relation.name]: change }, select: writer.linkSelect(parent.model) });
}

/** The columns by which a related row refers to the parent; undefined where a table between them does. */
function keyColumns({ parent, relation: { referredBy, joinTable, name } }: RelatedWriting): Args | undefined {
  if (joinTable) return undefined;
  if (!referredBy) throw new TypeError(`Nobody knows where the pairs of '${parent.model}.${name}' are.`);
  const { fields, references } = referredBy;
  return Object.fromEntries(fields.map((field, index) => [field, parent.row[references[index] ?? '']]));
}

function clearedColumns({ writer, relation: { target } }: RelatedWriting, { fields }: StoredForeignKey): Args {
  const stored = writer.session.rules.model(target).fields;
  const cleared = fields.filter((name) => stored.get(name)?.optional);
  if (cleared.length > 0) return Object.fromEntries(cleared.map((name) => [name, null]));
  throw new ApiError('reference-conflict', `A ${target} cannot be without what it refers to.`);
}

/** The rows that the parent has in the relation. */
function scopeOf(writing: RelatedWriting): Where {
  const { writer, parent, relation } = writing;
  const key = keyColumns(writing);
  if (key) return key;
  if (relation.opposite === undefined) throw new TypeError(`The relation '${parent.model}.${relation.name}' has no way back.`);
  return { [relation.opposite]: { some: plainKey(writer.session, parent.model, parent.row) } };
}

function scopedWhere(writing: RelatedWriting, where: Where): Where {
  return withConditions(ruleWhere(writing.writer.session.rules, writing.relation.target, where), [scopeOf(writing)]);
}

/** A linked row by its unique `where`, or the only one by a condition, `true` for none. */
async function findLinked(writing: RelatedWriting, operand: unknown): Promise<Row | undefined> {
  const { writer, relation } = writing;
  if (relation.many) return writer.find(relation.target, operand as Where, [scopeOf(writing)]);
  return (await writer.findAll(relation.target, scopeOf(writing), operand === true ? undefined : (operand as Where)))[0];
}
