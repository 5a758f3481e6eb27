import { ApiError } from '../errors/api-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import type { WrittenRecord } from '../query/write.js';
import { collectFields } from './records.js';
import { wholeValues } from './referenced-rows.js';
import type { RowWriter } from './row-writer.js';
import { linkFields } from './rows.js';
import { createObserved } from './observed-writes.js';

/**
 * Creates rows of one model from records without relations.
 *
 * @returns the number of created rows, without skipped duplicates
 */
export async function createRows(
  writer: RowWriter,
  model: StoredModel,
  records: readonly WrittenRecord[],
  skipDuplicates?: boolean,
): Promise<number> {
  if (records.length === 0) return 0;
  writer.requireSome(model, 'create');
  const query = { kind: 'create-many', model, records, ...(skipDuplicates !== undefined && { skipDuplicates }) } as const;
  if (writer.watch(model, 'create')) {
    if (!writer.returnsRows) return createEach(writer, records, skipDuplicates);
    return (await createObserved(writer, { ...query, selection: linkFields(model) })).length;
  }
  const { rules, executor } = writer.session;
  const values = records.map((record) => wholeValues(rules, record));
  if (rules.of(model, 'create').kind === 'always' && !values.includes(undefined)) {
    const count = await writer.affect(query);
    for (const [index, { fields }] of records.entries()) writer.written.referred.add(model, fields, [values[index] ?? {}]);
    return count;
  }
  if (!writer.returnsRows) return createEach(writer, records, skipDuplicates);
  const rows = await executor.run({ ...query, selection: linkFields(model) });
  writer.written.add('create', { model, rows }, collectFields(records));
  return rows.length;
}

async function createEach(writer: RowWriter, records: readonly WrittenRecord[], skipDuplicates: boolean | undefined): Promise<number> {
  if (skipDuplicates === true) {
    throw new ApiError(
      'invalid-payload',
      `'skipDuplicates' cannot be used for ${records[0]?.model.model ?? ''}: the database does not say which rows it left out.`,
    );
  }
  for (const record of records) await writer.create(record);
  return records.length;
}
