import type * as OpenTelemetry from '@opentelemetry/api';
import type { ApiError } from '../errors/api-error.js';
import { databaseCodeOf } from '../errors/data-layer-error.js';
import { memberOf } from '../errors/member-of.js';
import { RunTally } from '../executor/run-tally.js';
import type { OperationTrace, Telemetry, TracedOperation } from './telemetry.js';

type Api = Pick<
  typeof OpenTelemetry,
  'trace' | 'context' | 'metrics' | 'createContextKey' | 'createNoopMeter' | 'SpanKind' | 'SpanStatusCode'
>;

/** The name of the instrumentation scope. */
const SCOPE = 'nestjs-resource-api';

/** The context key under which instrumentations of HTTP servers keep their span and its route (`setRPCMetadata` of `@opentelemetry/core`). */
const RPC_METADATA = 'OpenTelemetry SDK Context Key RPC_METADATA';

/** The used part of the metadata of an HTTP server span. */
interface ServerMetadata {
  readonly span?: OpenTelemetry.Span;
  route?: string;
}

/** The bucket boundaries of HTTP durations in seconds, by the semantic conventions. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The provider of the API itself delegates to that of an SDK, and has no tracer of it until one is registered. */
type TracerProvider = OpenTelemetry.TracerProvider & {
  getDelegateTracer?(name: string): OpenTelemetry.Tracer | undefined;
};

/** Loads `@opentelemetry/api`. Called once at boot. Returns null if it is not installed. */
export async function loadTelemetry(): Promise<Telemetry | null> {
  const api = await loadApi();
  return api && new OpenTelemetryTelemetry(api);
}

async function loadApi(): Promise<typeof OpenTelemetry | null> {
  try {
    return await import('@opentelemetry/api');
  } catch (error) {
    if (String(memberOf(error, 'code')).endsWith('MODULE_NOT_FOUND')) return null;
    throw error;
  }
}

/** Traces and metrics through the OpenTelemetry API. Without a registered SDK, its spans and instruments do nothing. */
export class OpenTelemetryTelemetry implements Telemetry {
  readonly #api: Api;
  readonly #tracer: OpenTelemetry.Tracer;
  readonly #metadataKey: symbol;
  #meters: OpenTelemetry.MeterProvider | undefined;
  /** Undefined if no SDK has registered meters. */
  #durations: OpenTelemetry.Histogram | undefined;

  constructor(api: Api) {
    this.#api = api;
    this.#tracer = api.trace.getTracer(SCOPE);
    this.#metadataKey = api.createContextKey(RPC_METADATA);
  }

  isActive(): boolean {
    const tracers: TracerProvider = this.#api.trace.getTracerProvider();
    const hasTracer = !tracers.getDelegateTracer || tracers.getDelegateTracer(SCOPE) !== undefined;
    return hasTracer || this.#histogram() !== undefined;
  }

