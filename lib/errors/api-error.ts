import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';
import { shareInstances } from './share-instances.js';

/** Where in the request a problem sits; one of the three members (JSON:API 1.1, error objects). An error leaves out one that is very long. */
export type ProblemSource =
  /** RFC 6901 pointer to a value that exists in the request body; `''` is the whole body. */
  | { readonly pointer: string }
  /** Name of a query parameter, as the client wrote it. */
  | { readonly parameter: string }
  /** Name of a request header. */
  | { readonly header: string };

/** One thing that is wrong with a request. */
export interface Problem {
  readonly code: ErrorCode;
  /** One clear sentence about this occurrence: what is wrong and, where it is a fix, what to write instead. */
  readonly detail: string;
  readonly source?: ProblemSource;
  /** Where the value is in the argument of an RPC call: `data.title`. */
  readonly path?: string;
  /** What is wrong with that value, where `detail` names the path as well. */
  readonly fault?: string;
  /** The kind of problem, as a URI that a profile of JSON:API has for it. */
  readonly type?: string;
  /** What that profile says of it. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What the data layer said of itself. */
export interface DataLayerFailure {
  /** Its own error code (`P2002`, `42501`), where it has one. */
  readonly code?: string;
  /** The fields whose constraint the request broke, as far as the caller may know them. */
  readonly fields?: readonly string[];
  /** Where the argument of an RPC call has these fields. */
  readonly paths?: readonly string[];
}

/** What an error may have in addition to its problems. */
export interface ApiErrorOptions extends Omit<Problem, 'code' | 'detail'> {
  /** What else is wrong with the same request. */
  readonly others?: readonly Problem[];
  /** Set when the data layer threw. */
  readonly orm?: DataLayerFailure;
  /** The data layer refused by an access policy. */
  readonly rejectedByPolicy?: boolean;
  /** Why it is refused, for the caller and the log: that of a rule, or `RESULT_NOT_READABLE` (specification, section 7). */
  readonly reason?: string;
  /** Response headers, e.g. `Allow`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Status, code and title of a host's own HTTP exception, in place of the catalogue's. */
  readonly http?: { readonly status: number; readonly code: string; readonly title: string };
  /** Position of the operation of a batch that failed, from 0. */
  readonly callIndex?: number;
  /** What was thrown first; goes to the log, never into a body. */
  readonly cause?: unknown;
}

/** More than these are no help to anyone; the bound keeps the cost of a hostile request flat. */
export const MAX_PROBLEMS = 20;

/**
 * The one error that the stages of both styles throw; the exception filters render it in their style's shape.
 *
 * @example
 * throw new ApiError('invalid-sort', "There is no field 'titel' on post. Did you mean 'title'?", { source: { parameter: 'sort' } });
 */
export class ApiError extends Error {
  static {
    shareInstances(this, 'ApiError');
  }

  override readonly name = 'ApiError';
  /** At least one; several where several members of a request are wrong. */
  readonly problems: readonly [Problem, ...Problem[]];
  /** HTTP status of the answer. */
  readonly status: number;
  readonly orm: ApiErrorOptions['orm'];
  readonly rejectedByPolicy: boolean;
  readonly reason: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly http: ApiErrorOptions['http'];
  readonly callIndex: number | undefined;

  constructor(code: ErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.problems = [withUsableSource(firstProblem(code, detail, options)), ...(options.others ?? []).map(withUsableSource)];
    this.status = options.http?.status ?? commonStatus(this.problems);
    this.orm = options.orm;
    this.rejectedByPolicy = options.rejectedByPolicy ?? false;
    this.reason = options.reason;
    this.headers = options.headers ?? {};
    this.http = options.http;
    this.callIndex = options.callIndex;
  }

  /**
   * One error of several problems, {@link MAX_PROBLEMS} at most, each told once. Its status is theirs when they agree, and the most general one otherwise (JSON:API: `400` or `500`).
   *
   * @example
   * if (problems.length > 0) throw ApiError.of(problems);
   */
  static of(problems: readonly Problem[]): ApiError {
    const [first, ...others] = distinct(problems);
    if (first === undefined) throw new TypeError('ApiError.of needs at least one problem.');
    const { code, detail, ...more } = first;
    return new ApiError(code, detail, { ...more, others });
  }
}

function firstProblem(code: ErrorCode, detail: string, { source, path, fault, type, meta }: ApiErrorOptions): Problem {
  return {
    code,
    detail,
    ...(source && { source }),
    ...(path !== undefined && { path }),
    ...(fault !== undefined && { fault }),
    ...(type !== undefined && { type }),
    ...(meta && { meta }),
  };
}

/** Several checks may come upon the same fault, and a body may name the same missing record twice. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  const found = new Map<string, Problem>();
  for (const problem of problems) {
    if (found.size === MAX_PROBLEMS) break;
    found.set(JSON.stringify(problem), problem);
  }
  return [...found.values()];
}

/** A longer pointer or name is a client's own noise, and where it were cut it would lead to another place. */
const MAX_SOURCE = 256;

function withUsableSource({ source, ...problem }: Problem): Problem {
  return source && JSON.stringify(source).length <= MAX_SOURCE ? { ...problem, source } : problem;
}

function commonStatus(problems: readonly Problem[]): number {
  const statuses = new Set(problems.map((problem) => ERROR_CATALOGUE[problem.code].status));
  const [status] = statuses;
  if (statuses.size === 1 && status !== undefined) return status;
  return Math.max(...statuses) >= 500 ? 500 : 400;
}
