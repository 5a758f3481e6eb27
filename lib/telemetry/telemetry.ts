import type { ApiError } from '../errors/api-error.js';
import type { RunTally } from '../executor/run-tally.js';

/** An operation as its span and its metrics name it. Its members are names of the schema and of the application, and never values of a request. */
export interface TracedOperation {
  readonly style: string;
  /** Prisma's name of the model; undefined for a batch, and for a model that is not exposed to the caller. */
  readonly model: string | undefined;
  /** `read`, `create`, `update`, `delete`, `batch`, or the name of a method with `@ResourceAction`; undefined if there is no such operation. */
  readonly action: string | undefined;
  /** The number of operations of a batch. */
  readonly batchSize?: number;
}

/** The traces and metrics of operations. */
export interface Telemetry {
  /** Whether an SDK is registered, which may happen after the first request. Without one, nothing is recorded. */
  isActive(): boolean;
  /** Sets `http.route` of the active server span. */
  setRoute(route: string): void;
  /** Starts the span of an operation, as a child of the active span. */
  begin(operation: TracedOperation): OperationTrace;
}

/** The span and the duration of one operation. */
export interface OperationTrace {
  /** Receives the costs of the operation; undefined if its span is not recorded. */
  readonly tally: RunTally | undefined;
  /** Runs work in the context of the span, which becomes the parent of the spans in it. */
  within<Result>(work: () => Result): Result;
  /**
   * Notes the error of the operation. Only a status of 500 or more is an error of the span.
   *
   * @param thrown the original error, whose causes may have an SQLSTATE
   */
  fail(error: ApiError, thrown: unknown): void;
  /** Notes that the client has disconnected before the end of the response. */
  abort(): void;
  /** Ends the span, and records the duration. */
  end(operation: TracedOperation): void;
}
