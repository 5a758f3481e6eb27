import { encodeFieldValues } from '../executor/loading/count-list.js';
import type { Executor } from '../executor/executor.js';
import { callsIn, type Plan } from '../executor/plan.js';
import { ApiError } from '../errors/api-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import { ALWAYS, type Condition, type KeyCondition, or, type UniqueCondition } from '../query/condition.js';
import { isAmong, selectFields } from '../query/fields.js';
import { rowKey } from '../query/key.js';
import type { Query } from '../query/query.js';
import { type Find, findMany } from '../query/read.js';
import { isRows, type ResultOf, type Row } from '../query/result.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';
import type { WriteObserver } from './write-observer.js';
import type { RuleSet } from './rule-set.js';

/** What the queries of one caller run with, in one transaction or outside of any. */
export interface Session {
  /** The executor without rules. */
  readonly executor: Executor;
  readonly rules: RuleSet;
  /** Maximum number of rows in memory at a time (`limits.maxTake`). */
  readonly maxRows: number;
  /** Rows that were checked before the writes. */
  readonly foundRows: FoundRows;
  /** Absent if no hook observes its writes. */
  readonly observer?: WriteObserver;
}

/** Rows that the checks of a plan have found for its caller. References to these rows need no further check. */
export class FoundRows {
  private readonly rows = new Map<StoredModel, Row[]>();

  /** @param checks the queries whose rows later writes reference */
  constructor(private readonly checks: ReadonlySet<Query>) {}

  static of(plan: Plan): FoundRows {
    return new FoundRows(new Set(callsIn(plan).flatMap(({ query, expect }) => (expect?.kind === 'all-found' ? [query] : []))));
  }

  remember(query: Query, result: ResultOf<Query>): void {
    if (!this.checks.has(query) || !isRows(result)) return;
    this.rows.set(query.model, [...(this.rows.get(query.model) ?? []), ...result]);
  }

  /** Returns the encoded values that the rows of a model have in some fields. */
  texts(model: StoredModel, names: readonly string[]): ReadonlySet<string> {
    const rows = this.rows.get(model) ?? [];
    return new Set(rows.filter((row) => names.every((name) => row[name] !== undefined)).map((row) => encodeFieldValues(row, names)));
  }
}

/** Compiles the condition that matches a row by its key. */
export function rowCondition(model: StoredModel, row: Row): KeyCondition {
  const key = rowKey(model);
  return Object.freeze({ kind: 'key', model, key, values: Object.freeze(key.fields.map((name) => row[name])) });
}

/** Compiles the unique condition that matches a row by its key. */
export function rowNamed(model: StoredModel, row: Row, more: Condition = ALWAYS): UniqueCondition {
  return Object.freeze<UniqueCondition>({ keys: [rowCondition(model, row)], more });
}

/** Compiles the condition that matches several rows by their keys. */
export function isOneOf(model: StoredModel, rows: readonly Row[]): Condition {
  const { fields } = rowKey(model);
  return fields.length > 1 ? or(...rows.map((row) => rowCondition(model, row))) : isAmong(model, fields, rows);
}

/** Requires a row in the result of a query that fails without a row. */
export function required(row: Row | null): Row {
  if (!row) throw new TypeError('The data client answered no row where it had to fail.');
  return row;
}

/** Encodes the key of a row as text. Two rows have the same text exactly if they are the same row. */
export function rowText(model: StoredModel, row: Row): string {
  return encodeFieldValues(row, rowKey(model).fields);
}

/** Selects the key fields of a model. */
export const keyFields = memoizeByObject((model: StoredModel) => selectFields(model, rowKey(model).fields));

/** Selects the key fields of a model, and the fields by which its rows are linked. */
export const linkFields = memoizeByObject((model: StoredModel) => {
  const linked = [...model.relations.values()].flatMap(({ foreignKey, referredBy }) => [
    ...(foreignKey?.fields ?? []),
    ...(referredBy?.references ?? []),
  ]);
  return selectFields(model, [...new Set([...rowKey(model).fields, ...offered(model, linked)])]);
});

/** Selects all fields of a model. */
export const allFields = memoizeByObject((model: StoredModel) => selectFields(model, offered(model, [...model.fields.keys()])));

/** Returns those of the fields that the data client exposes. */
export function offered({ fields }: StoredModel, names: readonly string[]): readonly string[] {
  return names.filter((name) => fields.get(name)?.ignored === false);
}

/**
 * Reads rows before they are written.
 *
 * @throws ApiError for more rows than `maxRows`
 */
export async function findSome(
  { executor, maxRows }: Session,
  sought: Pick<Find, 'model' | 'where' | 'selection'>,
  limit = Infinity,
): Promise<readonly Row[]> {
  const take = Math.min(limit, maxRows + 1);
  const rows = await executor.run(findMany({ ...sought, ...(take < Infinity && { page: { take } }) }));
  if (rows.length > maxRows)
    throw new ApiError('limit-exceeded', `A write reaches at most ${maxRows} records of ${sought.model.model} (limits.maxTake).`);
  return rows;
}

/** Maximum number of keys in one statement. Every database accepts as many. */
const MOST_KEYS = 500;

/** Splits rows into chunks whose keys fit into one statement. */
export function keyChunks<One>(rows: readonly One[]): readonly (readonly One[])[] {
  const count = Math.ceil(rows.length / MOST_KEYS);
  return Array.from({ length: count }, (_, index) => rows.slice(index * MOST_KEYS, (index + 1) * MOST_KEYS));
}
