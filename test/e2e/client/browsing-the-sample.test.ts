import type { Browser, Page } from 'playwright-core';
import type { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';
import type { RpcClient } from '../../../lib/client/index.js';
import { long, IS_LONG } from '../../support/long.js';
import { type SampleProcess, startSample } from '../../support/sample-process.js';
import { browserBundle } from './browser-bundle.js';
import { describeInChromium, launchChromium } from './chromium.js';

/** The globals that the script of the page sets for the tests. */
declare const globalThis: { readonly as: (userId?: number) => RpcClient<PrismaClient> };

const PAGE = `<!doctype html><title>Blog</title><script type="module">
  import { createRpcClient } from '/client.js';
  globalThis.as = (userId) => createRpcClient({ endpoint: '/api/rpc', headers: { 'X-User-Id': userId?.toString() } });
</script>`;

/** Only the long suites build the blog, so that `npm test` does not need `npm start` before it. */
const describeInLongChromium = IS_LONG ? describeInChromium : long.describe;

describeInLongChromium('the typed client in Chromium, on the running blog', () => {
  let blog: SampleProcess;
  let browser: Browser;
  let tab: Page;

  beforeAll(async () => {
    const script = await browserBundle();
    blog = await startSample('sample/blog/dist/main.js', 'curl -G');
    browser = await launchChromium();
    tab = await browser.newPage();
    // The blog has no pages, so that the browser fulfils these two under its origin.
    await tab.route(`${blog.url}/page`, (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
    await tab.route(`${blog.url}/client.js`, (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
    await tab.goto(`${blog.url}/page`);
    await tab.waitForFunction(() => 'as' in globalThis);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await blog.stop('SIGTERM');
  });

  it('reads anonymously', async () => {
    const seen = await tab.evaluate(async () => {
      const { viewCount, rating, publishedAt, author } = await globalThis.as().post.findFirstOrThrow({
        where: { published: true, rating: { not: null } },
        include: { author: true },
      });
      return [typeof viewCount, rating?.toFixed(2), publishedAt instanceof Date, Object.keys(author)];
    });
    expect(seen).toEqual(['bigint', expect.stringMatching(/^\d\.\d\d$/), true, expect.not.arrayContaining(['passwordHash'])]);
  });

  it('writes, changes and deletes as an author', async () => {
    const counts = await tab.evaluate(async () => {
      const { post } = globalThis.as(2);
      const { id } = await post.create({ data: { slug: 'from-chromium', title: 'From Chromium', authorId: 2, viewCount: 2n ** 53n } });
      const { viewCount } = await post.update({ where: { id }, data: { viewCount: { increment: 1n } } });
      await post.delete({ where: { id } });
      return [viewCount === 2n ** 53n + 1n, await post.count({ where: { id } })];
    });
    expect(counts).toEqual([true, 0]);
  });

  it('rejects with rejectedByPolicy if a policy forbids a write', async () => {
    const failure = await tab.evaluate(() => {
      const call = globalThis.as(2).post.create({ data: { slug: 'forged', title: 'Forged', authorId: 3 } });
      return call.catch((error: unknown) => ({ ...(error as object) }));
    });
    expect(failure).toMatchObject({ name: 'RpcClientError', status: 403, rejectedByPolicy: true });
  });
});
