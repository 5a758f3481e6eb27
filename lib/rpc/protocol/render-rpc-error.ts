import type { ApiError } from '../../errors/api-error.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';
import { RESULT_NOT_READABLE } from '../../errors/unreadable-result-error.js';

/** What an RPC error says (specification, section 7, "RPC style"); absent members are false. */
export interface RpcError {
  /** One clear sentence; several where several things are wrong. In a batch it begins with the operation that failed: `operations[2]: …`. */
  readonly message: string;
  /** The data layer failed. */
  readonly orm?: true;
  /** The data layer's own error code; only together with `orm`. */
  readonly code?: string;
  /** The fields whose unique value or reference is taken or missing; only together with `orm`, and only fields that the API shows. */
  readonly fields?: readonly string[];
  /** An access policy refused. */
  readonly rejectedByPolicy?: true;
  /**
   * `RESULT_NOT_READABLE`: the mutation succeeded, and a policy hides its result. Else the reason of the rule that refused, `unique-conflict`, or the code
   * of what is wrong with an `Idempotency-Key`.
   */
  readonly reason?: string;
  /** The values of the argument that are at fault; absent where no value is. */
  readonly problems?: readonly RpcProblem[];
}

/** One fault of an argument. */
export interface RpcProblem {
  /** Where the value is: `data.title`, `args.note`; in a batch `[2].data.title`. */
  readonly path: string;
  readonly message: string;
  /** The code of the error catalogue. */
  readonly code?: string;
}

/** The body of an RPC error: the flat object of the specification, mirrored under `error` for the clients that read `body.error.*`. */
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
  return reason ?? problems.find(({ code }) => TOLD_BY_CODE.has(code))?.code;
}

/** A client has to tell them from what else has their status, whatever the data layer calls them. */
const TOLD_BY_CODE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unique-conflict',
  'idempotency-key-required',
  'idempotency-key-reused',
  'idempotency-in-progress',
]);

/**
 * The HTTP status of an error in the RPC style: whatever is wrong with the request is 400 (specification, section 7), where REST tells more
 * apart. A missing record stays 404 and a host's own HTTP exception keeps its status (decisions, "RPC details").
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
