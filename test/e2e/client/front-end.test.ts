import type { ChildProcess } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { IS_LONG } from '../../support/long.js';
import { type SampleProcess, startSample } from '../../support/sample-process.js';
import { CHROMIUM, describeInChromium, launchChromium } from './chromium.js';
import { ViteSample } from './vite-sample.js';

const FRONT_END = new ViteSample('sample/front-end');

function describePage(tests: () => void): void {
  const name = 'the sample page in Chromium';
  if (IS_LONG && FRONT_END.isInstalled && CHROMIUM !== undefined) describeInChromium(name, tests);
  else describe.skip(`${name} (skipped: npm ci --prefix sample/front-end, then npm run test:long, where there is a Chromium)`, tests);
}

describePage(() => {
  let blog: SampleProcess;
  let vite: ChildProcess;
  let browser: Browser;
  let url: string;
  let page: Page;
  /** The requests of the page to the API. */
  const calls: string[] = [];

  beforeAll(async () => {
    await FRONT_END.build();
    blog = await startSample('sample/blog/dist/main.js', 'curl -G');
    ({ url, process: vite } = await FRONT_END.preview(blog.url));
    browser = await launchChromium();
  }, 120_000);
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 900, height: 1000 } });
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) calls.push(pathname);
    });
    await page.goto(url);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    calls.splice(0, calls.length - 1);
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await browser.close();
    vite.kill();
    await blog.stop('SIGTERM');
  });

  it('type-checks with the exposed types of the blog', async () => {
    expect(await FRONT_END.typecheck()).toBe('');
  }, 60_000);

  it('lists posts with their authors, by one request for the posts, the users and the tags', async () => {
    expect(await page.locator('.post').count()).toBe(10);
    expect(await page.locator('.post .meta').first().textContent()).toMatch(/^\w+ \w+[A-Z]\w\w \d+, 2026/);
    expect(await page.getByRole('combobox').locator('option').count()).toBe(7);
    expect(calls).toEqual(['/api/rpc/$transaction/sequential']);
  });

  it('filters by title and by tag', async () => {
    await page.getByRole('searchbox').fill('IN DEFENCE of');
    await page.locator('h2').filter({ hasNotText: 'In defence of' }).first().waitFor({ state: 'detached' });
    const titled = await page.locator('.post').count();
    await page.getByRole('button', { name: 'nestjs' }).click();
    await page.locator('.labels').filter({ hasNotText: 'nestjs' }).first().waitFor({ state: 'detached' });
    const tagged = await page.locator('.post').count();
    expect([titled > tagged, tagged > 0]).toEqual([true, true]);
  });

  it('writes a comment as the chosen user, and shows it in the list', async () => {
    await page.getByRole('combobox').selectOption({ label: 'Radia Perlman (reader)' });
    const post = page.locator('.post').first();
    await post.locator('summary').click();
    const before = parseInt((await post.locator('summary').textContent()) ?? '', 10);
    await post.getByLabel('Write a comment').fill('Spanning!');
    await post.getByRole('button', { name: 'Send' }).click();
    await post.locator('li', { hasText: 'Radia Perlman Spanning!' }).waitFor();
    expect(await post.locator('summary').textContent()).toBe(`${before + 1} comments`);
  });

  it('shows an error if an anonymous reader sends a comment', async () => {
    const post = page.locator('.post').first();
    await post.locator('summary').click();
    await post.getByLabel('Write a comment').fill('Nobody was here.');
    await post.getByRole('button', { name: 'Send' }).click();
    expect(await post.getByRole('alert').textContent()).toBe('You may not do that. Choose another user above.');
    expect(await page.getByText('Nobody was here.').count()).toBe(0);
  });

  it('adds a tag to the filters, once', async () => {
    await page.getByRole('combobox').selectOption({ label: 'Grace Hopper (author)' });
    const add = async () => {
      await page.getByLabel('New tag').fill('compilers');
      await page.getByRole('button', { name: 'Add' }).click();
    };
    await add();
    await page.getByRole('button', { name: 'compilers' }).waitFor();
    await add();
    expect(await page.getByRole('alert').textContent()).toBe('That value is taken already.');
    expect(await page.getByRole('button', { name: 'compilers' }).count()).toBe(1);
  });
});
