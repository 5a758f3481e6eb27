import { selectKeys } from '../executor/loading/select-keys.js';
import type { StoredModel } from '../model/storage/storage.js';
import { and, type Condition } from '../query/condition.js';
import { fieldsIn } from '../query/fields.js';
import type { Row } from '../query/result.js';
import type { Selection } from '../query/selection.js';
import type { CreateMany, UpdateMany, WrittenRecord } from '../query/write.js';
import { versionedRecord } from './versioned-fields.js';
import { collectFields, rejectKeyChange } from './records.js';
import type { RowWatch } from './write-observer.js';
import type { RowWriter } from './row-writer.js';
import { allFields, findSome, isOneOf, rowCondition, keyChunks, required, rowNamed, rowText } from './rows.js';

/** A bulk write that returns its rows. */
export type Returning<Query extends CreateMany | UpdateMany> = Query & { readonly selection: Selection };

/** The values of a bulk update, and the condition of the rows that it reaches. */
type Updating = Pick<Returning<UpdateMany>, 'record' | 'where' | 'selection'>;

/** Returns a selection with all fields of the model if hooks receive rows after a write. */
export function observedFields(watch: RowWatch | undefined, selection: Selection): Selection {
  if (!watch?.wantsAfter) return selection;
  return selectKeys(selection, fieldsIn(allFields(selection.model))).selection;
}

/** Creates rows by one statement that returns them, and notifies the hooks of each row. */
export async function createObserved(writer: RowWriter, query: Returning<CreateMany>): Promise<readonly Row[]> {
  const { model, selection } = query;
  const { executor } = writer.session;
  const watch = writer.watch(model, 'create');
  const records: WrittenRecord[] = [];
  for (const record of query.records) records.push((await watch?.before(executor, { record })) ?? record);
  const rows = await executor.run({ ...query, records, selection: observedFields(watch, selection) });
  writer.written.add('create', { model, rows }, collectFields(records));
  for (const row of rows) await watch?.after(executor, { after: row });
  return rows;
}

/**
 * Reads rows, updates them, and notifies the hooks of each row. Rows with the same values are updated by one statement if the database returns rows.
 */
export async function updateObserved(writer: RowWriter, { record, where, selection }: Updating, limit?: number): Promise<readonly Row[]> {
  const { model } = record;
  const { executor } = writer.session;
  const watch = writer.watch(model, 'update');
  const found = await findSome(writer.session, { model, where, selection: writer.foundFields(model) }, limit);
  const groups = new Map<WrittenRecord, Row[]>();
  for (const row of found) {
    const given = (await watch?.before(executor, { record, before: row })) ?? record;
    if (given.fields.length > 0) groups.set(given, [...(groups.get(given) ?? []), row]);
  }
  const before = new Map(found.map((row) => [rowText(model, row), row]));
  const updated: Row[] = [];
  for (const [given, rows] of groups) {
    rejectKeyChange(given);
    const written = await updateGroup(writer, rows, {
      record: versionedRecord(writer.session.rules, given),
      where,
      selection: observedFields(watch, selection),
    });
    writer.written.add('check', { model, rows: written }, given.fields);
    for (const row of written) {
      const was = before.get(rowText(model, row));
      await watch?.after(executor, { ...(was && { before: was }), after: row });
    }
    updated.push(...written);
  }
  return updated;
}

async function updateGroup(
  writer: RowWriter,
  rows: readonly Row[],
  { record, where: reached, selection }: Updating,
): Promise<readonly Row[]> {
  const { model } = record;
  const { executor } = writer.session;
  const updated: Row[] = [];
  if (writer.returnsRows) {
    for (const some of keyChunks(rows)) {
      const where = and(reached, isOneOf(model, some));
      updated.push(...(await executor.run({ kind: 'update-many', model, where, record, selection })));
    }
    return updated;
  }
  for (const row of rows) {
    const { count } = await executor.run({ kind: 'update-many', model, where: and(reached, rowCondition(model, row)), record });
    if (count === 0) continue;
    updated.push(required(await executor.run({ kind: 'find-unique', model, where: rowNamed(model, row), selection, isRequired: true })));
  }
  return updated;
}

/**
 * Reads rows, deletes them one by one, and notifies the hooks of each row. A bulk delete would only return a count.
 *
 * @returns the number of deleted rows
 */
export async function deleteObserved(writer: RowWriter, model: StoredModel, where: Condition, limit?: number): Promise<number> {
  let count = 0;
  for (const row of await findSome(writer.session, { model, where, selection: writer.foundFields(model) }, limit)) {
    if (await writer.removeSome(model, row, where)) count++;
  }
  return count;
}
