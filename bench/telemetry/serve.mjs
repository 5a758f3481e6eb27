// Answers requests without a socket, and sends back how much processor time each took, in microseconds.
import 'reflect-metadata';
import { register } from 'node:module';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

const [, , mode] = process.argv;
const ABSENT = `export function resolve(name, context, next) {
  if (name === '@opentelemetry/api') throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
}`;
if (mode === 'absent') register(`data:text/javascript,${encodeURIComponent(ABSENT)}`);
if (mode === 'sampled' || mode === 'unsampled') await registerSdk();
const { ResourceApiModule } = await import('../../dist/index.js');

async function registerSdk() {
  const { context, metrics, trace } = await import('@opentelemetry/api');
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
  const { AlwaysOffSampler, AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
  const { MeterProvider } = await import('@opentelemetry/sdk-metrics');
  const exporter = { export: (_, done) => done({ code: 0 }), shutdown: () => Promise.resolve(), forceFlush: () => Promise.resolve() };
  const sampler = mode === 'sampled' ? new AlwaysOnSampler() : new AlwaysOffSampler();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler, spanProcessors: [new BatchSpanProcessor(exporter)] }));
  metrics.setGlobalMeterProvider(new MeterProvider());
}

const fields = {
  id: { kind: 'scalar', type: 'Int' },
  title: { kind: 'scalar', type: 'String' },
  content: { kind: 'scalar', type: 'String' },
  viewCount: { kind: 'scalar', type: 'Int' },
};
const schema = {
  version: 2,
  provider: 'postgresql',
  enums: {},
  models: { Post: { fields, primaryKey: { name: 'id', fields: ['id'] }, uniqueKeys: [] } },
};
const rows = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  title: `Title ${index}`,
  content: 'x'.repeat(100),
  viewCount: index,
}));
const post = { findMany: async () => rows, findUnique: async () => rows[0], count: async () => rows.length };

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- Nest's modules are.
class AppModule {}
const rest = { prefix: 'api/rest', endpoint: 'http://localhost/api/rest' };
Module({
  imports: [ResourceApiModule.forRoot({ schema, getClient: () => ({ post }), rest, rpc: { prefix: 'api/rpc' }, access: 'public' })],
})(AppModule);
const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: ['error'] });
await app.init();
const fastify = app.getHttpAdapter().getInstance();
await fastify.ready();

process.on('message', async ({ path, count }) => {
  const begin = process.cpuUsage();
  for (let sent = 0; sent < count; sent++) {
    const { statusCode } = await fastify.inject(path);
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}.`);
  }
  const { user, system } = process.cpuUsage(begin);
  process.send((user + system) / count);
});
process.send('ready');
