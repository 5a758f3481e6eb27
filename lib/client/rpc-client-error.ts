/** The response to a call that failed (specification, section 7, "RPC style"). */
interface RpcFailure {
  readonly status: number;
  readonly message: string;
  readonly orm?: boolean;
  readonly rejectedByPolicy?: boolean;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly fields?: readonly string[];
  readonly retryAfter?: number | undefined;
  readonly problems?: readonly RpcClientProblem[];
}

/** An invalid value of the arguments. */
export interface RpcClientProblem {
  /** The path of the value: `data.title`, `args.note`; in a batch `[2].data.title`. */
  readonly path: string;
  readonly message: string;
  /** The code in the server's error catalogue, e.g. `invalid-value`. */
  readonly code?: string;
}

/**
 * The error of a call that the server answered, but not with a result. Without a response, the call rejects with the error of `fetch`: a `TypeError`
 * for a network failure, or the signal's reason (an `AbortError`) for an aborted call.
 *
 * @example
 * try {
 *   await api.post.update({ where: { id: 1 }, data: { title } });
 * } catch (error) {
 *   if (!(error instanceof RpcClientError) || !error.rejectedByPolicy) throw error;
 *   console.warn('This post is not yours.');
 * }
 */
export class RpcClientError extends Error {
  override readonly name = 'RpcClientError';
  /** The HTTP status of the response. */
  readonly status: number;
  /** Whether the data layer failed. If so, `code` is the data layer's error code. */
  readonly orm: boolean;
  /**
   * The fields whose constraint the call violated, e.g. `['email']` with `P2002`. Empty if the server hides them, and if a nested write leaves open
   * to which model they belong.
   */
  readonly fields: readonly string[];
  /**
   * Seconds after which the server permits another attempt (`Retry-After`). A browser shows the header to a page of another origin only if the
   * server's CORS configuration exposes it.
   */
  readonly retryAfter: number | undefined;
  /** The invalid values of the arguments, one entry for each fault. Empty if no value is invalid. */
  readonly problems: readonly RpcClientProblem[];
  /** Whether an access policy rejected the call. */
  readonly rejectedByPolicy: boolean;
  /** The data layer's error code, e.g. `P2002`. */
  readonly code: string | undefined;
  /**
   * `RESULT_NOT_READABLE` if the mutation succeeded and a policy hides its result. Otherwise the reason of the rule that refused, if it has one, or
   * `unique-conflict` if a record with the same unique value exists.
   */
  readonly reason: string | undefined;

  constructor({
    status,
    message,
    orm = false,
    rejectedByPolicy = false,
    code,
    reason,
    fields = [],
    retryAfter,
    problems = [],
  }: RpcFailure) {
    super(message);
    this.status = status;
    this.orm = orm;
    this.rejectedByPolicy = rejectedByPolicy;
    this.code = code;
    this.reason = reason;
    this.fields = fields;
    this.retryAfter = retryAfter;
    this.problems = problems;
  }
}
