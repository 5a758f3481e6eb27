import type { NestInterceptor } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ResourceApiModule } from '../../../lib/index.js';
import { sample } from '../../support/sample.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

/** More than the buffers between two processes take. */
const SIZE = 16_000_000;
const STALL = 300;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function areCollected(references: readonly WeakRef<object>[]): boolean {
  collectGarbage();
  return references.every((reference) => reference.deref() === undefined);
}

onPlatforms('a response that its client does not read', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  /** The results of the data client. */
  const results: WeakRef<object>[] = [];
  let delay = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
    await database.prisma.post.updateMany({ data: { content: 'x'.repeat(SIZE / 10) } });
    const { prisma } = database;
    const findMany = async (args: object): Promise<object> => {
      const rows = await prisma.post.findMany(args);
      await sleep(delay);
      results.push(new WeakRef(rows));
      return rows;
    };
    const post = { findMany, count: () => 12 };
    app = await startTestApp({ platform, options: { getClient: () => ({ post }), limits: { maxResponseStall: STALL } } });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const PATHS = ['/api/rest/post', '/api/rpc/post/findMany'] as const;

  /** Sends a request, and reads nothing. */
  async function openRequest(path: string, { url } = app): Promise<Socket> {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.pause();
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  }

  async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
    for (let tries = 0; tries < 100; tries++) {
      if (await holds()) return true;
      await sleep(50);
    }
    return false;
  }

  const connections = ({ nest } = app): Promise<number> =>
    new Promise((resolve, reject) => {
      (nest.getHttpServer() as Server).getConnections((error, count) => {
        if (error) reject(error);
        else resolve(count);
      });
    });

  it.each(PATHS)('is aborted after limits.maxResponseStall, and not before (%s)', async (path) => {
    const socket = await openRequest(path);
    await until(async () => (await connections()) > 0);
    const begun = Date.now();
    expect(await until(async () => (await connections()) === 0)).toBe(true);
    expect(Date.now() - begun).toBeGreaterThan(STALL - 50);
    socket.destroy();
  });

  it.each(sample.oneIn(2, PATHS))('does not keep rows in memory (%s)', async (path) => {
    const interceptors: NestInterceptor[] = [{ intercept: (_, next) => next.handle() }];
    const post = counting();
    const patient = await startTestApp({ platform, options: { getClient: () => ({ post }), interceptors } });
    const sockets = await Promise.all([openRequest(path, patient), openRequest(path, patient)]);
    expect(await until(() => results.length >= 2)).toBe(true);
    await sleep(300);
    expect(await until(() => areCollected(results))).toBe(true);
    expect(await connections(patient)).toBe(2);
    for (const socket of sockets) socket.destroy();
    await patient.close();
  });

  sample.omitted.it('is complete for a client that reads slowly', async () => {
    const post = counting();
    const patient = await startTestApp({ platform, options: { getClient: () => ({ post }), limits: { maxResponseStall: 1000 } } });
    const socket = await openRequest('/api/rest/post', patient);
    let size = 0;
    const begun = Date.now();
    while (size < SIZE && !socket.closed) {
      size += (socket.read() as Buffer | null)?.length ?? 0;
      await sleep(10);
    }
    expect(size).toBeGreaterThan(SIZE);
    expect(Date.now() - begun).toBeGreaterThan(2000);
    socket.destroy();
    await patient.close();
  });

  it.each([
    ['keeps connections open', undefined],
    ['does not say how long connections may be idle', 0],
  ])('does not affect the next one on its connection if the server %s', async (_, keepAliveTimeout) => {
    const server = app.nest.getHttpServer() as Server;
    const { keepAliveTimeout: given } = server;
    if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const path = '/api/rest/post?fields[post]=title';
    expect(await statusOf(path, agent)).toBe(200);
    delay = STALL * 3;
    expect(await statusOf(path, agent)).toBe(200);
    delay = 0;
    agent.destroy();
    server.keepAliveTimeout = given;
  });

  async function statusOf(path: string, agent: Agent): Promise<number | undefined> {
    const [response] = (await once(get(`${app.url}${path}`, { agent }), 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  }

  /** Returns a delegate that records its results. */
  function counting(): object {
    results.length = 0;
    const { prisma } = database;
    return {
      count: () => 12,
      findMany: async (args: object) => {
        const rows = await prisma.post.findMany(args);
        results.push(new WeakRef(rows));
        return rows;
      },
    };
  }
});

describe('a stream of HTTP/2 that its client does not read', () => {
  it('is aborted, and other streams of the connection are not', async () => {
    const content = 'x'.repeat(SIZE / 10);
    const findMany = (): Promise<object[]> => Promise.resolve(Array.from({ length: 10 }, (_, id) => ({ id, name: content })));
    const api = ResourceApiModule.forRoot({
      schema: resourceSchema,
      getClient: () => ({ tag: { findMany } }),
      rpc: { prefix: 'api/rpc' },
      resources: { '*': 'hidden', 'Tag': {} },
      limits: { maxResponseStall: STALL },
    });
    const module = await Test.createTestingModule({ imports: [api] }).compile();
    const nest = module.createNestApplication(new FastifyAdapter({ http2: true }), { logger: false });
    await nest.listen(0, '127.0.0.1');
    const { port } = (nest.getHttpServer() as Server).address() as AddressInfo;
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const request = { ':path': '/api/rpc/tag/findMany' };
    const unread = session.request(request);
    unread.pause();
    while (!unread.closed) await sleep(50);
    unread.destroy();
    let size = 0;
    for await (const chunk of session.request(request)) size += (chunk as Buffer).length;
    expect(size).toBeGreaterThan(SIZE);
    expect(session.destroyed).toBe(false);
    session.close();
    await nest.close();
  });
});
