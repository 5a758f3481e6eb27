import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createOpenApiDocument } from '../../../lib/index.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { long } from '../../support/long.js';
import { describeOnBlog } from '../../support/sample-process.js';

const execute = promisify(execFile);
const REDOCLY = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const CONFIG = fileURLToPath(new URL('redocly.yaml', import.meta.url));
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NODE_OPTIONS: '' };

long.describe('the documents of the blog and of the widest schema', () => {
  describeOnBlog('@redocly/cli lint', (blog) => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'nestjs-resource-api-lint-'));
    });
    afterAll(() => rm(folder, { recursive: true }));

    /** @returns one line for each finding of the linter */
    async function problemsOf(document: unknown): Promise<readonly string[]> {
      const file = join(folder, 'openapi.json');
      await writeFile(file, JSON.stringify(document));
      const lint = [REDOCLY, 'lint', '--config', CONFIG, '--format', 'json', file];
      const { stdout } = await execute(process.execPath, lint, { env: { ...process.env, ...OFFLINE }, maxBuffer: 64 * 1024 * 1024 }).catch(
        (error: unknown) => error as { readonly stdout: string },
      );
      const { problems } = JSON.parse(stdout) as Report;
      return problems.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${message} ${place?.pointer ?? ''}`);
    }

    it('has no findings in the document of the blog', async () => {
      expect(await problemsOf(await (await fetch(`${blog.url}/docs-json`)).json())).toEqual([]);
    }, 60_000);

    it('has no findings in the document of the widest schema', async () => {
      const document = createOpenApiDocument(buildResourceModel(resourceSchema).model, {
        license: { name: 'MIT', identifier: 'MIT' },
        servers: [{ url: 'https://api.test' }],
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
        security: [{ bearer: [] }],
      });
      expect(await problemsOf(document)).toEqual([]);
    }, 60_000);

    it('reports a missing license and missing security', async () => {
      const document = createOpenApiDocument(buildResourceModel(resourceSchema).model);
      const problems = await problemsOf(document);
      expect(problems).toEqual(
        expect.arrayContaining([expect.stringContaining('info-license'), expect.stringContaining('security-defined')]),
      );
    }, 60_000);
  });
});

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}
