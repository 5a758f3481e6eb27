import type { Executor } from '../executor/executor.js';
import { isWriteConflict } from '../errors/is-write-conflict.js';
import { memberOf } from '../errors/member-of.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { and, compare, type Condition } from '../query/condition.js';
import { fieldNamed, hasValues, selectFields } from '../query/fields.js';
import { sameRow } from '../query/key.js';
import type { FindUnique } from '../query/read.js';
import type { Row } from '../query/result.js';
import type { WrittenField, WrittenRecord } from '../query/write.js';
import { KeyHeldError, type KeyRecords, type Looking, SWEPT_AT_ONCE } from './key-records.js';
import type { Claim, StoredRecord, StoredReply, RecordId } from '../options/idempotency-store.js';
import type { RecordField } from './record-model.js';

/** The records as rows of a model of the Prisma schema. */
export class ModelRecords implements KeyRecords {
  constructor(
    private readonly model: StoredModel,
    private readonly database: Pick<Storage, 'provider' | 'orm'>,
  ) {}

  mayWait({ sql }: Executor): boolean {
    return !sql || this.database.provider !== 'postgresql';
  }

  async find(id: RecordId, { requestContext, runner }: Looking): Promise<StoredRecord | undefined> {
    const { model } = this;
    const selection = selectFields(model, READ);
    const look: FindUnique = { kind: 'find-unique', model, where: sameRow(model, { ...id }), selection, isRequired: false };
    const row = await runner.runQuery(look, requestContext);
    if (!row || !isAnswered(row)) return undefined;
    const { fingerprint, expiresAt, status, headers, body } = row;
    return { fingerprint, expiresAt, reply: { status, headers: headers ?? {}, body } };
  }

  /** Waits for another transaction that has claimed the key. On PostgreSQL it tries an advisory lock instead, which does not wait. */
  async claim(open: Executor, claim: Claim): Promise<void> {
    if (!(await this.lock(open, claim.id))) throw new KeyHeldError();
    try {
      if (!(await (claim.replaces ? this.replace(open, claim) : this.insert(open, claim)))) throw new KeyHeldError();
    } catch (error) {
      throw memberOf(error, 'code') === 'P2002' || isWriteConflict(error) ? new KeyHeldError() : error;
    }
  }

  async complete(open: Executor, id: RecordId, { status, headers, body }: StoredReply): Promise<void> {
    const record = this.record('update', { status, headers, body });
    const { count } = await open.run({ kind: 'update-many', model: this.model, where: this.at(id), record });
    if (count !== 1) throw new Error(`The record of an idempotency key is gone before its write is done: ${count} rows were updated.`);
  }

  /** Does nothing, because the rollback of the transaction has removed the claim. */
  release(): Promise<void> {
    return Promise.resolve();
  }

  async sweep(executor: Executor, now: Date): Promise<number> {
    const where = compare(fieldNamed(this.model, 'expiresAt'), 'lte', now);
    return (await executor.run({ kind: 'delete-many', model: this.model, where, limit: SWEPT_AT_ONCE })).count;
  }

  /**
   * Tries to take the advisory lock of the key on PostgreSQL; returns true on other databases. The lock is taken without waiting, so that retries of
   * one write do not exhaust the connection pool.
   */
  private async lock(open: Executor, { scope }: RecordId): Promise<boolean> {
    const { sql } = open;
    if (!sql || this.mayWait(open)) return true;
    const number = BigInt.asIntN(64, BigInt(`0x${scope.slice(-LOCKED_DIGITS)}`));
    const [row] = await sql('SELECT pg_try_advisory_xact_lock($1::bigint) AS "claimed"', [number]);
    return row?.['claimed'] !== false;
  }

  private async insert(open: Executor, { id, fingerprint, expiresAt }: Claim): Promise<boolean> {
    const { model, database } = this;
    const record = this.record('create', { ...id, fingerprint, expiresAt });
    if (SKIPPING.has(database.provider)) {
      // A violated unique constraint would abort the whole transaction on PostgreSQL.
      return (await open.run({ kind: 'create-many', model, records: [record], skipDuplicates: true })).count === 1;
    }
    await open.run({ kind: 'create', model, record, selection: selectFields(model, ['key']) });
    return true;
  }

  /** Replaces an expired record, unless another request has replaced it already. */
  private async replace(open: Executor, { id, fingerprint, expiresAt }: Claim): Promise<boolean> {
    const { model } = this;
    const record = this.record('update', { fingerprint, expiresAt, status: null, headers: null, body: null });
    const where = and(this.at(id), compare(fieldNamed(model, 'expiresAt'), 'lte', new Date()));
    return (await open.run({ kind: 'update-many', model, where, record })).count === 1;
  }

  private at({ scope, key }: RecordId): Condition {
    return hasValues(this.model, { scope, key });
  }

  private record(action: WrittenRecord['action'], values: Readonly<Partial<Record<RecordField, unknown>>>): WrittenRecord {
    const { model } = this;
    const fields = Object.entries(values).map(([name, value]: [string, unknown]): WrittenField => ({
      field: fieldNamed(model, name),
      operation: 'set',
      value,
    }));
    return { kind: 'record', model, action, fields, relations: [], at: [] };
  }
}

const READ: readonly RecordField[] = ['fingerprint', 'status', 'headers', 'body', 'expiresAt'];

/** Databases that can skip a row whose key exists, and continue the transaction. */
const SKIPPING: ReadonlySet<Storage['provider']> = new Set(['postgresql', 'cockroachdb', 'mysql']);

/** The number of hexadecimal digits in 64 bits. */
const LOCKED_DIGITS = 16;

type AnsweredRow = Omit<StoredRecord, 'reply'> & Omit<StoredReply, 'headers'> & { readonly headers: StoredReply['headers'] | null };

/** Whether the row has a stored response. The types of the fields are right, because they were compared at boot. */
function isAnswered(row: Row): row is AnsweredRow {
  return row['status'] !== null;
}
