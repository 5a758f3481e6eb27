import { RpcClientError } from '../client/rpc-client-error.js';

/** The messages of an error, by the fields at fault. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The members of a failed call that a user interface may need. */
export interface HttpErrorBody {
  readonly message: string;
  /** Present where the server names fields at fault. */
  readonly errors?: FieldErrors;
  /** The data layer's error code, e.g. `P2002`. */
  readonly code?: string;
  /** The reason of a rule that refused. */
  readonly reason?: string;
}

/** A call that failed, as react-admin (`status`, `body.errors`) and refine (`statusCode`, `errors`) read it. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  /** The HTTP status of the response. */
  readonly status: number;
  /** The same, by refine's name. */
  readonly statusCode: number;
  readonly body: HttpErrorBody;
  /** Those of the body, by refine's name. */
  readonly errors?: FieldErrors;

  constructor(message: string, status: number, body: Omit<HttpErrorBody, 'message'> = {}) {
    super(message);
    this.status = status;
    this.statusCode = status;
    this.body = { message, ...body };
    if (body.errors) this.errors = body.errors;
  }
}

/** Returns the error of a call as user interfaces read it. Network failures and abort reasons are returned as they are. */
export function toHttpError(error: unknown): unknown {
  if (!(error instanceof RpcClientError)) return error;
  const { message, status, code, reason } = error;
  const errors = fieldErrors(error);
  return new HttpError(message, status, {
    ...(Object.keys(errors).length > 0 && { errors }),
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
  });
}

function fieldErrors({ problems, fields, message }: RpcClientError): FieldErrors {
  const ofProblems = problems.flatMap(({ path, message: text }) => {
    const field = fieldOf(path);
    return field === undefined ? [] : [[field, text] as const];
  });
  const all = ofProblems.length > 0 ? ofProblems : fields.map((field) => [field, message] as const);
  const errors = new Map<string, string>();
  for (const [field, text] of all) errors.set(field, errors.has(field) ? `${errors.get(field) ?? ''} ${text}` : text);
  return Object.fromEntries(errors);
}

/** Returns the member of the written data that a path is in: `title` of `data.title`, `[2].data[0].title` and `args.title`. */
function fieldOf(path: string): string | undefined {
  return /^(?:\[\d+\]\.)?(?:data(?:\[\d+\])?|args)\.(\w+)/.exec(path)?.[1];
}
