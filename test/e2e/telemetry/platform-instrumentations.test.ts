import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { trace } from '@opentelemetry/api';
import type { INestApplication } from '@nestjs/common';
import { createRequire } from 'node:module';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTelemetry, type TestTelemetry } from '../../support/telemetry.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** The instrumentation of each platform, enabled before the application listens. */
const INSTRUMENTATIONS = {
  express: () => {
    const express = new ExpressInstrumentation();
    express.setTracerProvider(trace.getTracerProvider());
    createRequire(import.meta.url)('express');
    const disable = (): void => {
      express.disable();
    };
    return { configure: () => undefined, disable };
  },
  fastify: () => {
    const fastify = new FastifyOtelInstrumentation();
    fastify.setTracerProvider(trace.getTracerProvider());
    const configure = async (nest: INestApplication): Promise<void> => {
      await (nest.getHttpAdapter().getInstance() as { register: (plugin: unknown) => Promise<void> }).register(fastify.plugin());
    };
    const disable = (): void => {
      fastify.disable();
    };
    return { configure, disable };
  },
};

describe.each(['express', 'fastify'] as const)('with the instrumentation of %s', (platform) => {
  let telemetry: TestTelemetry;
  let database: TestDatabase;
  let app: TestApp;
  let disable: () => void;

  beforeAll(async () => {
    telemetry = startTelemetry();
    database = await openTestDatabase();
    const { configure, ...instrumentation } = INSTRUMENTATIONS[platform]();
    disable = instrumentation.disable;
    app = await startTestApp({ platform, database, configure });
  }, 60_000);
  afterAll(async () => {
    disable();
    await app.close();
    await database.close();
    await telemetry.close();
  });

  it.each([
    ['/tag/1', 'GET /api/rest/:type/:id'],
    ['/post/1/relationships/tags', 'GET /api/rest/:type/:id/relationships/:relationship'],
    ['/post?sort=nonsense', 'GET /api/rest/:type'],
  ])('the server span of %s has the route of the API, and the operation below it', async (path, name) => {
    await telemetry.reset();
    await app.rest.get(path);
    const [server, ...others] = telemetry.servers();
    expect([server?.name, server?.attributes['http.route'], others.length]).toEqual([name, name.split(' ')[1], 0]);
    const [span] = telemetry.spans();
    expect(span?.spanContext().traceId).toBe(server?.spanContext().traceId);
    expect(span?.parentSpanContext).toBeDefined();
  });
});