  setRoute(route: string): void {
    const { trace, context } = this.#api;
    const active = context.active();
    const metadata = active.getValue(this.#metadataKey) as ServerMetadata | undefined;
    // The instrumentation of Node's `http` names its span, and its metrics, by this route when the response ends.
    if (metadata) metadata.route = route;
    const span = metadata?.span ?? trace.getSpan(active);
    if (span && (metadata || this.#isServer(span))) span.setAttribute('http.route', route);
  }

  begin(operation: TracedOperation): OperationTrace {
    const { context, trace, SpanStatusCode } = this.#api;
    const span = this.#tracer.startSpan(nameOf(operation), { attributes: attributesOf(operation) });
    const parent = context.active();
    const active = span.isRecording() ? trace.setSpan(parent, span) : parent;
    return new ApiTrace({
      span,
      operation,
      errorStatus: SpanStatusCode.ERROR,
      within: (work) => (active === parent ? work() : context.with(active, work)),
      record: (seconds, attributes) => {
        this.#histogram()?.record(seconds, attributes, active);
      },
    });
  }

  /** The kind is in the spans of the SDK, and not in the API. */
  #isServer(span: OpenTelemetry.Span): boolean {
    return 'kind' in span && span.kind === this.#api.SpanKind.SERVER;
  }

  /** Returns the instrument of the registered SDK. An SDK may be registered after the first request, and the API passes on no earlier instrument. */
  #histogram(): OpenTelemetry.Histogram | undefined {
    const { metrics, createNoopMeter } = this.#api;
    const meters = metrics.getMeterProvider();
    if (meters === this.#meters) return this.#durations;
    this.#meters = meters;
    const meter = meters.getMeter(SCOPE);
    this.#durations =
      meter === createNoopMeter()
        ? undefined
        : meter.createHistogram('resource_api.operation.duration', {
            unit: 's',
            description: 'Duration of operations on resources.',
            advice: { explicitBucketBoundaries: BOUNDARIES },
          });
    return this.#durations;
  }
}

interface TraceParts {
  readonly span: OpenTelemetry.Span;
  readonly operation: TracedOperation;
  readonly errorStatus: OpenTelemetry.SpanStatusCode;
  readonly within: OperationTrace['within'];
  readonly record: (seconds: number, attributes: OpenTelemetry.Attributes) => void;
}

class ApiTrace implements OperationTrace {
  readonly tally: RunTally | undefined;
  readonly #parts: TraceParts;
  readonly #start = performance.now();
  #errorType: string | undefined;

  constructor(parts: TraceParts) {
    this.#parts = parts;
    this.tally = parts.span.isRecording() ? new RunTally() : undefined;
  }

  within<Result>(work: () => Result): Result {
    return this.#parts.within(work);
  }

  fail({ status, http, problems: [{ code }] }: ApiError, thrown: unknown): void {
    const { span, errorStatus } = this.#parts;
    this.#errorType = http?.code ?? code;
    if (!span.isRecording()) return;
    const databaseCode = databaseCodeOf(thrown);
    if (databaseCode !== undefined) span.setAttribute('db.response.status_code', databaseCode);
    if (status >= 500) span.setStatus({ code: errorStatus });
  }

  abort(): void {
    this.#errorType ??= 'client-disconnected';
  }

  end(operation: TracedOperation): void {
    const { span, operation: begun, record } = this.#parts;
    const error = this.#errorType === undefined ? undefined : { 'error.type': this.#errorType };
    if (span.isRecording()) {
      if (operation.model !== begun.model) span.updateName(nameOf(operation)).setAttributes(namesOf(operation));
      span.setAttributes({ ...this.#costs(), ...error });
    }
    record((performance.now() - this.#start) / 1000, { ...namesOf(operation), ...error });
    span.end();
  }

  #costs(): OpenTelemetry.Attributes {
    const { engine, statements, rows, cost, isShared } = this.tally ?? {};
    if (engine === undefined) return {};
    return {
      'resource_api.engine': engine,
      ...(engine === 'sql' && { 'resource_api.statements': statements }),
      ...(rows !== undefined && { 'resource_api.rows': rows }),
      ...(cost !== undefined && { 'resource_api.cost': cost }),
      'resource_api.shared': isShared,
    };
  }
}

/** Returns the name of a span, e.g. `resource.read Post`. */
function nameOf({ action, model }: TracedOperation): string {
  const name = action === undefined ? 'resource' : `resource.${action}`;
  return model === undefined ? name : `${name} ${model}`;
}

function attributesOf({ batchSize, ...operation }: TracedOperation): OpenTelemetry.Attributes {
  return { ...namesOf(operation), ...(batchSize !== undefined && { 'resource_api.batch.size': batchSize }) };
}

function namesOf({ style, model, action }: TracedOperation): OpenTelemetry.Attributes {
  return {
    'resource_api.style': style,
    ...(model !== undefined && { 'resource_api.model': model }),
    ...(action !== undefined && { 'resource_api.action': action }),
  };
}
