import { createRequire } from 'node:module';
import { context, metrics, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

/** A registered SDK of OpenTelemetry that keeps what it records in memory. It belongs to the process, so that a test file closes it. */
export interface TestTelemetry {
  /** The spans of this package that have ended since the last `reset()`. */
  readonly spans: () => readonly ReadableSpan[];
  /** The spans of HTTP servers. */
  readonly servers: () => readonly ReadableSpan[];
  /** The points of this package's histogram since the last `reset()`. */
  readonly durations: () => Promise<readonly DataPoint<Histogram>[]>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Wraps Node's `http` once in a process. */
let http: HttpInstrumentation | undefined;

export function startTelemetry(): TestTelemetry {
  const exporter = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const points = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 60_000 })] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(tracers);
  metrics.setGlobalMeterProvider(meters);
  const instrumentation = instrumentHttp();
  instrumentation.setTracerProvider(tracers);
  instrumentation.setMeterProvider(meters);
  const ended = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
  return {
    spans: () => ended().filter(({ instrumentationScope }) => instrumentationScope.name === 'nestjs-resource-api'),
    servers: () => ended().filter(({ kind }) => kind === SpanKind.SERVER),
    durations: async () => {
      await meters.forceFlush();
      const all = points.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
      return all
        .filter(({ descriptor }) => descriptor.name === 'resource_api.operation.duration')
        .flatMap(({ dataPoints }) => dataPoints as readonly DataPoint<Histogram>[]);
    },
    reset: async () => {
      await meters.forceFlush();
      exporter.reset();
      points.reset();
    },
    close: async () => {
      instrumentation.disable();
      for (const api of [trace, metrics, context]) api.disable();
      await Promise.all([tracers.shutdown(), meters.shutdown()]);
    },
  };
}

function instrumentHttp(): HttpInstrumentation {
  if (http) {
    http.enable();
    return http;
  }
  http = new HttpInstrumentation({ disableOutgoingRequestInstrumentation: true });
  // It wraps the module when that is next required.
  createRequire(import.meta.url)('node:http');
  return http;
}
