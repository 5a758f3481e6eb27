/*
 * What the spans and metrics of one operation cost, in nanoseconds: the best of many short batches.
 *
 * npm run build:esm && node bench/telemetry/operation.mjs
 */
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { AlwaysOffSampler, AlwaysOnSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { OpenTelemetryTelemetry } from '../../dist/telemetry/open-telemetry.js';

const OPERATION = { style: 'rest', model: 'Post', action: 'read' };

function best(work) {
  let least = Infinity;
  for (let batch = 0; batch < 300; batch++) {
    const begin = process.hrtime.bigint();
    for (let count = 0; count < 500; count++) work();
    least = Math.min(least, Number(process.hrtime.bigint() - begin) / 500);
  }
  return Math.round(least);
}

function operationOf(telemetry) {
  return () => {
    if (!telemetry.isActive()) return;
    telemetry.setRoute('/api/rest/:type');
    const trace = telemetry.begin(OPERATION);
    trace.within(() => trace.tally && Object.assign(trace.tally, { engine: 'sql', statements: 1, rows: 3, cost: 2 }));
    trace.end(OPERATION);
  };
}

console.log(`the API alone: ${best(operationOf(new OpenTelemetryTelemetry(api)))} ns`);
api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
api.metrics.setGlobalMeterProvider(new MeterProvider());
for (const sampler of [new AlwaysOffSampler(), new AlwaysOnSampler()]) {
  api.trace.disable();
  api.trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler }));
  console.log(`${sampler}: ${best(operationOf(new OpenTelemetryTelemetry(api)))} ns`);
}
