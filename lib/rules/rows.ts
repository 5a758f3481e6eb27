import { encodeFieldValues } from '../executor/count-list.js';
import type { Executor } from '../executor/executor.js';
import { ApiError } from '../errors/api-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import { ALWAYS, type Condition, type KeyCondition, or, type UniqueCondition } from '../query/condition.js';
import { isAmong, selectFields } from '../query/fields.js';
import { rowKey } from '../query/key.js';
import type { Query } from '../query/query.js';
import { type Find, findMany } from '../query/read.js';
import { isRows, type ResultOf, type Row } from '../query/result.js';
import type { Selection } from '../query/selection.js';
import type { WriteObserver } from './write-observer.js';
import type { RuleSet } from './rule-set.js';

/** The host's data, or one transaction of it, for one caller. */
export interface Session {
  /** To which no rule is added. */
  readonly host: Executor;
  readonly rules: RuleSet;
  /** How many rows may be held at a time (`limits.maxTake`). */
  readonly maxRows: number;
  /** What was looked at before the writes. */
  readonly known: KnownRows;
  /** Absent where nobody is told of its writes. */
  readonly told?: WriteObserver;
}

/** Rows that the checks of a plan have found for its caller: what a write refers to among them need not be looked at again. */
export class KnownRows {
  private readonly rows = new Map<StoredModel, Row[]>();

  /** @param checks the queries whose rows are what writes after them refer to */
  constructor(private readonly checks: ReadonlySet<Query>) {}

  remember(query: Query, result: ResultOf<Query>): void {
    if (!this.checks.has(query) || !isRows(result)) return;
    this.rows.set(query.model, [...(this.rows.get(query.model) ?? []), ...result]);
  }

  /** The texts of the values that rows of a model have in some fields. */
  texts(model: StoredModel, names: readonly string[]): ReadonlySet<string> {
    const rows = this.rows.get(model) ?? [];
    return new Set(rows.filter((row) => names.every((name) => row[name] !== undefined)).map((row) => encodeFieldValues(row, names)));
  }
}

/** A row by its key, as a condition. */
export function isRow(model: StoredModel, row: Row): KeyCondition {
  const key = rowKey(model);
  return Object.freeze({ kind: 'key', model, key, values: Object.freeze(key.fields.map((name) => row[name])) });
}

/** A row by its key, where one row is named. */
export function rowNamed(model: StoredModel, row: Row, more: Condition = ALWAYS): UniqueCondition {
  return Object.freeze<UniqueCondition>({ keys: [isRow(model, row)], more });
}

/** One of several rows. */
export function isOneOf(model: StoredModel, rows: readonly Row[]): Condition {
  const { fields } = rowKey(model);
  return fields.length > 1 ? or(...rows.map((row) => isRow(model, row))) : isAmong(model, fields, rows);
}

/** A row that has to be there: the data client fails where it is not. */
export function required(row: Row | null): Row {
  if (!row) throw new TypeError('The data client answered no row where it had to fail.');
  return row;
}

/** The key of a row as text, the same for two rows exactly where they are one. */
export function rowText(model: StoredModel, row: Row): string {
  return encodeFieldValues(row, rowKey(model).fields);
}

/** The fields that rows are told apart by. */
export function keyFields(model: StoredModel): Selection {
  return selected(KEYS, model, () => rowKey(model).fields);
}

/** The fields of a model that its rows are found by, and those by which rows are linked. */
export function linkFields(model: StoredModel): Selection {
  return selected(LINKS, model, () => {
    const linked = [...model.relations.values()].flatMap(({ foreignKey, referredBy }) => [
      ...(foreignKey?.fields ?? []),
      ...(referredBy?.references ?? []),
    ]);
    return [...new Set([...rowKey(model).fields, ...offered(model, linked)])];
  });
}

/** All fields of a row. */
export function allFields(model: StoredModel): Selection {
  return selected(ALL, model, () => offered(model, [...model.fields.keys()]));
}

/** Those of the fields that the data client offers. */
export function offered({ fields }: StoredModel, names: readonly string[]): readonly string[] {
  return names.filter((name) => fields.get(name)?.ignored === false);
}

const KEYS = new WeakMap<StoredModel, Selection>();
const LINKS = new WeakMap<StoredModel, Selection>();
const ALL = new WeakMap<StoredModel, Selection>();

function selected(known: WeakMap<StoredModel, Selection>, model: StoredModel, names: () => readonly string[]): Selection {
  let selection = known.get(model);
  if (!selection) {
    selection = selectFields(model, names());
    known.set(model, selection);
  }
  return selection;
}

/**
 * Looks for rows before they are written.
 *
 * @throws ApiError for more rows than may be held
 */
export async function findSome(
  { host, maxRows }: Session,
  sought: Pick<Find, 'model' | 'where' | 'selection'>,
  limit = Infinity,
): Promise<readonly Row[]> {
  const take = Math.min(limit, maxRows + 1);
  const rows = await host.run(findMany({ ...sought, ...(take < Infinity && { page: { take } }) }));
  if (rows.length > maxRows)
    throw new ApiError('limit-exceeded', `A write reaches at most ${maxRows} records of ${sought.model.model} (limits.maxTake).`);
  return rows;
}

/** As many keys as a statement takes on every database. */
const MOST_KEYS = 500;

/** Rows in groups of as many as one statement can name by their keys. */
export function keyChunks<One>(rows: readonly One[]): readonly (readonly One[])[] {
  const count = Math.ceil(rows.length / MOST_KEYS);
  return Array.from({ length: count }, (_, index) => rows.slice(index * MOST_KEYS, (index + 1) * MOST_KEYS));
}
