import type { Browser, Page } from 'playwright-core';
import { type SampleProcess, startSample } from '../../support/sample-process.js';
import { long } from '../../support/long.js';
import { describeInChromium, launchChromium } from '../client/chromium.js';

long.describe('the documentation page', () => {
  describeInChromium("the blog's Swagger UI in Chromium", () => {
    let blog: SampleProcess;
    let browser: Browser;
    let tab: Page;

    beforeAll(async () => {
      blog = await startSample('sample/blog/dist/main.js', 'curl -G');
      browser = await launchChromium();
    }, 120_000);
    beforeEach(async () => {
      tab = await (await browser.newContext()).newPage();
      await tab.goto(blog.url);
      await tab.waitForSelector('.opblock-tag-section');
    });
    afterEach(() => tab.close());
    afterAll(async () => {
      await browser.close();
      await blog.stop('SIGTERM');
    });

    /** Opens an operation, edits it, and sends it by "Execute". */
    async function tryOut(
      tag: string,
      operationId: string,
      edit: (block: string) => Promise<void> = () => Promise.resolve(),
    ): Promise<Tried> {
      const block = `[id^="operations-"][id$="-${operationId}"]`;
      if ((await tab.locator(block).count()) === 0) await tab.click(`.opblock-tag[data-tag="${tag}"]`);
      await tab.click(`${block} .opblock-summary-control`);
      await tab.waitForSelector(`${block} .execute`);
      await edit(block);
      const [response] = await Promise.all([
        tab.waitForResponse((answer) => answer.url().includes('/api/')),
        tab.click(`${block} .execute`),
      ]);
      // The page shows the response that was received.
      await tab.locator(`${block} .live-responses-table .response-col_status`, { hasText: String(response.status()) }).waitFor();
      return { status: response.status(), url: response.url(), body: await response.text() };
    }

    async function authorize(userId: string): Promise<void> {
      await tab.click('.btn.authorize');
      await tab.fill('.auth-container input', userId);
      await tab.click('.auth-btn-wrapper .authorize');
      await tab.click('.auth-btn-wrapper .btn-done');
    }

    it('redirects from the root to a page that groups operations by model', async () => {
      expect(tab.url()).toBe(`${blog.url}/docs`);
      expect(await tab.locator('.opblock-tag').allTextContents()).toEqual(expect.arrayContaining([expect.stringContaining('Post')]));
    });

    it('lists posts anonymously with the defaults of the page', async () => {
      const { status, body } = await tryOut('Post', 'fetchPostCollection');
      expect(status).toBe(200);
      expect(body).toContain('"type":"post"');
    });

    it('filters by an example', async () => {
      const { status, url } = await tryOut('Post', 'fetchPostCollection', async (block) => {
        await tab.selectOption(`${block} tr[data-param-name="filter"] .examples-select-element`, 'contains');
      });
      expect([status, decodeURIComponent(url)]).toEqual([200, expect.stringContaining('filter[slug$contains]=')]);
    });

    it('shows a 403 for an anonymous comment, and a 201 for an authorized user', async () => {
      const anonymous = await tryOut('Comment', 'createComment');
      expect(anonymous.status).toBe(403);
      await authorize('5');
      await tab.click('#operations-Comment-createComment .opblock-summary-control');
      const body = JSON.stringify({
        data: {
          type: 'comment',
          attributes: { body: 'From Swagger UI' },
          relationships: { post: { data: { type: 'post', id: 1 } }, author: { data: { type: 'user', id: 5 } } },
        },
      });
      const authorized = await tryOut('Comment', 'createComment', (block) => tab.fill(`${block} .body-param__text`, body));
      expect([authorized.status, authorized.body]).toEqual([201, expect.stringContaining('From Swagger UI')]);
    });

    it('executes RPC with the example of an argument', async () => {
      const { status, url, body } = await tryOut('Post (RPC)', 'postFindMany');
      expect([status, body]).toEqual([200, expect.stringContaining('"data"')]);
      expect(JSON.parse(new URL(url).searchParams.get('q') ?? '')).toEqual({ take: 10 });
    });
  });
});

/** The response to an operation. */
interface Tried {
  readonly status: number;
  readonly url: string;
  readonly body: string;
}
