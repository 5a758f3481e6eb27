import { returnsRows } from '../model/storage/returns-rows.js';
import type { StoredModel } from '../model/storage/storage.js';
import { ALWAYS, and, type Condition, type UniqueCondition } from '../query/condition.js';
import type { Row } from '../query/result.js';
import type { Selection } from '../query/selection.js';
import { type CountedWrite, keyPlaceOf, type WrittenField, type WrittenRecord } from '../query/write.js';
import { versionedFields, versionedRecord } from './versioned-fields.js';
import type { ColumnsOptions, FoundRow } from './found-row.js';
import { Pending } from './links.js';
import { softDeleteRows } from './soft-deleted-rows.js';
import { givenKeyFields, wholeValues } from './referenced-rows.js';
import { isNothingFound, missingRow } from './refusals.js';
import { changedKey, recordOf, rejectKeyChange, withColumns } from './records.js';
import type { RowAction, RowWatch } from './write-observer.js';
import { allFields, findSome, isOneOf, rowCondition, keyChunks, keyFields, linkFields, required, rowNamed, type Session } from './rows.js';
import { readableRows, ruledRow } from './ruled-condition.js';
import type { RowWriter } from './row-writer.js';
import { writeOthers, writeOwn } from './verbs.js';
import { deleteObserved, updateObserved, observedFields } from './observed-writes.js';
import { WrittenRows } from './written-rows.js';

/**
 * Writes single rows under the rules, and their related rows one after the other. Because nested writes are decomposed, it is certain of every row
 * whether it is created, changed or deleted. The caller must run this in a transaction.
 */
export class RuledRowWriter implements RowWriter {
  readonly written: WrittenRows;

  constructor(readonly session: Session) {
    this.written = new WrittenRows(session);
  }

  /** Whether a write and its result are one statement. */
  get returnsRows(): boolean {
    return returnsRows(this.session.rules.storage);
  }

  /** Creates a row and its related rows. Returns the fields of the new row that keys consist of. */
  async create(record: WrittenRecord): Promise<Row> {
    const { model } = record;
    const { columns } = await writeOwn(this, new Pending(model), record);
    const row = await this.insert(withColumns({ ...record, relations: [] }, columns), linkFields(model));
    await writeOthers(this, { model, row }, record);
    return row;
  }

  /** Creates one row from a record without relations. */
  async insert(record: WrittenRecord, selection: Selection): Promise<Row> {
    const { model } = record;
    const { executor } = this.session;
    this.requireSome(model, 'create');
    const watch = this.watch(model, 'create');
    const given = (await watch?.before(executor, { record })) ?? record;
    const row = await executor.run({ kind: 'create', model, record: given, selection: observedFields(watch, selection) });
    this.written.add('create', { model, rows: [row] }, given.fields);
    await watch?.after(executor, { after: row });
    return row;
  }

  /**
   * Updates a row and its related rows.
   *
   * @param row a row that the caller may read
   * @param more the condition that the row must still meet, on a database that does not lock it
   * @returns undefined if the database has deleted the row, because a row that it referenced was deleted
   */
  async update(row: Row, record: WrittenRecord, more: Condition = ALWAYS): Promise<Row | undefined> {
    const { model, fields } = record;
    const { columns, after, cascades } = await writeOwn(this, new Pending(model, row), record);
    // Rows of a join table belong to no model. Hooks are notified of the record whose links change.
    const isJoined = record.relations.some(({ relation }) => keyPlaceOf(relation).kind === 'join-table');
    const written = [...fields, ...columns];
    const incrementsVersion = written.length > 0 || record.relations.length > 0;
    const updated = await this.updateColumns(model, row, written, { isObserved: isJoined || written.length > 0, incrementsVersion, more });
    for (const finish of after) await finish();
    await writeOthers(this, { model, row: updated }, record);
    return cascades && !(await this.written.isStored(model, updated)) ? undefined : updated;
  }

  /** Updates columns of a row that the caller may read. */
  async updateColumns(
    model: StoredModel,
    row: Row,
    fields: readonly WrittenField[],
    { isObserved = fields.length > 0, incrementsVersion = fields.length > 0, more = ALWAYS }: ColumnsOptions = {},
  ): Promise<Row> {
    const { executor, rules } = this.session;
    const watch = isObserved ? this.watch(model, 'update') : undefined;
    const record = (await watch?.before(executor, { record: recordOf(model, fields), before: row })) ?? recordOf(model, fields);
    const versioned = incrementsVersion ? recordOf(model, versionedFields(rules, model, record.fields)) : record;
    const updated = await this.writeColumns(versioned, { row, more }, observedFields(watch, linkFields(model)));
    this.written.add('check', { model, rows: [updated] }, record.fields);
    await watch?.after(executor, { before: row, after: updated });
    return updated;
  }

