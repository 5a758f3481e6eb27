import { Controller, Get, Header } from '@nestjs/common';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type { createRpcClient, RpcClient } from '../../../lib/client/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { browserBundle } from './browser-bundle.js';
import { describeInChromium, launchChromium } from './chromium.js';

/** The globals that the script of a page sets for the tests. */
interface PageGlobals {
  readonly api: RpcClient<PrismaClient>;
  readonly client: {
    readonly createRpcClient: typeof createRpcClient;
    readonly Decimal: new (text: string) => { plus(text: string): object };
  };
}

declare const globalThis: PageGlobals;

const page = (endpoint: string) => `<!doctype html><title>Client</title><script type="module">
  import * as client from '/client.js';
  Object.assign(globalThis, { client, api: client.createRpcClient({ endpoint: '${endpoint}' }) });
</script>`;

let script = '';

/** Serves pages beside the API. */
@Controller()
class PageController {
  @Get('page')
  @Header('Content-Type', 'text/html')
  page(): string {
    return page('/api/rpc');
  }

  @Get('client.js')
  @Header('Content-Type', 'text/javascript')
  script(): string {
    return script;
  }
}

describeInChromium('the typed client in Chromium', () => {
  let database: TestDatabase;
  let app: TestApp;
  let otherOrigin: Server;
  let browser: Browser;

  beforeAll(async () => {
    script = await browserBundle();
    database = await openTestDatabase();
    otherOrigin = await servePages(() => page(`${app.url}/api/rpc/`));
    const origin = `http://localhost:${portOf(otherOrigin)}`;
    app = await startTestApp({
      platform: 'express',
      database,
      controllers: [PageController],
      configure: (nest) => {
        nest.enableCors({
          origin,
          methods: ['GET', 'POST', 'PATCH', 'DELETE'],
          allowedHeaders: ['Content-Type', 'X-HTTP-Method-Override', 'X-Trace'],
        });
      },
    });
    browser = await launchChromium();
  }, 120_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    await browser.close();
    otherOrigin.close();
    await app.close();
    await database.close();
  });

  describe.each([
    ['of the API’s own origin, by a relative endpoint', () => `${app.url}/page`],
    ['of another origin', () => `http://localhost:${portOf(otherOrigin)}/page`],
  ])('on a page %s', (_, urlOf) => {
    let tab: Page;

    beforeAll(async () => {
      tab = await browser.newPage();
      await tab.goto(urlOf());
      await tab.waitForFunction(() => 'api' in globalThis);
    }, 60_000);
    afterAll(() => tab.close());

    it('decodes the values of reads', async () => {
      const seen = await tab.evaluate(async () => {
        const { api, client } = globalThis;
        const order = await api.order.findUniqueOrThrow({ where: { id: 9007199254740993n } });
        const { avatar } = await api.profile.findUniqueOrThrow({ where: { id: 1 }, select: { avatar: true } });
        return {
          id: order.id === 9007199254740993n,
          placedAt: order.placedAt instanceof Date,
          total: order.total instanceof client.Decimal,
          avatar: avatar instanceof Uint8Array && [...avatar],
        };
      });
      expect(seen).toEqual({ id: true, placedAt: true, total: true, avatar: [0x89, 0x50, 0x4e, 0x47] });
    });

    it('filters by a date and a decimal', async () => {
      const ids = await tab.evaluate(async () => {
        const { api, client } = globalThis;
        const where = { createdAt: { lt: new Date('2026-01-06T00:00:00Z') }, rating: { gte: new client.Decimal('2.5') as never } };
        return (await api.post.findMany({ where, orderBy: { id: 'asc' }, select: { id: true } })).map(({ id }) => id);
      });
      expect(ids).toEqual([1, 2, 3]);
    });

    it('creates, updates and deletes', async () => {
      const seen = await tab.evaluate(async () => {
        const { api } = globalThis;
        const profile = await api.profile.create({ data: { userId: 4, birthday: new Date('1930-05-11'), avatar: Uint8Array.of(0, 255) } });
        const { bio, avatar } = await api.profile.update({ where: { id: profile.id }, data: { bio: 'é😀' } });
        const gone = await api.profile.delete({ where: { id: profile.id }, select: { birthday: true } });
        return [bio, avatar && [...avatar], gone.birthday?.toISOString(), await api.profile.count({ where: { userId: 4 } })];
      });
      expect(seen).toEqual(['é😀', [0, 255], '1930-05-11T00:00:00.000Z', 0]);
    });

    it('sends an argument that is too long for a URL', async () => {
      const found = await tab.evaluate(() => globalThis.api.comment.findMany({ where: { body: 'x'.repeat(100_000) } }));
      expect(found).toEqual([]);
    });

    it('sends headers and a transaction', async () => {
      const results = await tab.evaluate(() => {
        const api = globalThis.api.$with({ headers: new Headers({ 'X-Trace': '1' }) });
        return api.$transaction([api.tag.create({ data: { name: 'browser' }, select: { name: true } }), api.tag.count()]);
      });
      expect(results).toEqual([{ name: 'browser' }, 6]);
    });

    it('throws an RpcClientError for an error response', async () => {
      const failure = await tab.evaluate(async () => {
        const call = globalThis.api.tag.create({ data: { name: 'nest' } });
        return call.catch((error: unknown) => ({ ...(error as object), text: String(error) }));
      });
      expect(failure).toMatchObject({
        name: 'RpcClientError',
        status: 400,
        orm: true,
        code: 'P2002',
        text: expect.stringMatching(/^RpcClientError: /),
      });
    });

    it('rejects with an AbortError if it is aborted', async () => {
      const name = await tab.evaluate(async () => {
        const controller = new AbortController();
        const call = globalThis.api.$with({ signal: controller.signal }).post.findMany({ include: { comments: true } });
        controller.abort();
        return call.then(
          () => 'no error',
          (error: unknown) => (error as Error).name,
        );
      });
      expect(name).toBe('AbortError');
    });
  });

  it('rejects with a TypeError if CORS forbids a call', async () => {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${portOf(otherOrigin)}/page`);
    await tab.waitForFunction(() => 'api' in globalThis);
    const failure = await tab.evaluate(() => globalThis.api.tag.count().catch((error: unknown) => (error as Error).name));
    expect(failure).toBe('TypeError');
    await tab.close();
  });
});

/** @param html the page; everything else is the script */
async function servePages(html: () => string): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const isPage = url === '/page';
    response.setHeader('Content-Type', isPage ? 'text/html' : 'text/javascript').end(isPage ? html() : script);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, resolve);
  });
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
