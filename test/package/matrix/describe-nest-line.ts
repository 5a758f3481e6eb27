import { join } from 'node:path';
import { type SampleProcess, startSample } from '../../support/sample-process.js';
import { createNestProject, type NestLine, type NestProject, type Platform } from './nest-project.js';

const PLATFORMS: readonly Platform[] = ['Express', 'Fastify'];

interface MatrixNode {
  readonly version: string;
  /** The folder of the executable. */
  readonly bin: string;
}

/** As `set-up.mjs` has installed them. */
const NODES = JSON.parse(process.env['MATRIX_NODES'] ?? '[]') as readonly MatrixNode[];

/**
 * Describes a project of that line, on every platform and every Node: it starts, answers in both styles, and passes its tests.
 *
 * @param nodes `lowest`: on that one alone, where what is special about the line is how TypeScript compiles it
 */
export function describeNestLine(line: NestLine, nodes: 'all' | 'lowest' = 'all'): void {
  const lineNodes = nodes === 'all' ? NODES : NODES.slice(0, 1);
  describe(`a project of @nestjs/cli ${line.cli} (${line.format})`, () => {
    let project: NestProject;
    beforeAll(async () => {
      project = await createNestProject(line);
    }, 900_000);
    afterAll(() => project.remove());

    describe.each(PLATFORMS)('on %s', (platform) => {
      // The test runner hardly depends on the platform, so that each Node runs it on one.
      const runnerNodes = lineNodes.filter((_, index) => PLATFORMS[index % PLATFORMS.length] === platform);
      let main: string;
      beforeAll(async () => {
        main = await project.buildFor(platform);
      }, 300_000);

      it.each(lineNodes)(
        'answers both styles on Node $version',
        async ({ bin }) => {
          const app = await startSample(main, 'successfully started', { cwd: project.folder, node: join(bin, 'node') });
          try {
            expect(await request(app, '/')).toEqual([200, 'Hello World!']);
            const [restStatus, list] = await request(app, '/api/rest/post?include=author&fields[post]=title');
            expect([restStatus, JSON.parse(list)]).toMatchObject([
              200,
              { data: [{ type: 'post', id: 1, attributes: { title: 'Hello' } }] },
            ]);
            const [rpcStatus, rows] = await request(app, '/api/rpc/post/findMany');
            expect([rpcStatus, JSON.parse(rows)]).toEqual([200, { data: [{ id: 1, title: 'Hello', authorId: 1 }] }]);
          } finally {
            await app.stop('SIGKILL');
          }
        },
        180_000,
      );

      for (const { version, bin } of runnerNodes) {
        it(`passes its own tests on Node ${version}`, async () => {
          await project.runScript(bin, ['test']);
          await project.runScript(bin, ['test:e2e', '--', 'app.e2e']);
        }, 400_000);

        it(`answers both styles in its test runner on Node ${version}`, async () => {
          await project.runScript(bin, ['test:e2e', '--', 'posts.e2e'], { NODE_OPTIONS: line.queryOptions ?? '' });
        }, 400_000);
      }
    });
  });
}

/** Sends a request until the application listens, because Nest logs its start before. */
async function request(app: SampleProcess, path: string, attempts = 50): Promise<readonly [status: number, body: string]> {
  try {
    const answer = await fetch(app.url + path);
    return [answer.status, await answer.text()];
  } catch (error) {
    if (attempts === 0) throw new Error(`No answer:\n${app.output().stdout}${app.output().stderr}`, { cause: error });
    await new Promise((resolve) => setTimeout(resolve, 100));
    return request(app, path, attempts - 1);
  }
}
