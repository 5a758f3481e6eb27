import type { Executor } from '../executor/executor.js';
import type { StoredModel } from '../model/storage/storage.js';
import type { Row } from '../query/result.js';
import type { WrittenRecord } from '../query/write.js';

/** The kind of a write to a row. */
export type RowAction = 'create' | 'update' | 'delete';

/** The hooks of the application on written rows. The writers of rows access hooks only through this type. */
export interface RowHooks {
  /** Whether any hook observes such a write. */
  has(model: string, action: RowAction): boolean;
  /**
   * Begins to observe a transaction.
   *
   * @param context identifies the request
   */
  begin(context: { readonly request?: object }): WriteObserver;
}

/** The observer of the writes of one transaction. */
export interface WriteObserver {
  /** Returns an observer for another transaction of the same request. */
  begin(): WriteObserver;
  /** Returns the hooks that observe a write; undefined if there are none. */
  watch(model: StoredModel, action: RowAction): RowWatch | undefined;
  /** Whether any hook receives rows in their state before an update or delete. */
  wantsBefore(model: StoredModel): boolean;
  /** Called after the transaction is committed. */
  committed(): void;
}

/** The hooks that observe one kind of write to one model. */
export interface RowWatch {
  /** Whether the hooks receive rows in their state after the write. */
  readonly wantsAfter: boolean;
  /**
   * Calls the hooks before a row is written.
   *
   * @returns the record to write instead
   * @throws the error with which a hook rejects the write
   */
  before(executor: Executor, write: AwaitedWrite): Promise<WrittenRecord>;
  /**
   * Calls the hooks after a row is written.
   *
   * @throws the error with which a hook rejects the write; its transaction is rolled back
   */
  after(executor: Executor, write: DoneWrite): Promise<void>;
}

export interface AwaitedWrite {
  /** The record without relations; empty for a row that is deleted. */
  readonly record: WrittenRecord;
  /** Absent for a row that is created. */
  readonly before?: Row;
}

export interface DoneWrite {
  /** Absent for a row that is created. */
  readonly before?: Row;
  /** Absent for a row that is deleted. */
  readonly after?: Row;
}