  private async writeColumns(record: WrittenRecord, { row, more }: FoundRow, selection: Selection): Promise<Row> {
    const { executor } = this.session;
    const { model, fields } = record;
    const where = rowNamed(model, row, this.reach(model, 'using'));
    if (fields.length === 0) {
      // No statement writes the row, so a lock must ensure that it still meets its rule.
      if (where.more.kind !== 'always') await this.lock(where);
      return this.orRefuse(model, row, executor.run({ kind: 'find-unique', model, where, selection, isRequired: true }));
    }
    if (this.returnsRows || changedKey(record) !== undefined) {
      return this.orRefuse(model, row, executor.run({ kind: 'update', model, where, record, selection }));
    }
    // Prisma's `update` would not check that its statement still finds the row that it has read before.
    const reached = and(rowCondition(model, row), this.reach(model, 'using'), more);
    if ((await this.affect({ kind: 'update-many', model, where: reached, record })) === 0)
      throw await this.outOfReach(rowNamed(model, row, more), 'using');
    const isKept = fields.every(({ field }) => !selection.members.some((member) => member.kind === 'field' && member.field === field));
    return isKept && selection === linkFields(model) ? row : this.read(model, row, selection);
  }

  /** Deletes a row that the caller may read, if it meets an additional condition. */
  async remove(model: StoredModel, row: Row, more: Condition = ALWAYS): Promise<void> {
    if (!(await this.removeSome(model, row, and(more, this.reach(model, 'delete')))))
      throw await this.outOfReach(rowNamed(model, row, more), 'delete');
  }

  /** Deletes a row if it meets a condition. Returns whether the row existed and met it. */
  async removeSome(model: StoredModel, row: Row, condition: Condition): Promise<boolean> {
    const { executor } = this.session;
    const watch = this.watch(model, 'delete');
    await watch?.before(executor, { record: recordOf(model, []), before: row });
    if ((await this.deleteRows(model, and(rowCondition(model, row), condition))) === 0) return false;
    this.written.drop(model, [row]);
    await watch?.after(executor, { before: row });
    return true;
  }

  /** Updates the rows that the caller may read and update. Other rows are ignored. */
  async updateMany(where: Condition, record: WrittenRecord, limit?: number): Promise<number> {
    const { model } = record;
    const { rules } = this.session;
    const reached = and(where, this.reach(model, 'using'));
    if (this.watch(model, 'update'))
      return (await updateObserved(this, { record, where: reached, selection: linkFields(model) }, limit)).length;
    const versioned = versionedRecord(rules, record);
    const isChecked = rules.of(model, 'check').kind !== 'always';
    const values = wholeValues(rules, record);
    if (!isChecked && limit === undefined && values) {
      const count = await this.affect({ kind: 'update-many', model, where: reached, record: versioned });
      if (count > 0) this.written.referred.add(model, record.fields, [values]);
      return count;
    }
    const parts = await this.partsOf(model, reached, limit);
    if ((isChecked || !values) && parts.length > 0) rejectKeyChange(record);
    let count = 0;
    for (const part of parts) {
      const updated = await this.updatePart(part, versioned);
      count += updated.count;
      this.written.add('check', { model, rows: updated.rows }, record.fields);
    }
    return count;
  }

  private async updatePart(
    { where, rows }: Part,
    record: WrittenRecord,
  ): Promise<{ readonly count: number; readonly rows: readonly Row[] }> {
    const { model } = record;
    if (!this.returnsRows) {
      const count = await this.affect({ kind: 'update-many', model, where, record });
      // The database does not return which rows another transaction has changed, so all of them are checked.
      if (count === 0) return { rows: [], count };
      const isKept = givenKeyFields(this.session.rules, model, record.fields).length === 0;
      return {
        rows: isKept ? rows : await findSome(this.session, { model, where: isOneOf(model, rows), selection: linkFields(model) }),
        count,
      };
    }
    const query = { kind: 'update-many', model, where, record, selection: linkFields(model) } as const;
    const updated = await this.session.executor.run(query);
    return { rows: updated, count: updated.length };
  }

  /** Deletes the rows that the caller may read and delete. Other rows are ignored. */
  async deleteMany(model: StoredModel, where: Condition, limit?: number): Promise<number> {
    const reached = and(where, this.reach(model, 'delete'));
    if (this.watch(model, 'delete')) return deleteObserved(this, model, reached, limit);
    if (limit === undefined && !this.written.has(model)) return this.deleteRows(model, reached);
    let count = 0;
    for (const part of await this.partsOf(model, reached, limit)) {
      count += await this.deleteRows(model, part.where);
      this.written.drop(model, part.rows);
    }
    return count;
  }

