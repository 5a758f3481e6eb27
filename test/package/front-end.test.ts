import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { sourcesOf } from './support/packed-files.js';

/**
 * The typed client in a front end: the tarball is installed into an empty project without NestJS, compiled with the types of the DOM,
 * run, and bundled. Needs the npm registry.
 */
const run = promisify(execFile);
const root = process.cwd();

const MAIN = `
import { createRpcClient, RpcClientError } from 'nestjs-resource-api/client';

interface Prisma { post: { findMany(args?: { take?: number }): Promise<{ createdAt: Date }[]> } }
const answer = { data: [{ createdAt: '2026-01-02T03:04:05.678Z' }], meta: { serialization: { values: { '0.createdAt': ['Date'] } } } };
const api = createRpcClient<Prisma>({ endpoint: '/api/rpc', fetch: () => Promise.resolve(new Response(JSON.stringify(answer))) });

void api.post.findMany({ take: 1 }).then(([post]) => {
  console.log(post?.createdAt.getFullYear(), typeof RpcClientError);
});
`;

/** The generated client, with the exposed types of the server. */
const EXPOSED = `
import type { ExposedBy } from 'nestjs-resource-api/client';
import type { ResourceSchema, ResourcesOption } from 'nestjs-resource-api/schema';

const id = { kind: 'scalar', type: 'Int' } as const;
const model = { fields: { id }, primaryKey: { name: 'id', fields: ['id'] }, uniqueKeys: [] } as const;
const resourceSchema = {
  version: 2, provider: 'postgresql', enums: {}, models: { Post: model, Tag: model, Token: { ...model, api: { hidden: true } } },
} as const satisfies ResourceSchema;
const resources = { Tag: 'hidden' } as const satisfies ResourcesOption<typeof resourceSchema>;

type Model = keyof ExposedBy<typeof resourceSchema, typeof resources>;
export const shown: Model = 'Post';
// @ts-expect-error: hidden by a comment
export const token: Model = 'Token';
// @ts-expect-error: hidden by resources
export const tag: Model = 'Tag';
`;

let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'nestjs-resource-api-front-end-'));
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await run('npm', ['install', '--no-audit', '--no-fund', process.env['PACKED_TARBALL'] ?? ''], { cwd: project });
  await writeFile(join(project, 'main.ts'), MAIN);
  await writeFile(join(project, 'exposed.ts'), EXPOSED);
}, 400_000);

afterAll(() => rm(project, { recursive: true, force: true }));

describe('the packed package in a front end', () => {
  it('installs neither NestJS, rxjs nor Prisma', async () => {
    const installed = await readdir(join(project, 'node_modules'));
    expect(installed).toEqual(expect.arrayContaining(['nestjs-resource-api', 'decimal.js']));
    expect(installed.filter((name) => /^(?:@nestjs|rxjs|reflect-metadata|class-.*|prisma)$/.test(name))).toEqual([]);
    const scope = await readdir(join(project, 'node_modules/@prisma'));
    expect(scope).not.toContain('client');
  });

  it.each(['nodenext', 'bundler'])(
    'compiles under moduleResolution %s with only the types of the DOM, including declaration files',
    async (moduleResolution) => {
      const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext';
      const compilerOptions = { module, moduleResolution, target: 'es2023', lib: ['ES2023', 'DOM'], types: [], strict: true, outDir: '.' };
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts', 'exposed.ts'] }));
      const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project]).catch(
        (error: unknown) => error as { stdout: string },
      );
      expect(stdout).toBe('');
    },
    60_000,
  );

  it('runs', async () => {
    const { stdout } = await run(process.execPath, ['main.js'], { cwd: project });
    expect(stdout.trim()).toBe('2026 function');
  });

  it('is bundled for browsers: less than 8 kB beside decimal.js, minified and gzipped', async () => {
    const bundle = async (external: readonly string[]) => {
      const { outputFiles } = await build({
        stdin: { contents: MAIN, resolveDir: project, loader: 'ts' },
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        external: [...external],
      });
      return outputFiles[0]?.text ?? '';
    };
    const whole = await bundle([]);
    expect(whole).not.toMatch(/from\s*["']/);
    const size = gzipSync(await bundle(['decimal.js']), { level: 9 }).length;
    const withDecimals = gzipSync(whole, { level: 9 }).length;
    console.info(`The typed client: ${size} bytes, ${withDecimals} with decimal.js, minified and gzipped.`);
    expect([size < 8000, withDecimals < 22_000]).toEqual([true, true]);
  });

  it('is bundled without any file of the server', async () => {
    const { metafile } = await build({
      stdin: { contents: MAIN, resolveDir: project, loader: 'ts' },
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      absWorkingDir: project,
    });
    const inputs = Object.keys(metafile.inputs).filter((name) => name !== '<stdin>');
    const own = inputs.filter((name) => name.startsWith('node_modules/nestjs-resource-api/'));
    expect(inputs.filter((name) => !own.includes(name))).toEqual(['node_modules/decimal.js/decimal.mjs']);
    const sources = (await Promise.all(own.map((name) => sourcesOf(join(project, name))))).flat();
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((source) => !/\/lib\/(?:client|wire|utils|rpc\/protocol)\//.test(source))).toEqual([]);
  });

  it('fails to import the module itself with the name of the missing package', async () => {
    const source = `import('nestjs-resource-api').catch((error) => console.log(error.message));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { cwd: project });
    expect(stdout).toMatch(/Cannot find package '(?:@nestjs\/(?:common|core)|reflect-metadata|rxjs)'/);
  });

  it('has the supported range of NestJS as peer dependency', async () => {
    const { peerDependencies } = JSON.parse(await readFile(join(project, 'node_modules/nestjs-resource-api/package.json'), 'utf8'));
    expect(peerDependencies).toMatchObject({ '@nestjs/common': '^11 || ^12', '@nestjs/core': '^11 || ^12' });
  });
});
