import { unaskedOf, withFields, withoutFields } from '../data-client/selected-keys.js';
import { withConditions } from './condition.js';
import { writeOwnRelations } from './own-relations.js';
import { isNothingFound, refusedByRule } from './refusals.js';
import { RowWriter } from './row-writer.js';
import { completeRows, hasCursor, readRows } from './ruled-reads.js';
import { ruleSelection } from './rule-selection.js';
import { ruleWhere } from './rule-where.js';
import type { Where } from './rules-option.js';
import { type Args, callHost, keyOf, plainWhere, type Row, selectOf, type Session, whereRow } from './session.js';
import { splitData } from './split-data.js';

/** A write of one model, as Prisma's operation of that name. */
type RuledWrite = (session: Session, model: string, args: Args) => Promise<unknown>;

/** Writes under the rules. They run in a transaction, which an error undoes. */
export const RULED_WRITES: ReadonlyMap<string, RuledWrite> = new Map<string, RuledWrite>([
  ['create', createOne],
  ['createMany', createMany],
  ['createManyAndReturn', createManyAndReturn],
  ['update', updateOne],
  ['updateMany', updateMany],
  ['updateManyAndReturn', updateManyAndReturn],
  ['upsert', upsertOne],
  ['delete', deleteOne],
  ['deleteMany', deleteMany],
]);

async function createOne(session: Session, model: string, { data, ...answer }: Args): Promise<unknown> {
  const writer = new RowWriter(session);
  const { plain, own, others } = splitData(session.rules, model, data as Args);
  writer.requireSome(model, 'create');
  if (others.length > 0 || hasCursor(answer)) return answerRow(writer, { model, row: await writer.create(model, data as Args) }, answer);
  const { columns } = await writeOwnRelations(writer, { model }, own);
  const returned = returning(session, model, answer);
  const row = (await writer.call(model, 'create', { data: { ...plain, ...columns }, ...returned.args })) as Row;
  writer.written.add(model, 'create', row);
  await writer.written.settle({ model, rows: [row] });
  return returned.complete(row);
}

async function updateOne(session: Session, model: string, { where, data, ...answer }: Args): Promise<unknown> {
  const writer = new RowWriter(session);
  const { plain, own, others } = splitData(session.rules, model, data as Args);
  const named = ruleWhere(session.rules, model, where as Where);
  const reached = writer.reach(model, named, 'using');
  if (!writer.returnsRows || own.length > 0 || others.length > 0 || hasCursor(answer)) {
    const args = { where: reached, select: writer.linkSelect(model) };
    const found = (await orRefuse(writer, { model, named }, writer.call(model, 'findUniqueOrThrow', args))) as Row;
    return answerRow(writer, { model, row: await writer.update(model, found, data as Args) }, answer);
  }
  const returned = returning(session, model, answer);
  const args = { where: reached, data: plain, ...returned.args };
  const row = (await orRefuse(writer, { model, named }, writer.call(model, 'update', args))) as Row;
  writer.written.add(model, 'check', row);
  await writer.written.settle({ model, rows: [row] });
  return returned.complete(row);
}

/** Looks for the row first, and then updates or creates: each by its own rules. */
async function upsertOne(session: Session, model: string, { where, create, update, ...answer }: Args): Promise<unknown> {
  const found = await new RowWriter(session).find(model, where as Where);
  if (!found) return createOne(session, model, { data: create, ...answer });
  return updateOne(session, model, { where: whereRow(session, model, found), data: update, ...answer });
}

async function deleteOne(session: Session, model: string, { where, ...answer }: Args): Promise<unknown> {
  const writer = new RowWriter(session);
  const { rules } = session;
  const named = ruleWhere(rules, model, where as Where);
  const reached = writer.reach(model, named, 'delete');
  if (writer.returnsRows && !answersRelated(session, model, answer)) {
    return orRefuse(writer, { model, named }, writer.call(model, 'delete', { where: reached, ...answer }));
  }
  // Prisma would read, too, and then delete without a look at whether the row is still what it was.
  const row = await readRows(session, { model, operation: 'findUniqueOrThrow', args: { where, ...answer } });
  if ((await writer.deleteMany(model, plainWhere(session, model, named))) === 0) throw refusedByRule();
  return row;
}

