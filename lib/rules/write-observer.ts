import type { Executor } from '../executor/executor.js';
import type { StoredModel } from '../model/storage/storage.js';
import type { Row } from '../query/result.js';
import type { WrittenRecord } from '../query/write.js';

/** How a row is written. */
export type RowAction = 'create' | 'update' | 'delete';

/** Who is told of rows that are written: the hooks of the host. What writes rows knows nothing else of them. */
export interface RowHooks {
  /** Whether anybody is told of such a write. */
  has(model: string, action: RowAction): boolean;
  /** @param exchange what stands for the request */
  begin(exchange: { readonly request?: object }): WriteObserver;
}

/** The writes of one transaction, as they are told. */
export interface WriteObserver {
  /** For another transaction of the same request. */
  begin(): WriteObserver;
  /** Who is told of a write; undefined where nobody is. */
  watch(model: StoredModel, action: RowAction): RowWatch | undefined;
  /** Whether anybody is told how rows were before they were updated or deleted. */
  wantsBefore(model: StoredModel): boolean;
  /** The transaction is committed. */
  committed(): void;
}

/** Those who are told of one kind of writes to one model. */
export interface RowWatch {
  /** Whether they are told how a row is afterwards. */
  readonly wantsAfter: boolean;
  /**
   * Before a row is written.
   *
   * @returns what is written instead
   * @throws what they refuse it with
   */
  before(host: Executor, write: AwaitedWrite): Promise<WrittenRecord>;
  /** @throws what they refuse it with: its transaction is rolled back */
  after(host: Executor, write: DoneWrite): Promise<void>;
}

export interface AwaitedWrite {
  /** Without relations; of a row that is deleted, without anything. */
  readonly record: WrittenRecord;
  /** Absent where it is created. */
  readonly before?: Row;
}

export interface DoneWrite {
  /** Absent where it is created. */
  readonly before?: Row;
  /** Absent where it is deleted. */
  readonly after?: Row;
}
