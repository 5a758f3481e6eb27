import { textOf } from '../data-client/count-list.js';
import type { StoredModel } from '../model/storage/storage.js';
import type { Query } from '../query/query.js';
import type { Row } from '../query/result.js';

/** Rows that the checks of a plan have found for its caller: what a write refers to among them need not be looked at again. */
export class KnownRows {
  private readonly rows = new Map<StoredModel, Row[]>();

  /** @param checks the queries whose rows are what writes after them refer to */
  constructor(private readonly checks: ReadonlySet<Query>) {}

  remember(query: Query, result: unknown): void {
    if (!this.checks.has(query) || !Array.isArray(result)) return;
    this.rows.set(query.model, [...(this.rows.get(query.model) ?? []), ...(result as readonly Row[])]);
  }

  /** The texts of the values that rows of a model have in some fields. */
  texts(model: StoredModel, names: readonly string[]): ReadonlySet<string> {
    const rows = this.rows.get(model) ?? [];
    return new Set(rows.filter((row) => names.every((name) => row[name] !== undefined)).map((row) => textOf(row, names)));
  }
}
