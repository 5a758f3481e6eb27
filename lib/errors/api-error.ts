import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';
import { shareInstances } from './share-instances.js';

/** The place of a problem in the request (JSON:API 1.1, error objects). Exactly one member is present. A very long value is left out. */
export type ProblemSource =
  /** RFC 6901 pointer to a value that exists in the request body. `''` is the whole body. */
  | { readonly pointer: string }
  /** Name of a query parameter, as the client wrote it. */
  | { readonly parameter: string }
  /** Name of a request header. */
  | { readonly header: string };

/** One problem of a request. */
export interface Problem {
  readonly code: ErrorCode;
  /** One sentence about this occurrence: the problem and, if there is a fix, what to write instead. */
  readonly detail: string;
  readonly source?: ProblemSource;
  /** Path of the value in the argument of an RPC call, e.g. `data.title`. */
  readonly path?: string;
  /** The problem of that value without its path, if `detail` includes the path. */
  readonly fault?: string;
  /** URI of the kind of problem, as defined by a profile of JSON:API. */
  readonly type?: string;
  /** Members that this profile defines for the problem. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The data layer's description of its failure. */
export interface DataLayerFailure {
  /** The data layer's error code (`P2002`, `42501`), if it has one. */
  readonly code?: string;
  /** The fields whose constraint the request violates, without fields that are hidden from the caller. */
  readonly fields?: readonly string[];
  /** Paths of these fields in the argument of an RPC call. */
  readonly paths?: readonly string[];
}

/** The optional parts of an error. */
export interface ApiErrorOptions extends Omit<Problem, 'code' | 'detail'> {
  /** Further problems of the same request. */
  readonly others?: readonly Problem[];
  /** Present if the data layer threw. */
  readonly orm?: DataLayerFailure;
  /** Whether an access policy of the data layer refused the request. */
  readonly rejectedByPolicy?: boolean;
  /** Reason of a refusal, for the caller and the log: that of a rule, or `RESULT_NOT_READABLE` (specification, section 7). */
  readonly reason?: string;
  /** Response headers, e.g. `Allow`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Status, code and title of an HTTP exception of the application. They replace the catalogue's. */
  readonly http?: { readonly status: number; readonly code: string; readonly title: string };
  /** Position of the failed operation in its batch, from 0. */
  readonly callIndex?: number;
  /** The original error. It is logged and never sent. */
  readonly cause?: unknown;
}

/** Maximum number of problems in one error. It limits the cost of a hostile request. */
export const MAX_PROBLEMS = 20;

/**
 * The error that both styles throw. The exception filters render it in the format of the style.
 *
 * @example
 * throw new ApiError('invalid-sort', "There is no field 'titel' on post. Did you mean 'title'?", { source: { parameter: 'sort' } });
 */
export class ApiError extends Error {
  static {
    shareInstances(this, 'ApiError');
  }

  override readonly name = 'ApiError';
  /** All problems of the request, at least one. */
  readonly problems: readonly [Problem, ...Problem[]];
  /** HTTP status of the response. */
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
   * Combines several problems into one error, without duplicates and with at most {@link MAX_PROBLEMS}. Problems with the same status determine the
   * status. Otherwise it is the most general one (JSON:API: `400` or `500`).
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

/** Removes duplicates: several checks may find the same fault, and a body may name the same missing record twice. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  const found = new Map<string, Problem>();
  for (const problem of problems) {
    if (found.size === MAX_PROBLEMS) break;
    found.set(JSON.stringify(problem), problem);
  }
  return [...found.values()];
}

/** Maximum length of a source in JSON. Longer sources are removed, because a truncated pointer would lead to another place. */
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
