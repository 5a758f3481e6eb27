import { checkCount, checkSize } from './check-option.js';
import { checkTable, fillOptions, type OptionTable } from './option-table.js';

/**
 * Limits on the cost of a request, for both styles; they apply to the final arguments of the data client (public API, section 4). A request
 * that exceeds one is rejected with 400 `limit-exceeded` before any SQL. The error names the limit and its value; results are never
 * truncated silently.
 */
export interface Limits {
  /** Maximum depth of `include` or nested `select`, in relations. @default 5 */
  readonly maxIncludeDepth: number;
  /**
   * Maximum number of terms in the filters and orders of one request: conditions, elements of lists, hops over relations, keys of an order,
   * cursors. A full-text search counts 20, plus one for each word. A cursor in an order that is not unique counts 60. @default 100
   */
  readonly maxFilterTerms: number;
  /**
   * Maximum weight of the hops over relations in all arguments of a request. A selected relation and a hop to a single record weigh 1; a
   * list in a filter, an order or a count weighs 2. Hops below such a list weigh four times as much. @default 30
   */
  readonly maxJoins: number;
  /** Maximum nesting of any argument, in objects. @default 10 */
  readonly maxDepth: number;
  /**
   * Maximum number of rows that one request returns, and separately of related rows: included resources of a REST response, related rows of
   * an RPC result. Lists of several records are read with this limit in the statement, or counted before they are loaded. A larger result
   * is rejected, and its writes are rolled back. @default 10000
   */
  readonly maxTake: number;
  /**
   * Maximum number of elements of one write: records of a `createMany`, members of the relationships in a body, operations of a batch.
   * @default 1000
   */
  readonly maxBatchSize: number;
  /** Maximum number of elements of scalar lists and nodes of Json values that one request writes. @default 20000 */
  readonly maxValues: number;
  /**
   * Maximum time of the database for one request, in milliseconds. After it, the request fails with 503 and its transaction is rolled back.
   * PostgreSQL also cancels its statements itself (`statement_timeout`). @default 5000
   */
  readonly maxDuration: number;
  /** Maximum size of a request body, in bytes or as `'1mb'`, `'500kb'`. @default '1mb' */
  readonly maxBodySize: number | string;
  /**
   * Maximum size of a response body, in bytes or as `'50mb'`, checked before the response is sent. A write with a larger response is rolled
   * back. @default '50mb'
   */
  readonly maxResponseSize: number | string;
  /** Maximum time in which the client reads nothing of a response, in milliseconds. After it, the connection is closed. @default 30000 */
  readonly maxResponseStall: number;
  /** Maximum number of rows of one export. A larger export is aborted after this row. @default Infinity */
  readonly maxExportRows: number;
}

export const LIMIT_OPTIONS = {
  maxIncludeDepth: { check: checkCount, fallback: 5 },
  maxFilterTerms: { check: checkCount, fallback: 100 },
  maxJoins: { check: checkCount, fallback: 30 },
  maxDepth: { check: checkCount, fallback: 10 },
  maxTake: { check: checkCount, fallback: 10_000 },
  maxBatchSize: { check: checkCount, fallback: 1000 },
  maxValues: { check: checkCount, fallback: 20_000 },
  maxDuration: { check: checkCount, fallback: 5000 },
  maxBodySize: { check: checkSize, fallback: '1mb' },
  maxResponseSize: { check: checkSize, fallback: '50mb' },
  maxResponseStall: { check: checkCount, fallback: 30_000 },
  maxExportRows: { check: checkCount, fallback: Infinity },
} as const satisfies OptionTable<Limits>;

export const DEFAULT_LIMITS: Limits = limitsOf();

/**
 * Returns the limits with their defaults.
 *
 * @throws ConfigurationError
 */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  checkTable('limits', given, LIMIT_OPTIONS);
  return Object.freeze(fillOptions(given, LIMIT_OPTIONS, undefined));
}
