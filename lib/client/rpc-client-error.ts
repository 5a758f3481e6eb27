/** What the server said about a call that failed (specification, section 7, "RPC style"). */
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

/** One value of the arguments that is at fault. */
export interface RpcClientProblem {
  /** Where it is: `data.title`, `args.note`; in a batch `[2].data.title`. */
  readonly path: string;
  readonly message: string;
  /** The code of the server's error catalogue, e.g. `invalid-value`. */
  readonly code?: string;
}

/**
 * A call that the server answered, but not with a result. When no answer came, the call rejects with what `fetch` threw: a `TypeError`
 * for a network failure, the signal's reason (an `AbortError`) for a call that was aborted.
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
  /** Status of the HTTP answer. */
  readonly status: number;
  /** The data layer failed; `code` is then its own. */
  readonly orm: boolean;
  /**
   * The fields whose constraint the call broke, e.g. `['email']` with `P2002`. Empty where there are none, where the server hides them, and
   * where a nested write leaves open whose they are.
   */
  readonly fields: readonly string[];
  /**
   * Seconds after which the server asks for another attempt (`Retry-After`). A browser shows it to a page of another origin only where the
   * server's CORS exposes that header.
   */
  readonly retryAfter: number | undefined;
  /** The values of the arguments that are at fault, one entry for each fault; empty where there are none. */
  readonly problems: readonly RpcClientProblem[];
  /** An access policy refused. */
  readonly rejectedByPolicy: boolean;
  /** The data layer's error code, e.g. `P2002`. */
  readonly code: string | undefined;
  /** `RESULT_NOT_READABLE`: the mutation succeeded, and a policy hides its result. Else the reason of the rule that refused, if it has one, or `unique-conflict`: there is a record with the same unique value. */
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
