import { selectKeys } from '../executor/loading/select-keys.js';
import { ALWAYS, and, uniqueAsCondition } from '../query/condition.js';
import { areFields, fieldsIn } from '../query/fields.js';
import { rowKey } from '../query/key.js';
import { match, type Table } from '../query/match.js';
import { type Affected, isRows, type ResultOf, type Row } from '../query/result.js';
import type { Selection } from '../query/selection.js';
import type { Create, CreateMany, Delete, DeleteMany, Update, UpdateMany, Upsert, Write, WrittenField } from '../query/write.js';
import { createRows } from './create-rows.js';
import { versionedRecord } from './versioned-fields.js';
import { Pending } from './links.js';
import { givenKeyFields } from './referenced-rows.js';
import { isNothingFound } from './refusals.js';
import { collectFields, withColumns } from './records.js';
import type { RowWatch } from './write-observer.js';
import { RuledRowWriter } from './ruled-row-writer.js';
import type { RowWriter } from './row-writer.js';
import { isOwn, writeOwn } from './verbs.js';
import { allFields, keyFields, required, rowNamed, type Session } from './rows.js';
import { readableRow, readRuled, completeRows, hasCursor } from './ruled-reads.js';
import { ruledCondition, ruledRow } from './ruled-condition.js';
import { ruledSelection } from './ruled-selection.js';
import { createObserved, type Returning, updateObserved } from './observed-writes.js';

/** Executes a write under the rules. It must run in a transaction, which an error rolls back. */
export function writeRuled(session: Session, query: Write): Promise<ResultOf<Write>> {
  return match(WRITES, query, session);
}

const WRITES: Table<Write, [Session], Promise<ResultOf<Write>>> = {
  'create': createOne,
  'create-many': (query, session) =>
    query.selection ? createAndReturn({ ...query, selection: query.selection }, session) : createMany(query, session),
  'update': updateOne,
  'update-many': (query, session) =>
    query.selection ? updateAndReturn({ ...query, selection: query.selection }, session) : updateMany(query, session),
  'upsert': upsertOne,
  'delete': deleteOne,
  'delete-many': deleteMany,
};

async function createOne(query: Create, session: Session): Promise<Answer> {
  const { model, record } = query;
  const writer = new RuledRowWriter(session);
  writer.requireSome(model, 'create');
  if (!record.relations.every(isOwn) || hasCursor(query)) return answerRow(writer, await writer.create(record), query);
  const { columns } = await writeOwn(writer, new Pending(model), record);
  const { selection, complete } = returning(session, query.selection, record.fields, writer.watch(model, 'create'));
  const row = await writer.insert(withColumns({ ...record, relations: [] }, columns), selection);
  await writer.written.check({ model, rows: [row] });
  return complete(row);
}

async function updateOne(query: Update, session: Session): Promise<Answer> {
  const { model, record } = query;
  const { executor, rules } = session;
  const writer = new RuledRowWriter(session);
  const where = ruledRow(rules, query.where, writer.reach(model, 'using'));
  const find = async (): Promise<Row> => {
    const found = executor.run({ kind: 'find-unique', model, where, selection: writer.foundFields(model), isRequired: true });
    return required(await orRefuse(session, query, found));
  };
  if (!writer.returnsRows || record.relations.length > 0 || hasCursor(query)) return updateInSteps(writer, query, find);
  const watch = record.fields.length > 0 ? writer.watch(model, 'update') : undefined;
  const before = watch && (await find());
  const given = watch && before ? await watch.before(executor, { record, before }) : record;
  const { selection, complete } = returning(session, query.selection, given.fields, watch);
  const row = await orRefuse(session, query, executor.run({ ...query, record: versionedRecord(rules, given), where, selection }));
  writer.written.add('check', { model, rows: [row] }, given.fields);
  if (watch && before) await watch.after(executor, { before, after: row });
  await writer.written.check({ model, rows: [row] });
  return complete(row);
}

/** Finds and locks the row, and then writes it and its related rows by separate statements. */
async function updateInSteps(writer: RowWriter, query: Update, find: () => Promise<Row>): Promise<Row> {
  const { more } = query.where;
  if (more.kind !== 'always') await writer.lock(query.where);
  const kept = writer.returnsRows ? ALWAYS : ruledCondition(writer.session.rules, more);
  return answerRow(writer, await writer.update(await find(), query.record, kept), query);
}

/**
 * Finds the row first, and then updates or creates it, each under its own rules.
 *
 * @throws ApiError if another transaction has changed the row so that the conditions in addition to its key no longer hold
 */
async function upsertOne({ kind: _, where, create, update, ...query }: Upsert, session: Session): Promise<Answer> {
  const writer = new RuledRowWriter(session);
  const found = await writer.find(query.model, where);
  if (found && where.more.kind !== 'always') await writer.findNamed(query.model, rowNamed(query.model, found, where.more));
  if (!found) return createOne({ ...query, kind: 'create', record: create }, session);
  return updateOne({ ...query, kind: 'update', where: rowNamed(query.model, found, where.more), record: update }, session);
}

