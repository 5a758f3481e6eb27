import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import type { SampleProcess } from '../../support/sample-process.js';
import { blocksOf, quickStart } from './quick-start-page.js';
import { type Database, QuickStartProject } from './quick-start-project.js';

/**
 * docs/quick-start.md as a new user follows it, from an empty folder, with `init` and by hand: its commands and files create an application
 * that builds, starts, passes its tests, and answers. Two things differ: the package is the packed one, and the tables come from SQL, since
 * `prisma db push` downloads an engine.
 *
 * @param ways `init`: by `init` alone, where another line of NestJS or another database has both
 */
export function describeQuickStart(nest: 11 | 12, database: Database, ways: 'init' | 'both' = 'both'): void {
  describe(`the quick start on NestJS ${nest} and ${database}`, () => {
    const start = performance.now();
    let project: QuickStartProject;
    beforeAll(async () => {
      project = await QuickStartProject.create(nest, database);
    }, 600_000);
    afterAll(async () => {
      await project.remove();
      console.info(`The quick start on NestJS ${nest} and ${database}: ${Math.round((performance.now() - start) / 1000)} seconds.`);
    });

    describe('with init', () => {
      it('prints the exposed models and no fault, and creates an application that answers', async () => {
        const printed = await project.init();
        expect(printed).toContain('Exposed to every client that reaches the API: User, Post.');
        expect(printed).toContain('Not exposed: every model that you add later.');
        expect(printed).not.toContain('To do');
        await project.addDocs();
        await buildAndAsk(project);
      }, 600_000);
    });

    if (ways === 'init') return;
    describe('by hand', () => {
      it('creates an application that answers', async () => {
        await project.reset();
        await project.byHand();
        await project.addDocs();
        await buildAndAsk(project);
      }, 600_000);
    });
  });
}

async function buildAndAsk(project: QuickStartProject): Promise<void> {
  await project.run('build');
  const app = await project.start();
  try {
    await askBothStyles(project, app);
    await openDocs(app);
  } finally {
    await app.stop('SIGKILL');
  }
  await project.run('test');
  await project.run('test:e2e');
}

/** The page's first requests, and links of the port that it listens on. */
async function askBothStyles(project: QuickStartProject, app: SampleProcess): Promise<void> {
  const [requests = ''] = blocksOf(quickStart('The first requests'), 'sh');
  const commands = requests.replaceAll('http://localhost:3000', app.url).replaceAll(/\bcurl /g, 'curl -sS --fail-with-body -w "\\n" ');
  const answers = (await project.shell(commands)).trim().split('\n');
  expect(answers.map((answer) => JSON.parse(answer) as unknown)).toEqual([
    expect.objectContaining({ data: [] }),
    expect.objectContaining({
      data: expect.objectContaining({ type: 'user', id: 1, links: { self: `${app.url}/api/rest/user/1` } }) as unknown,
    }),
    { data: [expect.objectContaining({ name: 'Ann' })] },
    { data: expect.objectContaining({ id: 2, name: 'Bob' }) as unknown },
  ]);
}

async function openDocs({ url }: SampleProcess): Promise<void> {
  expect(await (await fetch(`${url}/docs`)).text()).toContain('<title>My API</title>');
  const { paths } = (await (await fetch(`${url}/docs-json`)).json()) as OpenApiDocument;
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/', '/api/rest/user', '/api/rest/post', '/api/rpc/user/findMany']));
}
