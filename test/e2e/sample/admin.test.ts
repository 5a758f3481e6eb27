import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { IS_LONG } from '../../support/long.js';
import { type SampleProcess, startSample } from '../../support/sample-process.js';
import { CHROMIUM, describeInChromium, launchChromium } from '../client/chromium.js';
import { ViteSample } from '../client/vite-sample.js';

const ADMIN = new ViteSample('sample/admin');
const API = 'sample/real-application/dist/main.js';
const ROOT = new URL('../../../', import.meta.url);

const NAME = 'sample/admin in Chromium';
const LACKING =
  'npm ci --prefix sample/admin, npm run build --prefix sample/real-application, then npm run test:long, where there is a Chromium';

function describeAdmin(tests: () => void): void {
  if (IS_LONG && ADMIN.isInstalled && existsSync(new URL(API, ROOT)) && CHROMIUM !== undefined) describeInChromium(NAME, tests);
  else describe.skip(`${NAME} (skipped: ${LACKING})`, tests);
}

describeAdmin(() => {
  let api: SampleProcess;
  let vite: ChildProcess;
  let browser: Browser;
  let url: string;
  let page: Page;
  /** Errors on the console of the page, except those of error responses. */
  const errors: string[] = [];

  beforeAll(async () => {
    await ADMIN.build();
    const environment: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: '' };
    // Its rows live in a temporary file.
    delete environment['DATABASE_URL'];
    api = await startSample(API, 'Cleo', {
      cwd: fileURLToPath(ROOT),
      node: process.execPath,
      environment,
    });
    ({ url, process: vite } = await ADMIN.preview(api.url));
    browser = await launchChromium();
  }, 180_000);
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
  });
  afterEach(async () => {
    await page.close();
    expect(errors.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    vite.kill();
    await api.stop('SIGTERM');
  });

  /** Returns the token that the sample has printed for a user, by the start of its line. */
  function tokenOf(person: string): string {
    const line = api
      .output()
      .stdout.split('\n')
      .find((text) => text.startsWith(person));
    return line?.split(' ').at(-1) ?? '';
  }

  async function logIn(person: string): Promise<void> {
    await page.goto(url);
    await page.getByLabel('Token').fill(tokenOf(person));
    await page.getByRole('button', { name: 'Log in' }).click();
    await menu('Tasks').waitFor();
  }

  const menu = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });

  /** Updates a record as another user, without the page. */
  async function update(person: string, path: string, body: object): Promise<void> {
    const headers = { 'authorization': `Bearer ${tokenOf(person)}`, 'content-type': 'application/json' };
    const response = await fetch(`${api.url}/api/rpc/${path}`, { method: 'PATCH', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
  }

  it('type-checks', async () => {
    expect(await ADMIN.typecheck()).toBe('');
  }, 120_000);

  it('rejects a login without a valid token', async () => {
    await page.goto(url);
    await page.getByLabel('Token').fill('x.y.z');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('A valid bearer token is needed.').waitFor();
  }, 60_000);

  it('lists tasks with the names of referenced records, sorts and searches', async () => {
    await logIn('Ann');
    await menu('Tasks').click();
    await row('Build the rocket').getByText('Rocket', { exact: true }).waitFor();
    await row('Build the rocket').getByText('Bob', { exact: true }).waitFor();
    await page.getByRole('columnheader').getByText('Title', { exact: true }).click();
    await page.getByPlaceholder('Search').fill('test');
    await row('Build the rocket').waitFor({ state: 'detached' });
    expect(await row('Test the rocket').count()).toBe(1);
  }, 60_000);

  it('updates a task and its assignee, and rejects undo after a concurrent change', async () => {
    await logIn('Ann');
    await page.goto(`${url}#/task/2`);
    await page.getByLabel('Title').fill('Test it well');
    await page.getByLabel('Assignee').click();
    await page.getByRole('option', { name: 'Hana' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await row('Test it well').getByText('Hana', { exact: true }).waitFor();

    await page.goto(`${url}#/task/2`);
    // The form shows the old values until it has fetched the record again.
    await page.waitForLoadState('networkidle');
    await page.getByLabel('Title').fill('Test it twice');
    await update('Bob (MEMBER of organization 1)', 'task/update', { where: { id: 2 }, data: { title: 'Test it first' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/version|changed/i)
      .first()
      .waitFor();
    await page.goto(`${url}#/task`);
    await row('Test it first').waitFor();
  }, 60_000);

  it('shows an error of the server at the input', async () => {
    await logIn('Ann');
    await page.goto(`${url}#/tag/create`);
    await page.getByLabel('Name').fill('urgent');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A record with the same unique value exists already.').first().waitFor();
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  }, 60_000);

  it('completes a task by its action, once', async () => {
    await logIn('Ann');
    await page.goto(`${url}#/task`);
    const complete = row('Build the rocket').getByRole('button', { name: 'complete' });
    await complete.click();
    await page.getByText('complete: done').waitFor();
    await complete.click();
    await page.getByText('The task is completed already.').waitFor();
  }, 60_000);

  it('deletes a project with its tasks, and restores it', async () => {
    await logIn('Ann');
    await page.goto(`${url}#/project/1`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('No Projects yet.').or(page.getByText('No results found')).or(row('Rocket')).first().waitFor();
    await page.goto(`${url}#/project?filter=${encodeURIComponent(JSON.stringify({ deletedAt: { not: null } }))}`);
    await row('Rocket').getByRole('button', { name: 'restore' }).click();
    await page.getByText('restore: done').waitFor();
    await page.goto(`${url}#/task`);
    await row('Build the rocket').waitFor();
  }, 60_000);

  it('shows salaries only to HR, and the audit log only to admins', async () => {
    await logIn('Hana');
    await page.goto(`${url}#/membership`);
    await row('90000').waitFor();
    expect(await menu('Auditentries').count()).toBe(0);
    await logOut();
    await logIn('Ann');
    await menu('Auditentries').waitFor();
    await page.goto(`${url}#/membership`);
    await page.getByRole('columnheader', { name: 'Role' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Salary' }).count()).toBe(0);
  }, 60_000);

  it('has a page with refine that filters and sorts', async () => {
    await page.goto(`${url}refine.html`);
    await page.getByPlaceholder('Token').fill(tokenOf('Cleo'));
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('2 tasks, page 1 of 1').waitFor();
    await page.getByRole('button', { name: 'Sort by title' }).click();
    await page.getByPlaceholder('Title contains').fill('Test');
    await page.getByText('1 tasks, page 1 of 1').waitFor();
    expect(await page.getByRole('listitem').allTextContents()).toEqual(['Test the reactor (Reactor)']);
  }, 60_000);

  async function logOut(): Promise<void> {
    await page.evaluate('sessionStorage.clear()');
  }
});
