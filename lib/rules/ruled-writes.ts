import { selectKeys } from '../data-client/select-keys.js';
import { and, uniqueAsCondition } from '../query/condition.js';
import { rowKey } from '../query/key.js';
import { match, type Table } from '../query/match.js';
import type { FindUnique } from '../query/read.js';
import type { Affected, Row } from '../query/result.js';
import type { Selection } from '../query/selection.js';
import type { Create, CreateMany, Delete, DeleteMany, Update, UpdateMany, Upsert, Write, WrittenField } from '../query/write.js';
import { withColumns } from './links.js';
import { givenKeyFields } from './referred-rows.js';
import { isNothingFound } from './refusals.js';
import { fieldsOf } from './records.js';
import type { RowWatch } from './row-hooks.js';
import { RowWriter } from './row-writer.js';
import { splitRelations, writeOwn } from './verbs.js';
import { allFields, fieldsIn, keyFields, required, rowNamed, type Session } from './rows.js';
import { readableRow, readRuled, completeRows, hasCursor } from './ruled-reads.js';
import { ruledCondition, ruledRow } from './ruled-condition.js';
import { ruledSelection } from './ruled-selection.js';
import { createWatched, updateWatched } from './watched-writes.js';

/** Writes under the rules. It runs in a transaction, which an error undoes. */
export function writeRuled(session: Session, query: Write): Promise<unknown> {
  return match(WRITES, query, session);
}

