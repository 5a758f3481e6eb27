import type { StoredModel } from '../model/storage/storage.js';
import type { Condition, UniqueCondition } from '../query/condition.js';
import type { Row } from '../query/result.js';
import type { Selection } from '../query/selection.js';
import type { CountedWrite, WrittenField, WrittenRecord } from '../query/write.js';
import type { ColumnsOptions } from './found-row.js';
import type { RowAction, RowWatch } from './write-observer.js';
import type { Session } from './rows.js';
import type { WrittenRows } from './written-rows.js';

/** A writer of single rows under the rules. Links and nested verbs write their rows through it. */
export interface RowWriter {
  readonly session: Session;
  readonly written: WrittenRows;
  /** Whether a write and its result are one statement. */
  readonly returnsRows: boolean;
  create(record: WrittenRecord): Promise<Row>;
  update(row: Row, record: WrittenRecord, more?: Condition): Promise<Row | undefined>;
  updateColumns(model: StoredModel, row: Row, fields: readonly WrittenField[], options?: ColumnsOptions): Promise<Row>;
  remove(model: StoredModel, row: Row): Promise<void>;
  removeSome(model: StoredModel, row: Row, condition: Condition): Promise<boolean>;
  updateMany(where: Condition, record: WrittenRecord): Promise<number>;
  deleteMany(model: StoredModel, where: Condition): Promise<number>;
  watch(model: StoredModel, action: RowAction): RowWatch | undefined;
  foundFields(model: StoredModel): Selection;
  find(model: StoredModel, row: UniqueCondition, condition?: Condition): Promise<Row | undefined>;
  findLocked(model: StoredModel, row: UniqueCondition, condition?: Condition): Promise<Row | undefined>;
  lock(row: UniqueCondition): Promise<void>;
  findNamed(model: StoredModel, named: UniqueCondition): Promise<Row>;
  findAll(model: StoredModel, own: Condition, given: Condition): Promise<readonly Row[]>;
  requireSome(model: StoredModel, name: 'create' | 'using' | 'delete'): void;
  affect(query: CountedWrite): Promise<number>;
}
