import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import { expandedSchema } from '../../unit/openapi/expanded-operations.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const APP = fileURLToPath(new URL('command-application.mjs', import.meta.url));

describe('nestjs-resource-api openapi', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-resource-api-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function run(...args: readonly string[]) {
    const bin = [join(ROOT, 'dist/generator/bin.js'), 'openapi', ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, bin, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    return { status, stdout, stderr };
  }

  const propertiesOf = (document: OpenApiDocument): unknown =>
    expandedSchema({ ...document.components.schemas['Post'] }, document)['properties'];
  const written = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as OpenApiDocument;

  it('writes the document of setupDocs without starting the application, and exits although a connection is open', () => {
    const args = ['--app', APP, '--out', 'openapi.json', '--title', 'Posts', '--version', '2.1', '--global-prefix', 'v1'];
    expect(run(...args)).toEqual({ status: 0, stdout: 'openapi.json is written.\n', stderr: '' });
    const document = written('openapi.json');
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Posts', version: '2.1' } });
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/v1/health', '/v1/api/rest/post', '/v1/api/rpc/post/findMany']));
    expect(propertiesOf(document)).toHaveProperty('title');
    expect(propertiesOf(document)).not.toHaveProperty('salary');
  }, 60_000);

  it('writes the document of callers with grants', () => {
    expect(run('--app', APP, '--out', 'hr.json', '--grants', 'hr').status).toBe(0);
    expect(propertiesOf(written('hr.json'))).toHaveProperty('salary');
  }, 60_000);

  it.each([
    ['an unknown grant', ['--app', APP, '--out', 'x.json', '--grants', 'nobody'], 'nobody'],
    ['no file', ['--app', 'missing.js', '--out', 'x.json'], 'missing.js cannot be loaded.'],
    ['no module', ['--app', 'empty.mjs', '--out', 'x.json'], 'empty.mjs must export AppModule or one other module. It exports none.'],
    ['no --app', ['--out', 'x.json'], '--app is missing'],
    ['no --out', ['--app', APP], '--out is missing'],
  ])(
    'rejects %s with exit code 2',
    (_, args, message) => {
      writeFileSync(join(folder, 'empty.mjs'), 'export const one = 1;\n');
      const { status, stdout, stderr } = run(...args);
      expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(`nestjs-resource-api openapi: `)]);
      expect(stderr).toContain(message);
    },
    60_000,
  );
});