  /**
   * Returns the rows that a bulk write reaches, by their keys. A `limit` is applied here, too. Prisma selects limited rows in a subquery, which the
   * database does not evaluate again after a lock wait.
   *
   * @throws ApiError for more rows than `limits.maxTake`
   */
  async partsOf(model: StoredModel, reached: Condition, limit?: number): Promise<readonly Part[]> {
    const rows = await findSome(this.session, { model, where: reached, selection: keyFields(model) }, limit);
    return keyChunks(rows).map((some) => ({ where: and(reached, isOneOf(model, some)), rows: some }));
  }

  /** Returns the hooks that observe a write; undefined if there are none. */
  watch(model: StoredModel, action: RowAction): RowWatch | undefined {
    return this.session.observer?.watch(model, action);
  }

  /** Selects the fields that are read of a row before it is updated or deleted. */
  foundFields(model: StoredModel): Selection {
    return this.session.observer?.wantsBefore(model) ? allFields(model) : linkFields(model);
  }

  /** Finds a row by its unique condition; undefined if no such row may be read. */
  async find(model: StoredModel, row: UniqueCondition, condition: Condition = ALWAYS): Promise<Row | undefined> {
    const { executor, rules } = this.session;
    const where = ruledRow(rules, row, condition, rules.of(model, 'read'));
    return (await executor.run({ kind: 'find-unique', model, where, selection: this.foundFields(model), isRequired: false })) ?? undefined;
  }

  /** Locks a row that must meet more than its key, and finds it as it will be written; undefined if no such row may be read. */
  async findLocked(model: StoredModel, row: UniqueCondition, condition: Condition = ALWAYS): Promise<Row | undefined> {
    if (row.more.kind !== 'always') await this.lock(row);
    return this.find(model, row, condition);
  }

  /** Locks the row that has a key until the transaction ends. */
  async lock(row: UniqueCondition): Promise<void> {
    const { executor, rules } = this.session;
    await executor.lock?.(row, rules.storage.provider);
  }

  /** @throws ApiError if {@link findLocked} finds no row */
  async findNamed(model: StoredModel, named: UniqueCondition): Promise<Row> {
    const row = await this.findLocked(model, named);
    if (!row) throw missingRow(model.model);
    return row;
  }

  /** Finds the readable rows that meet a condition of the package, and one of the caller. */
  async findAll(model: StoredModel, own: Condition, given: Condition): Promise<readonly Row[]> {
    const where = and(readableRows(this.session.rules, model, given), own);
    return findSome(this.session, { model, where, selection: this.foundFields(model) });
  }

  /** Compiles the condition of the rows that the caller may read and write. */
  reach(model: StoredModel, name: 'using' | 'delete'): Condition {
    const { rules } = this.session;
    return and(rules.of(model, 'read'), rules.of(model, name));
  }

  /** @throws ApiError for an action that the rules allow for no row at all */
  requireSome(model: StoredModel, name: 'create' | 'using' | 'delete'): void {
    if (this.session.rules.of(model, name).kind === 'never') throw this.session.rules.refusal(model, name);
  }

  private async read(model: StoredModel, row: Row, selection: Selection): Promise<Row> {
    const { executor } = this.session;
    return required(await executor.run({ kind: 'find-unique', model, where: rowNamed(model, row), selection, isRequired: true }));
  }

  /** Deletes rows, or soft-deletes them if their model has soft delete. */
  private deleteRows(model: StoredModel, where: Condition): Promise<number> {
    const soft = this.session.rules.softDelete(model);
    return soft ? softDeleteRows(this.session, model, where) : this.affect({ kind: 'delete-many', model, where });
  }

  /** Executes a bulk write, and returns the number of changed rows. */
  async affect(query: CountedWrite): Promise<number> {
    return (await this.session.executor.run(query)).count;
  }

  /** Awaits the write of a row that was found, and throws the error of a row that could not be written. */
  private async orRefuse(model: StoredModel, row: Row, writing: Promise<Row | null>): Promise<Row> {
    try {
      return required(await writing);
    } catch (error) {
      throw isNothingFound(error) ? await this.outOfReach(rowNamed(model, row), 'using') : error;
    }
  }

  /** Returns the error for a row that was found but not written: a rule excludes it, or another transaction has deleted or changed it. */
  private async outOfReach(row: UniqueCondition, name: 'using' | 'delete'): Promise<Error> {
    const [{ model }] = row.keys;
    const isRuled = this.reach(model, name).kind !== 'always' && (await this.find(model, row)) !== undefined;
    return isRuled ? this.session.rules.refusal(model, name) : missingRow(model.model);
  }
}

/** Rows that fit into one statement, and the condition of their write: all conditions again, because the rows may have changed since. */
interface Part {
  readonly where: Condition;
  readonly rows: readonly Row[];
}
