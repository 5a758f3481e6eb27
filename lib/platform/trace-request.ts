import type { Readable } from 'node:stream';
import type { ApiError } from '../errors/api-error.js';
import type { Telemetry, TracedOperation } from '../telemetry/telemetry.js';
import type { RequestContext } from './request-context.js';
import type { ResourceOperation } from './resource-operation.js';

/**
 * Answers a request within the span of its operation. A response that is still being sent ends the span when it ends.
 *
 * @param route the path with its parameters, e.g. `/api/rest/:type/:id`
 * @param work answers the request; returns the body that is still being sent
 */
export async function traceRequest(
  telemetry: Telemetry,
  { requestContext, route }: { readonly requestContext: RequestContext; readonly route: string },
  work: () => Promise<Readable | undefined>,
): Promise<void> {
  telemetry.setRoute(route);
  const trace = telemetry.begin(tracedOperation(requestContext));
  requestContext.trace = trace;
  requestContext.tally = trace.tally;
  const end = (): void => {
    trace.end(tracedOperation(requestContext));
  };
  const body = await trace.within(work).catch((fault: unknown) => {
    end();
    throw fault;
  });
  if (!body) {
    end();
    return;
  }
  body.once('close', () => {
    if (!body.readableEnded) trace.abort();
    end();
  });
}

/** Notes the error of a request in its trace. */
export function traceFailure(request: TracedRequest, error: ApiError, thrown: unknown): void {
  const { trace } = request;
  if (trace && error.status === 503 && request.isGone?.() === true) trace.abort();
  else trace?.fail(error, thrown);
}

/** The trace of a request, and whether its client has disconnected. */
export type TracedRequest = Partial<Pick<RequestContext, 'trace' | 'isGone'>>;

/** Returns the operation of a request by names that its caller may see. The guards may not have run yet. */
function tracedOperation(requestContext: RequestContext): TracedOperation {
  const { style } = requestContext.point;
  const { model, action, batch } = parsedOperation(requestContext) ?? {};
  return {
    style: style.name,
    model: model !== undefined && requestContext.visibleModel.byModel.has(model) ? model : undefined,
    action: batch ? 'batch' : action,
    ...(batch && { batchSize: batch.length }),
  };
}

/** Returns undefined for a batch that cannot be parsed. It is rejected after the guards. */
function parsedOperation(requestContext: RequestContext): ResourceOperation | undefined {
  try {
    return requestContext.reading?.operation;
  } catch {
    return undefined;
  }
}
