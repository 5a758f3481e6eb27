import { whereAmong } from '../data-client/count-list.js';
import { UnreadableResultError } from '../errors/unreadable-result-error.js';
import type { RuleName } from './compile-rules.js';
import { allOf } from './condition.js';
import { keyChunks } from './key-chunks.js';
import { refusedByRule } from './refusals.js';
import { callHost, keyOf, type Row, rowText, type Session } from './session.js';

/** Rows whose fields a caller is answered. */
export interface AnsweredRows {
  readonly model: string;
  readonly rows: readonly Row[];
}

/** The rows that a call has written: its rules are asked of them as they are in the end, in the same transaction. */
export class WrittenRows {
  private readonly checks = new Map<string, Check>();

  constructor(private readonly session: Session) {}

  /** @throws ApiError where no row may be written so */
  add(model: string, name: RuleName, row: Row): void {
    const condition = this.session.rules.of(model, name);
    if (condition === false) throw refusedByRule();
    if (condition === true) return;
    const key = `${model}.${name}`;
    const check = this.checks.get(key) ?? { model, name, rows: new Map<string, Row>() };
    this.checks.set(key, check);
    check.rows.set(this.textOf(model, row), row);
  }

  /** Whether a row of the model waits to be looked at. */
  has(model: string): boolean {
    return [...this.checks.values()].some((check) => check.model === model && check.rows.size > 0);
  }

  /** A row that the same call has deleted again. */
  drop(model: string, row: Row): void {
    for (const check of this.checks.values()) if (check.model === model) check.rows.delete(this.textOf(model, row));
  }

  /**
   * @throws ApiError where a row is not as its rules want it: then nothing of the call is written
   * @throws UnreadableResultError where what is to be answered may not be read: it is written all the same
   */
  async settle(answered?: AnsweredRows): Promise<void> {
    const checks = [...this.checks.values()].filter(({ rows }) => rows.size > 0);
    if (answered && (await this.isAllRight(checks, answered))) return;
    for (const { model, name, rows } of checks) {
      const found = await this.count(model, [...rows.values()], [name]);
      if (found !== rows.size) throw refusedByRule();
    }
    if (answered && !(await this.isReadable(answered))) throw new UnreadableResultError();
  }

  /** Looks at once, where only the answered rows are written, whether these may be read too. */
  private async isAllRight(checks: readonly Check[], { model, rows }: AnsweredRows): Promise<boolean> {
    const texts = new Set(rows.map((row) => this.textOf(model, row)));
    const isSame = checks.every((check) => check.model === model && [...check.rows.keys()].every((text) => texts.has(text)));
    const isWhole = checks.every((check) => check.rows.size === texts.size);
    if (!isSame || !isWhole || texts.size === 0) return false;
    return (await this.count(model, rows, ['read', ...checks.map(({ name }) => name)])) === texts.size;
  }

  private async isReadable({ model, rows }: AnsweredRows): Promise<boolean> {
    const texts = new Set(rows.map((row) => this.textOf(model, row)));
    return (await this.count(model, rows, ['read'])) === texts.size;
  }

  /** How many of the rows meet the rules; all of them where these say nothing. */
  private async count(model: string, rows: readonly Row[], names: readonly RuleName[]): Promise<number> {
    const distinct = [...new Map(rows.map((row) => [this.textOf(model, row), row])).values()];
    const condition = allOf(names.map((name) => this.session.rules.where(model, name)));
    if (!condition) return distinct.length;
    const { fields } = keyOf(this.session, model);
    let found = 0;
    for (const rows of keyChunks(distinct)) {
      const where = { AND: [whereAmong(rows, fields), condition] };
      found += Number(await callHost(this.session, { model, operation: 'count', args: { where } }));
    }
    return found;
  }

  private textOf(model: string, row: Row): string {
    return rowText(this.session, model, row);
  }
}

interface Check {
  readonly model: string;
  readonly name: RuleName;
  /** By the text of their keys. */
  readonly rows: Map<string, Row>;
}