function answersRelated({ rules }: Session, model: string, { select, include }: Args): boolean {
  const { fields } = rules.model(model);
  return include !== undefined || Object.keys(select ?? {}).some((name) => !fields.has(name));
}

async function createMany(session: Session, model: string, { data, ...options }: Args): Promise<unknown> {
  const writer = new RowWriter(session);
  const count = await writer.createMany(model, [data].flat() as readonly Args[], options);
  await writer.written.settle();
  return { count };
}

async function createManyAndReturn(session: Session, model: string, { data, skipDuplicates, ...answer }: Args): Promise<unknown> {
  const writer = new RowWriter(session);
  writer.requireSome(model, 'create');
  const returned = returning(session, model, answer);
  const options = skipDuplicates === undefined ? {} : { skipDuplicates };
  const rows = (await writer.call(model, 'createManyAndReturn', { data, ...options, ...returned.args })) as readonly Row[];
  for (const row of rows) writer.written.add(model, 'create', row);
  await writer.written.settle({ model, rows });
  return returned.complete(rows);
}

async function updateMany(session: Session, model: string, { where, data, limit }: Args): Promise<unknown> {
  const writer = new RowWriter(session);
  const given = ruleWhere(session.rules, model, (where ?? {}) as Where);
  const count = await writer.updateMany(model, given, { data: data as Args, limit: limit as number | undefined });
  await writer.written.settle();
  return { count };
}

async function updateManyAndReturn(session: Session, model: string, { where, data, limit, ...answer }: Args): Promise<unknown> {
  const writer = new RowWriter(session);
  const reached = writer.reach(model, ruleWhere(session.rules, model, (where ?? {}) as Where), 'using');
  const returned = returning(session, model, answer);
  const parts = limit === undefined ? [{ where: reached }] : await writer.partsOf(model, reached, limit as number);
  const rows: Row[] = [];
  for (const part of parts) {
    const args = { where: part.where, data, ...returned.args };
    rows.push(...((await writer.call(model, 'updateManyAndReturn', args)) as readonly Row[]));
  }
  for (const row of rows) writer.written.add(model, 'check', row);
  await writer.written.settle({ model, rows });
  return returned.complete(rows);
}

async function deleteMany(session: Session, model: string, { where, limit }: Args): Promise<unknown> {
  const given = ruleWhere(session.rules, model, (where ?? {}) as Where);
  return { count: await new RowWriter(session).deleteMany(model, given, limit as number | undefined) };
}

interface Returned {
  /** The selection with the key of the rows. */
  readonly args: Args;
  /** Loads what is loaded apart, and takes out what was not asked for. */
  readonly complete: (result: unknown) => unknown;
}

/** How a write of one statement returns its answer. */
function returning(session: Session, model: string, answer: Args): Returned {
  const { args, apart } = ruleSelection(session.rules, model, answer);
  const added = unaskedOf(args, keyOf(session, model).fields);
  const complete = async (result: unknown): Promise<unknown> => {
    const rows = await completeRows(session, result, { apart });
    return Array.isArray(rows) ? rows.map((row: Row) => withoutFields(row, added)) : withoutFields(rows as Row, added);
  };
  return { args: { ...withFields(args, added) }, complete };
}

/** Asks the rules of all that was written, and reads what is answered. */
async function answerRow(writer: RowWriter, { model, row }: { readonly model: string; readonly row: Row }, answer: Args): Promise<unknown> {
  const { session } = writer;
  await writer.written.settle({ model, rows: [row] });
  return readRows(session, { model, operation: 'findUniqueOrThrow', args: { where: whereRow(session, model, row), ...answer } });
}

interface Named {
  readonly model: string;
  readonly named: Where;
}

/** A row that may be read and not be written is refused; any other is not there. */
async function orRefuse({ session }: RowWriter, { model, named }: Named, writing: Promise<unknown>): Promise<unknown> {
  try {
    return await writing;
  } catch (error) {
    if (!isNothingFound(error)) throw error;
    const args = { where: withConditions(named, [session.rules.where(model, 'read')]), select: selectOf(keyOf(session, model).fields) };
    throw (await callHost(session, { model, operation: 'findUnique', args })) === null ? error : refusedByRule();
  }
}
