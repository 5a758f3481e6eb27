import type { ApiError } from '../../errors/api-error.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';
import { RESULT_NOT_READABLE } from '../../errors/unreadable-result-error.js';

/** An RPC error (specification, section 7, "RPC style"). Absent members are false. */
export interface RpcError {
  /** One clear sentence, or several if there are several problems. In a batch it begins with the operation that failed: `operations[2]: …`. */
  readonly message: string;
  /** Whether the data layer failed. */
  readonly orm?: true;
  /** The data layer's own error code; only together with `orm`. */
  readonly code?: string;
  /** The fields of a violated unique or reference constraint; only together with `orm`, and only exposed fields. */
  readonly fields?: readonly string[];
  /** Whether an access policy rejected the call. */
  readonly rejectedByPolicy?: true;
  /**
   * `RESULT_NOT_READABLE` if the mutation succeeded and a policy hides its result. Otherwise the reason of the rule that refused, `unique-conflict`,
   * or the code of an invalid `Idempotency-Key`.
   */
  readonly reason?: string;
  /** The invalid values of the argument; absent if no value is invalid. */
  readonly problems?: readonly RpcProblem[];
}

/** An invalid value of an argument. */
export interface RpcProblem {
  /** The path of the value: `data.title`, `args.note`; in a batch `[2].data.title`. */
  readonly path: string;
  readonly message: string;
  /** The code in the error catalogue. */
  readonly code?: string;
}

/** The body of an RPC error: the flat object of the specification, repeated under `error` for clients that read `body.error.*`. */
export interface RpcErrorBody extends RpcError {
  readonly error: RpcError & { readonly rejectReason?: 'cannot-read-back' };
}

/**
 * Renders an error in the RPC style.
 *
 * @example
 * renderRpcError(new AccessDeniedError('No.')); // { message: 'No.', rejectedByPolicy: true, error: { message: 'No.', rejectedByPolicy: true } }
 */
export function renderRpcError(error: ApiError): RpcErrorBody {
  const reason = reasonOf(error);
  const sentences = error.problems.map(({ detail }) => detail).join(' ');
  const flat: RpcError = {
    message: error.callIndex === undefined ? sentences : `operations[${error.callIndex}]: ${sentences}`,
    ...(error.orm && { orm: true }),
    ...(error.orm?.code !== undefined && { code: error.orm.code }),
    ...(error.orm?.fields && { fields: error.orm.fields }),
    ...(error.rejectedByPolicy && { rejectedByPolicy: true }),
    ...(reason !== undefined && { reason }),
    ...problemsOf(error),
  };
  return { ...flat, error: { ...flat, ...(error.reason === RESULT_NOT_READABLE && { rejectReason: 'cannot-read-back' }) } };
}

function problemsOf({ problems, orm, callIndex }: ApiError): Pick<RpcError, 'problems'> {
  const before = callIndex === undefined ? '' : `[${callIndex}].`;
  const [{ code, detail }] = problems;
  const ofFields = (orm?.paths ?? []).map((path) => ({ path: before + path, message: detail, code }));
  const ofValues = problems.flatMap(({ path, fault, ...problem }): readonly RpcProblem[] => {
    return path === undefined ? [] : [{ path: before + path, message: fault ?? problem.detail, code: problem.code }];
  });
  const all = [...ofValues, ...ofFields];
  return all.length > 0 ? { problems: all } : {};
}

function reasonOf({ reason, problems }: ApiError): string | undefined {
  return reason ?? problems.find(({ code }) => REASON_CODES.has(code))?.code;
}

/** Codes that are rendered as `reason`, because clients must distinguish them from other errors with the same status. */
const REASON_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unique-conflict',
  'idempotency-key-required',
  'idempotency-key-reused',
  'idempotency-in-progress',
]);

/**
 * Returns the HTTP status of an error in the RPC style. An invalid request is always 400 (specification, section 7), where REST has several codes. A
 * missing record is 404, and an application's own HTTP exception keeps its status.
 */
export function rpcStatus(error: ApiError): number {
  if (error.http) return error.http.status;
  if (error.problems.every(({ code }) => STATUS_OF_ITS_OWN.has(code))) return error.status;
  return error.status >= 500 ? 500 : 400;
}

const STATUS_OF_ITS_OWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'not-found',
  'forbidden',
  'client-id-forbidden',
  'payload-too-large',
  'unsupported-media-type',
  'precondition-failed',
  'precondition-required',
  'idempotency-key-reused',
  'idempotency-in-progress',
  'unavailable',
  'outcome-unknown',
  'unknown-error',
]);