const WRITES: Table<Write, [Session], Promise<unknown>> = {
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

async function createOne(query: Create, session: Session): Promise<unknown> {
  const { model, record } = query;
  const writer = new RowWriter(session);
  const { own, others } = splitRelations(record);
  writer.requireSome(model, 'create');
  if (others.length > 0 || hasCursor(query)) return answerRow(writer, await writer.create(record), query);
  const { columns } = await writeOwn(writer, { model }, own);
  const { selection, complete } = returning(session, query.selection, { given: record.fields, watch: writer.watch(model, 'create') });
  const row = await writer.insert(withColumns({ ...record, relations: [] }, columns), selection);
  await writer.written.settle({ model, rows: [row] });
  return complete(row);
}

async function updateOne(query: Update, session: Session): Promise<unknown> {
  const { model, record } = query;
  const { host, rules } = session;
  const writer = new RowWriter(session);
  const where = ruledRow(rules, query.where, writer.reach(model, 'using'));
  if (!writer.returnsRows || record.relations.length > 0 || hasCursor(query)) {
    const found = host.run({ kind: 'find-unique', model, where, selection: writer.foundFields(model), isRequired: true });
    return answerRow(writer, await writer.update(required(await orRefuse(session, query, found)), record), query);
  }
  const watch = record.fields.length > 0 ? writer.watch(model, 'update') : undefined;
  const before = watch && required(await orRefuse(session, query, host.run({ ...find(query, writer.foundFields(model)), where })));
  const given = watch && before ? await watch.before(host, { record, before }) : record;
  const { selection, complete } = returning(session, query.selection, { given: given.fields, watch });
  const row = await orRefuse(session, query, host.run({ ...query, record: given, where, selection }));
  writer.written.add('check', { model, rows: [row] }, given.fields);
  if (watch && before) await watch.after(host, { before, after: row });
  await writer.written.settle({ model, rows: [row] });
  return complete(row);
}

function find({ model, where }: Update, selection: Selection): FindUnique {
  return { kind: 'find-unique', model, where, selection, isRequired: true };
}

/** Looks for the row first, and then updates or creates: each by its own rules. */
async function upsertOne({ kind: _, where, create, update, ...query }: Upsert, session: Session): Promise<unknown> {
  const found = await new RowWriter(session).find(query.model, where);
  if (!found) return createOne({ ...query, kind: 'create', record: create }, session);
  return updateOne({ ...query, kind: 'update', where: rowNamed(query.model, found), record: update }, session);
}

async function deleteOne(query: Delete, session: Session): Promise<unknown> {
  const { model, where, selection } = query;
  const { host, rules } = session;
  const writer = new RowWriter(session);
  const watch = writer.watch(model, 'delete');
  // What is kept would be returned as it is once it is deleted.
  const isKept = rules.softDelete(model) !== undefined;
  if (!watch && !isKept && writer.returnsRows && selection.members.every(({ kind }) => kind === 'field')) {
    return orRefuse(session, query, host.run({ ...query, where: ruledRow(rules, where, writer.reach(model, 'delete')) }));
  }
  // Prisma would read, too, and then delete without a look at whether the row is still what it was.
  const { selection: found, withoutKey } = selectKeys(selection, fieldsIn(writer.foundFields(model)));
  const row = (await readRuled(session, { ...query, kind: 'find-unique', selection: found, isRequired: true })) as Row;
  await writer.remove(model, row, uniqueAsCondition(ruledRow(rules, where)));
  return withoutKey(row);
}

async function createMany({ model, records, skipDuplicates }: CreateMany, session: Session): Promise<Affected> {
  const writer = new RowWriter(session);
  const count = await writer.createMany(model, records, skipDuplicates);
  await writer.written.settle();
  return { count };
}

type Returning<Query> = Query & { readonly selection: Selection };

async function createAndReturn(query: Returning<CreateMany>, session: Session): Promise<unknown> {
  const { model } = query;
  const writer = new RowWriter(session);
  writer.requireSome(model, 'create');
  const asked = { given: fieldsOf(query.records), watch: writer.watch(model, 'create') };
  const { selection, complete } = returning(session, query.selection, asked);
  const rows = await createWatched(writer, { ...query, selection });
  await writer.written.settle({ model, rows });
  return complete(rows);
}

async function updateMany({ where, record, limit, isPart }: UpdateMany, { told, ...session }: Session): Promise<Affected> {
  const writer = new RowWriter({ ...session, ...(told && isPart !== true && { told }) });
  const count = await writer.updateMany(ruledCondition(session.rules, where), record, limit);
  await writer.written.settle();
  return { count };
}

async function updateAndReturn({ limit, ...query }: Returning<UpdateMany>, session: Session): Promise<unknown> {
  const { model } = query;
  const writer = new RowWriter(session);
  const reached = and(ruledCondition(session.rules, query.where), writer.reach(model, 'using'));
  const watch = query.record.fields.length > 0 ? writer.watch(model, 'update') : undefined;
  const { selection, complete } = returning(session, query.selection, { given: query.record.fields, watch });
  if (watch) {
    const rows = await updateWatched(writer, { record: query.record, reached, limit, selection });
    await writer.written.settle({ model, rows });
    return complete(rows);
  }
  const parts = limit === undefined ? [{ where: reached }] : await writer.partsOf(model, reached, limit);
  const rows: Row[] = [];
  for (const { where } of parts) rows.push(...(await session.host.run({ ...query, where, selection })));
  writer.written.add('check', { model, rows }, query.record.fields);
  await writer.written.settle({ model, rows });
  return complete(rows);
}

async function deleteMany({ model, where, limit }: DeleteMany, session: Session): Promise<Affected> {
  return { count: await new RowWriter(session).deleteMany(model, ruledCondition(session.rules, where), limit) };
}

interface Written {
  /** By the caller. */
  readonly given: readonly WrittenField[];
  readonly watch: RowWatch | undefined;
}

interface Returned {
  /** With the key of the rows, the keys that the caller has given, and all that is told of them. */
  readonly selection: Selection;
  /** Loads what is loaded apart, and takes out what was not asked for. */
  readonly complete: (result: Row | readonly Row[]) => Promise<unknown>;
}

/** How a write of one statement returns its answer. */
function returning(session: Session, asked: Selection, { given, watch }: Written): Returned {
  const { selection: ruled, apart } = ruledSelection(session.rules, asked);
  const keys = [...rowKey(asked.model).fields, ...givenKeyFields(session.rules, asked.model, given)];
  const told = watch?.wantsAfter ? fieldsIn(allFields(asked.model)) : [];
  const { selection, withoutKey } = selectKeys(ruled, [...new Set([...keys, ...told])]);
  const complete = async (result: Row | readonly Row[]): Promise<unknown> => {
    const rows = (await completeRows(session, result, apart)) as Row | readonly Row[];
    return Array.isArray(rows) ? rows.map(withoutKey) : withoutKey(rows as Row);
  };
  return { selection, complete };
}

/** Asks the rules of all that was written, and reads what is answered. */
async function answerRow({ session, written }: RowWriter, row: Row, { model, selection, loadStrategy }: Create | Update): Promise<unknown> {
  await written.settle({ model, rows: [row] });
  const where = rowNamed(model, row);
  return readRuled(session, { kind: 'find-unique', model, where, selection, isRequired: true, ...(loadStrategy && { loadStrategy }) });
}

/** A row that may be read and not be written is refused; any other is not there. */
async function orRefuse<Result>(
  { host, rules }: Session,
  { kind, model, where }: Update | Delete,
  writing: Promise<Result>,
): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    if (!isNothingFound(error)) throw error;
    const named = readableRow(rules, model, where);
    const row = await host.run({ kind: 'find-unique', model, where: named, selection: keyFields(model), isRequired: false });
    throw row === null ? error : rules.refusal(model, kind === 'update' ? 'using' : 'delete');
  }
}