async function deleteOne(query: Delete, session: Session): Promise<Row> {
  const { model, where, selection } = query;
  const { executor, rules } = session;
  const writer = new RuledRowWriter(session);
  // A soft-deleted row would be returned in its state after the delete.
  const isGone = rules.softDelete(model) === undefined;
  if (isGone && !writer.watch(model, 'delete') && writer.returnsRows && areFields(selection))
    return orRefuse(session, query, executor.run({ ...query, where: ruledRow(rules, where, writer.reach(model, 'delete')) }));
  // Prisma would read the row, too, but then delete it without checking that it still meets the condition.
  const { selection: found, withoutKey } = selectKeys(selection, fieldsIn(writer.foundFields(model)));
  const row = required(await readRuled(session, { ...query, kind: 'find-unique', selection: found, isRequired: true }));
  await writer.remove(model, row, uniqueAsCondition(ruledRow(rules, where)));
  return withoutKey(row);
}

async function createMany({ model, records, skipDuplicates }: CreateMany, session: Session): Promise<Affected> {
  const writer = new RuledRowWriter(session);
  const count = await createRows(writer, model, records, skipDuplicates);
  await writer.written.check();
  return { count };
}

async function createAndReturn(query: Returning<CreateMany>, session: Session): Promise<Answer> {
  const { model } = query;
  const writer = new RuledRowWriter(session);
  writer.requireSome(model, 'create');
  const { selection, complete } = returning(session, query.selection, collectFields(query.records), writer.watch(model, 'create'));
  const rows = await createObserved(writer, { ...query, selection });
  await writer.written.check({ model, rows });
  return complete(rows);
}

async function updateMany({ where, record, limit }: UpdateMany, session: Session): Promise<Affected> {
  const writer = new RuledRowWriter(session);
  const count = await writer.updateMany(ruledCondition(session.rules, where), record, limit);
  await writer.written.check();
  return { count };
}

async function updateAndReturn({ limit, ...query }: Returning<UpdateMany>, session: Session): Promise<Answer> {
  const { model, record } = query;
  const writer = new RuledRowWriter(session);
  const reached = and(ruledCondition(session.rules, query.where), writer.reach(model, 'using'));
  const watch = record.fields.length > 0 ? writer.watch(model, 'update') : undefined;
  const { selection, complete } = returning(session, query.selection, record.fields, watch);
  const rows: Row[] = [];
  if (watch) {
    rows.push(...(await updateObserved(writer, { record, where: reached, selection }, limit)));
  } else {
    const parts = limit === undefined ? [{ where: reached }] : await writer.partsOf(model, reached, limit);
    const versioned = versionedRecord(session.rules, record);
    for (const { where } of parts) rows.push(...(await session.executor.run({ ...query, record: versioned, where, selection })));
    writer.written.add('check', { model, rows }, record.fields);
  }
  await writer.written.check({ model, rows });
  return complete(rows);
}

async function deleteMany({ model, where, limit }: DeleteMany, session: Session): Promise<Affected> {
  return { count: await new RuledRowWriter(session).deleteMany(model, ruledCondition(session.rules, where), limit) };
}

type Answer = Row | readonly Row[];

interface Returned {
  /** The selection with the key of the rows, the foreign keys that the caller sets, and the fields that hooks receive. */
  readonly selection: Selection;
  /** Loads the relations of separate queries, and removes members that were not selected. */
  readonly complete: (result: Answer) => Promise<Answer>;
}

/**
 * Prepares the result of a write of one statement.
 *
 * @param given the fields that the caller sets
 */
function returning(session: Session, selection: Selection, given: readonly WrittenField[], watch: RowWatch | undefined): Returned {
  const { model } = selection;
  const { selection: ruled, separate } = ruledSelection(session.rules, selection);
  const observedNames = watch?.wantsAfter ? fieldsIn(allFields(model)) : [];
  const keyed = selectKeys(ruled, [...rowKey(model).fields, ...givenKeyFields(session.rules, model, given), ...observedNames]);
  const complete = async (result: Answer): Promise<Answer> => {
    const rows = await completeRows(session, result, separate);
    return isRows(rows) ? rows.map(keyed.withoutKey) : keyed.withoutKey(rows);
  };
  return { selection: keyed.selection, complete };
}

/** Checks the rules of all written rows, and reads the result. */
async function answerRow(
  { session, written }: RowWriter,
  row: Row | undefined,
  { model, selection, loadStrategy }: Create | Update,
): Promise<Row> {
  if (!row) {
    await written.check();
    // Prisma, too, returns null for a row that the database has deleted during the write, though its types have none.
    return null as unknown as Row;
  }
  await written.check({ model, rows: [row] });
  const where = rowNamed(model, row);
  const strategy = loadStrategy && { loadStrategy };
  return required(await readRuled(session, { kind: 'find-unique', model, where, selection, isRequired: true, ...strategy }));
}

/** Awaits a write. If it finds no row, a row that the caller may read is rejected by its rule, and any other row is missing. */
async function orRefuse<Result>(
  { executor, rules }: Session,
  { kind, model, where }: Update | Delete,
  writing: Promise<Result>,
): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    if (!isNothingFound(error)) throw error;
    const named = readableRow(rules, model, where);
    const row = await executor.run({ kind: 'find-unique', model, where: named, selection: keyFields(model), isRequired: false });
    throw row === null ? error : rules.refusal(model, kind === 'update' ? 'using' : 'delete');
  }
}
