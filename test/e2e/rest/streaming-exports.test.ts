import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestInterceptor } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { map } from 'rxjs';
import { type ApiReply, ByteStream, ResourceApiModule } from '../../../lib/index.js';
import { sample } from '../../support/sample.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import type { TestApp } from '../../support/test-app.js';
import { CSV, describeExports, errorOf, idsOf, linesOf, NDJSON, take, until } from './export-suite.js';

describeExports('streaming exports', (suite) => {
  const { start } = suite;

  describe('many rows', () => {
    const COUNT = 3000;
    const WIDE = 'x'.repeat(2000);
    let reads: number;
    let failAt: number;
    let row: (id: number) => object;
    let many: TestApp;

    /** A model that generates rows after the key of the query. */
    const audit = {
      findMany: async ({ where, take: most }: { readonly where?: unknown; readonly take: number }): Promise<readonly object[]> => {
        reads += 1;
        if (reads === failAt) throw new Error('The database has gone.');
        const after = Number(/"gt":(\d+)/.exec(JSON.stringify(where ?? {}))?.[1] ?? 0);
        await sleep(1);
        return Array.from({ length: Math.min(most, COUNT - after) }, (_, index) => row(after + index + 1));
      },
    };

    beforeAll(async () => {
      many = await start({ getClient: () => ({ auditEvent: audit }), limits: { maxResponseStall: 1000 } });
    });
    beforeEach(() => {
      reads = 0;
      failAt = Infinity;
      row = (id) => ({ id, type: WIDE, payload: {}, createdAt: new Date(id) });
    });

    it('SE-04: are read in batches, each after the last key of the previous one', async () => {
      const exported = await take(many, '/auditEvent');
      expect(idsOf(exported)).toEqual(Array.from({ length: COUNT }, (_, index) => index + 1));
      expect([exported.isWhole, linesOf(exported).at(-1)]).toEqual([true, { meta: { complete: true, count: COUNT } }]);
      expect(reads).toBeGreaterThan(4);
      expect(reads).toBeLessThan(20);
    });

    it('SE-06, SE-07: are read only as fast as the client reads, and not after it has disconnected', async () => {
      row = (id) => ({ id, type: WIDE.repeat(20), payload: {}, createdAt: new Date(id) });
      const [response] = (await once(
        get(`${many.url}/api/rest/auditEvent`, { headers: { Accept: NDJSON }, agent: false }),
        'response',
      )) as [IncomingMessage];
      response.on('error', () => undefined);
      response.pause();
      let before = -1;
      await until(() => {
        const isSame = reads === before && reads > 0;
        before = reads;
        return isSame;
      });
      await sleep(200);
      const ahead = reads;
      // A batch has 25 rows of 40 kB, 1 MB: the system's own buffers take some of them, of 120.
      expect(ahead).toBeLessThan(40);
      response.destroy();
      await sleep(300);
      const after = reads;
      await sleep(500);
      expect(reads).toBe(after);
      expect(after).toBeLessThanOrEqual(ahead + 1);
    });

    it('SE-08: end with the error as the last line of NDJSON, and without a valid end of the response, if a later batch fails', async () => {
      failAt = 3;
      const exported = await take(many, '/auditEvent');
      const lines = linesOf(exported);
      expect([exported.status, exported.isWhole]).toEqual([200, false]);
      expect(lines.at(-1)).toEqual({ errors: [expect.objectContaining({ code: 'unknown-error', id: expect.any(String) as string })] });
      expect(lines.slice(0, -1).map(({ id }) => id)).toEqual(Array.from({ length: lines.length - 1 }, (_, index) => index + 1));
      // The random letters of a cursor may contain the text by chance.
      expect(exported.text.replaceAll(/[\w-]{40,}/g, '')).not.toContain('gone');
    });

    it('SE-08: abort the response as CSV if a later batch fails, and are a 500 if the first one fails', async () => {
      failAt = 3;
      const broken = await take(many, '/auditEvent', { accept: CSV });
      expect([broken.status, broken.isWhole]).toEqual([200, false]);
      expect(broken.text).not.toContain('errors');
      reads = 0;
      failAt = 1;
      const refused = await take(many, '/auditEvent', { accept: CSV });
      expect([refused.headers['content-type'], ...errorOf(refused)]).toEqual(['application/vnd.api+json', 500, 'unknown-error nowhere']);
    });

    it('SE-09: end after limits.maxExportRows', async () => {
      const limited = await start({ getClient: () => ({ auditEvent: audit }), limits: { maxExportRows: 100 } });
      const exported = await take(limited, '/auditEvent');
      expect([idsOf(exported).length, exported.isWhole]).toEqual([100, false]);
      expect(linesOf(exported).at(-1)?.errors).toEqual([expect.objectContaining({ code: 'limit-exceeded' })]);
      const whole = await start({ getClient: () => ({ auditEvent: audit }), limits: { maxExportRows: COUNT } });
      expect((await take(whole, '/auditEvent', { accept: CSV })).isWhole).toBe(true);
    });

    it('SE-09: end after limits.maxResponseStall without a read of the client', async () => {
      row = (id) => ({ id, type: WIDE.repeat(20), payload: {}, createdAt: new Date(id) });
      const stalling = await start({ getClient: () => ({ auditEvent: audit }), limits: { maxResponseStall: 200 } });
      const { hostname, port } = new URL(stalling.url);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.pause();
      socket.write(`GET /api/rest/auditEvent HTTP/1.1\r\nHost: x\r\nAccept: ${NDJSON}\r\n\r\n`);
      const connections = (): Promise<number> =>
        new Promise((resolve) => {
          (stalling.nest.getHttpServer() as Server).getConnections((_, count) => {
            resolve(count);
          });
        });
      await until(() => reads > 0);
      let left = 1;
      for (let tries = 0; tries < 200 && left > 0; tries++) {
        await sleep(50);
        left = await connections();
      }
      expect(left).toBe(0);
      socket.destroy();
    });

    sample.omitted.it('do not end by limits.maxResponseStall if the database is slow', async () => {
      const slow = { findMany: async (args: { readonly take: number }) => (await sleep(500), audit.findMany(args)) };
      const patient = await start({ getClient: () => ({ auditEvent: slow }), limits: { maxResponseStall: 100 } });
      expect((await take(patient, '/auditEvent?fields[auditEvent]=createdAt', { accept: CSV })).isWhole).toBe(true);
    });
  });

  it('are a stream for interceptors, which may change the headers', async () => {
    const seen: unknown[] = [];
    const interceptor: NestInterceptor<ApiReply, ApiReply> = {
      intercept: (_, next) =>
        next.handle().pipe(
          map((reply) => {
            seen.push(reply.body);
            return { ...reply, headers: { ...reply.headers, 'X-Own': 'yes' } };
          }),
        ),
    };
    const intercepted = await start({ interceptors: [interceptor] });
    const { headers, isWhole } = await take(intercepted, '/tag');
    expect([headers['x-own'], isWhole, seen[0] instanceof ByteStream]).toEqual(['yes', true, true]);
  });
});

describe('exporting over HTTP/2', () => {
  it('SE-08: resets the stream of a failed export, and ends that of a successful one', async () => {
    let reads = 0;
    const findMany = (): Promise<readonly object[]> => {
      reads += 1;
      if (reads === 2) throw new Error('The database has gone.');
      return Promise.resolve(Array.from({ length: 51 }, (_, id) => ({ id: id + 1, name: 'x' })));
    };
    const api = ResourceApiModule.forRoot({
      schema: resourceSchema,
      getClient: () => ({ tag: { findMany } }),
      rest: { endpoint: 'http://api.test', export: true },
      resources: { '*': 'hidden', 'Tag': {} },
    });
    const module = await Test.createTestingModule({ imports: [api] }).compile();
    const nest = module.createNestApplication(new FastifyAdapter({ http2: true }), { logger: false });
    await nest.listen(0, '127.0.0.1');
    const { port } = (nest.getHttpServer() as Server).address() as AddressInfo;
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const stream = session.request({ ':path': '/tag', 'accept': NDJSON });
    let text = '';
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const failed = once(stream, 'error');
    await failed;
    expect([stream.rstCode, JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')]).toEqual([2, { errors: [expect.anything()] }]);
    session.close();
    await nest.close();
  });
});
