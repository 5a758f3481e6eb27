import { checkCount, checkSize } from './check-option.js';
import { checkTable, fillOptions, type OptionTable } from './option-table.js';

/**
 * Cost ceilings for both styles, applied to the final data client arguments (public API, section 4). Over one of them: 400 `limit-exceeded`
 * naming the limit and its value, before any SQL. Nothing is cut silently.
 */
export interface Limits {
  /** Deepest `include` or nested `select`, in relations. @default 5 */
  readonly maxIncludeDepth: number;
  /**
   * What one request's filters and orders are made of: conditions, elements of lists, hops over relations, keys of an order, cursors; a full-text
   * search is 20 and one for each of its words, and a cursor in an order that is not unique 60. @default 100
   */
  readonly maxFilterTerms: number;
  /**
   * Hops over relations in all arguments of a request, by weight: a selected relation and one to a single record is 1, a list in a filter, an
   * order or a count is 2, and whatever stands below such a list four times as much. @default 30
   */
  readonly maxJoins: number;
  /** Deepest nesting of any argument, in objects. @default 10 */
  readonly maxDepth: number;
  /**
   * Rows that one request may return, and the same number again for related rows: the included resources of a REST answer, the related rows of
   * an RPC result. Lists of several records are read by statements that stop there, or counted before they are loaded. A result that passes it
   * is refused, and what it has written is undone. @default 10000
   */
  readonly maxTake: number;
  /** Elements of one write: records of a `createMany`, members of the relationships in a body, operations of a batch. @default 1000 */
  readonly maxBatchSize: number;
  /** Elements of scalar lists and nodes of Json values that one request writes. @default 20000 */
  readonly maxValues: number;
  /**
   * Time that the database may take over one request, in milliseconds. After it the request is answered 503, and what it has begun is undone;
   * PostgreSQL is told to end its statements itself (`statement_timeout`). @default 5000
   */
  readonly maxDuration: number;
  /** Size of a request body, in bytes or as `'1mb'`, `'500kb'`. @default '1mb' */
  readonly maxBodySize: number | string;
  /**
   * Size of the body of an answer, in bytes or as `'50mb'`, found out before the answer is written. A write whose answer is larger is
   * undone. @default '50mb'
   */
  readonly maxResponseSize: number | string;
  /**
   * Time that a response may stand still because its client reads nothing of it, in milliseconds. Then the connection is closed. @default 30000
   */
  readonly maxResponseStall: number;
  /** Rows of one export. One that has more is broken off behind them. @default Infinity */
  readonly maxExportRows: number;
}

export const LIMITS = {
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

/** @throws ConfigurationError */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  checkTable('limits', given, LIMITS);
  return Object.freeze(fillOptions(given, LIMITS, undefined));
}
