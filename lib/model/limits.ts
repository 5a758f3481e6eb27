/**
 * Cost ceilings for both styles, applied to the final data client arguments (public API, section 4). Over one of them: 400 `limit-exceeded`
 * naming the limit and its value, before any SQL. Nothing is cut silently.
 */
export interface Limits {
  /** Deepest `include` or nested `select`, in relations. @default 5 */
  readonly maxIncludeDepth: number;
  /** Conditions in one request's filters, list elements included. @default 100 */
  readonly maxFilterTerms: number;
  /** Deepest nesting of any argument, in objects. @default 10 */
  readonly maxDepth: number;
  /**
   * Rows that one call may return, and again so many in its includes: the included resources of a REST answer, the rows in all lists of
   * related rows of an RPC result. A result that passes it is refused, and what it has written is undone. @default 10000
   */
  readonly maxTake: number;
  /** Elements of one write: records of a `createMany`, members of the relationships in a body, operations of a batch. @default 1000 */
  readonly maxBatchSize: number;
  /** Size of a request body, in bytes or as `'1mb'`, `'500kb'`. @default '1mb' */
  readonly maxBodySize: number | string;
}

export const DEFAULT_LIMITS: Limits = {
  maxIncludeDepth: 5,
  maxFilterTerms: 100,
  maxDepth: 10,
  maxTake: 10_000,
  maxBatchSize: 1000,
  maxBodySize: '1mb',
};
