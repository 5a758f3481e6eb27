import { UnreadableResultError } from '../errors/unreadable-result-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import { and } from '../query/condition.js';
import { countRows } from '../query/read.js';
import type { Row } from '../query/result.js';
import type { WrittenField } from '../query/write.js';
import type { RuleName } from './compile-rules.js';
import { ReferencedRows } from './referenced-rows.js';
import { isOneOf, keyChunks, rowText, type Session } from './rows.js';

/** Rows whose fields are returned to the caller. */
export interface AnsweredRows {
  readonly model: StoredModel;
  readonly rows: readonly Row[];
}

/** The rows that a query has written. Their rules are checked on the final rows, in the same transaction. */
export class WrittenRows {
  readonly referred: ReferencedRows;
  private readonly checks = new Map<string, Check>();

  constructor(private readonly session: Session) {
    this.referred = new ReferencedRows(session);
  }

  /**
   * Adds written rows, which {@link check} then checks.
   *
   * @param given the fields that the caller sets in each row
   * @throws ApiError if the rule allows no row at all
   */
  add(name: 'create' | 'check', { model, rows }: AnsweredRows, given: readonly WrittenField[]): void {
    this.referred.add(model, given, rows);
    const { kind } = this.session.rules.of(model, name);
    if (kind === 'never' && rows.length > 0) throw this.session.rules.refusal(model, name);
    if (kind === 'always') return;
    const key = `${model.model}.${name}`;
    const check = this.checks.get(key) ?? { model, name, rows: new Map<string, Row>() };
    this.checks.set(key, check);
    for (const row of rows) check.rows.set(rowText(model, row), row);
  }

  /** Whether rows of the model are still to be checked. */
  has(model: StoredModel): boolean {
    return [...this.checks.values()].some((check) => check.model === model && check.rows.size > 0);
  }

  /** Removes rows that the same query has deleted again. */
  drop(model: StoredModel, rows: readonly Row[]): void {
    for (const check of this.checks.values()) {
      if (check.model === model) for (const row of rows) check.rows.delete(rowText(model, row));
    }
  }

  /** Whether a written row still exists. A row that the database has deleted is no longer checked. */
  async isStored(model: StoredModel, row: Row): Promise<boolean> {
    const count = await this.session.executor.run(countRows({ model, where: isOneOf(model, [row]) }));
    if (count === 0) this.drop(model, [row]);
    return count > 0;
  }

  /**
   * Checks the written rows, and the rows that they reference.
   *
   * @throws ApiError if a row violates its rules, or references one that may not be read; then nothing of the query is written
   * @throws UnreadableResultError if the result may not be read; the query is written all the same
   */
  async check(answered?: AnsweredRows): Promise<void> {
    await this.referred.check();
    const checks = [...this.checks.values()].filter(({ rows }) => rows.size > 0);
    if (answered && (await this.meetAllRules(checks, answered))) return;
    for (const { model, name, rows } of checks) {
      if (!(await this.meetRules(model, rows, [name]))) throw this.session.rules.refusal(model, name);
    }
    if (answered && !(await this.meetRules(answered.model, byText(answered), ['read']))) throw new UnreadableResultError();
  }

  /** Whether the returned rows meet the rules of their write and of reading, in one query. False if other rows were written, too. */
  private async meetAllRules(checks: readonly Check[], answered: AnsweredRows): Promise<boolean> {
    const rows = byText(answered);
    const isSame = checks.every(
      (check) => check.model === answered.model && check.rows.size === rows.size && [...check.rows.keys()].every((text) => rows.has(text)),
    );
    return isSame && rows.size > 0 && this.meetRules(answered.model, rows, ['read', ...checks.map(({ name }) => name)]);
  }

  /** Whether all of the rows meet the rules. */
  private async meetRules(model: StoredModel, rows: ReadonlyMap<string, Row>, names: readonly RuleName[]): Promise<boolean> {
    const { executor, rules } = this.session;
    const condition = and(...names.map((name) => rules.of(model, name)));
    if (condition.kind === 'always') return true;
    let found = 0;
    for (const some of keyChunks([...rows.values()])) {
      found += await executor.run(countRows({ model, where: and(isOneOf(model, some), condition) }));
    }
    return found === rows.size;
  }
}

interface Check {
  readonly model: StoredModel;
  readonly name: RuleName;
  /** Rows by the text of their keys. */
  readonly rows: Map<string, Row>;
}

function byText({ model, rows }: AnsweredRows): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [rowText(model, row), row]));
}
