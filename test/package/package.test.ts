import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundledFiles, packedFiles, sourcesOf } from './support/packed-files.js';

/**
 * The published package: packed by npm, installed from the tarball into an empty app, compiled, and run.
 * Needs the npm registry; `npm run test:package` runs it, `npm test` does not.
 */
const run = promisify(execFile);
const root = process.cwd();

const NEST = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'];

const BROWSER_ENTRY_POINTS = ['client', 'tanstack-query', 'react-admin', 'refine', 'schema'];
const ENTRY_POINTS = ['.', 'testing', ...BROWSER_ENTRY_POINTS];

const tarball = process.env['PACKED_TARBALL'] ?? '';
let app: string;

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'nestjs-resource-api-package-'));
  const versions = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).devDependencies as Record<string, string>;
  const dependencies = Object.fromEntries([...NEST, 'typescript', '@types/node'].map((name) => [name, versions[name]]));
  await writeFile(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, dependencies }));
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: app });
}, 600_000);

afterAll(() => rm(app, { recursive: true, force: true }));

const SCHEMA = `{
  version: 2, provider: 'postgresql', enums: {},
  models: { Post: { fields: { id: { kind: 'scalar', type: 'Int' }, title: { kind: 'scalar', type: 'String' } }, primaryKey: { name: 'id', fields: ['id'] }, uniqueKeys: [] } },
}`;

const MAIN_TS = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiError, DATA_CLIENT, ResourceApiModule, type ResourceSchema } from 'nestjs-resource-api';
import { createRpcClient, RpcClientError } from 'nestjs-resource-api/client';

const schema = ${SCHEMA} as const satisfies ResourceSchema;
const prisma = { post: { findMany: async () => [{ id: 1, title: 'Hello' }] } };

@Module({ imports: [ResourceApiModule.forRoot({ schema, getClient: () => prisma, rpc: { prefix: 'rpc' }, resources: { Post: { fields: { title: 'readOnly' } } } })] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(0, '127.0.0.1');
const answer = await fetch(\`\${await app.getUrl()}/rpc/post/findMany\`);
console.log(await answer.text(), typeof ApiError, typeof DATA_CLIENT, typeof createRpcClient, typeof RpcClientError);
await app.close();
`;

/** Prints the responses of each platform, with the operations that a guard has received. */
const NEST_11_JS = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ResourceApiModule, resourceOperation } from 'nestjs-resource-api';

const schema = ${SCHEMA};
const prisma = {
  post: { findMany: async () => [{ id: 1, title: 'Hello' }], count: async () => 1, create: async ({ data }) => data },
  $transaction: (work) => (typeof work === 'function' ? work(prisma) : Promise.all(work)),
};

async function answersOn(adapter) {
  const seen = [];
  const guard = { canActivate: (context) => seen.push(resourceOperation(context).operation) > 0 };
  class AppModule {}
  const mount = { rest: { prefix: 'rest', endpoint: 'http://api.test/rest' }, rpc: { prefix: 'rpc' } };
  Module({ imports: [ResourceApiModule.forRoot({ schema, getClient: () => prisma, guards: [guard], ...mount })] })(AppModule);
  const app = await NestFactory.create(AppModule, adapter, { logger: false });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const request = async (path, type, body) => {
    const init = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': type } };
    const answer = await fetch(url + path, init);
    return [answer.status, answer.headers.get('content-type')].join(' ');
  };
  const answers = [
    await request('/rest/post'),
    await request('/rest/post', 'application/vnd.api+json', '{"data":{"type":"post","id":2,"attributes":{"title":"x"}}}'),
    await request('/rest/post', 'application/vnd.api+json', '"' + 'x'.repeat(2e6) + '"'),
    await request('/rest/a/b/c/d/e'),
    await request('/rpc/post/findMany'),
    await request('/rpc/$transaction/sequential', 'application/json', '[{"model":"post","op":"count"},{"model":"post","op":"findMany"}]'),
    await request('/nothing'),
  ];
  await app.close();
  return [adapter.constructor.name, ...answers, ...seen];
}

console.log(JSON.stringify([await answersOn(new ExpressAdapter()), await answersOn(new FastifyAdapter())]));
`;

const NEST_11_ANSWERS = [
  '200 application/vnd.api+json',
  '201 application/vnd.api+json',
  '413 application/vnd.api+json',
  '404 application/vnd.api+json',
  '200 application/json; charset=utf-8',
  '200 application/json; charset=utf-8',
  '404 application/json; charset=utf-8',
  'fetchCollection',
  'createResource',
  'findMany',
  'count',
  'findMany',
];

async function compile(folder: string, module: string, moduleResolution: string): Promise<void> {
  const src = join(app, folder);
  await mkdir(src, { recursive: true });
  await writeFile(join(src, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(src, 'main.ts'), MAIN_TS);
  const compilerOptions = {
    module,
    moduleResolution,
    target: 'es2023',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ['node'],
    outDir: '.',
  };
  await writeFile(join(src, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  await run(process.execPath, [join(app, 'node_modules/typescript/bin/tsc'), '-p', src]).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout);
  });
}

const ANSWER = '{"data":[{"id":1,"title":"Hello"}]} function symbol function function';

describe('the packed package', () => {
  it.each([
    ['nodenext', 'nodenext', 'nodenext'],
    ['bundler', 'esnext', 'bundler'],
  ])(
    'compiles under moduleResolution %s, declaration files included, and runs',
    async (folder, module, resolution) => {
      await compile(folder, module, resolution);
      const { stdout } = await run(process.execPath, [join(app, folder, 'main.js')], { cwd: app });
      expect(stdout.trim()).toBe(ANSWER);
    },
    60_000,
  );

  it('is loaded by a CommonJS app', async () => {
    const source = `
      require('reflect-metadata');
      const { Module } = require('@nestjs/common');
      const { NestFactory } = require('@nestjs/core');
      const { ApiError, DATA_CLIENT, ResourceApiModule } = require('nestjs-resource-api');
      const { createRpcClient, RpcClientError } = require('nestjs-resource-api/client');
      const prisma = { post: { findMany: async () => [{ id: 1, title: 'Hello' }] } };
      class AppModule {}
      Module({ imports: [ResourceApiModule.forRoot({ schema: ${SCHEMA}, getClient: () => prisma, rpc: { prefix: 'rpc' } })] })(AppModule);
      (async () => {
        const app = await NestFactory.create(AppModule, { logger: false });
        await app.listen(0, '127.0.0.1');
        const answer = await fetch((await app.getUrl()) + '/rpc/post/findMany');
        console.log(await answer.text(), typeof ApiError, typeof DATA_CLIENT, typeof createRpcClient, typeof RpcClientError);
        await app.close();
      })();`;
    await writeFile(join(app, 'main.cjs'), source);
    const { stdout } = await run(process.execPath, [join(app, 'main.cjs')], { cwd: app });
    expect(stdout.trim()).toBe(ANSWER);
  }, 60_000);

  it('recognizes objects of its ES module in its CommonJS module, if a process has loaded both', async () => {
    await copyFile(join(root, 'test/package/support/two-copies.mjs'), join(app, 'two-copies.mjs'));
    const { stdout } = await run(process.execPath, ['two-copies.mjs'], { cwd: app });
    expect(JSON.parse(stdout)).toEqual({
      copies: 2,
      statuses: { list: 200, denied: 403, mapped: 503, batch: 200 },
      guarded: ['fetchCollection', 'findFirst', 'findUnique', 'count'],
      model: true,
      configurationError: true,
      leak: 'LeakError',
    });
  }, 60_000);

  it('runs on NestJS 11, on both platforms', async () => {
    const folder = join(app, 'nest-11');
    await mkdir(folder);
    const nest = ['common', 'core', 'platform-express', 'platform-fastify'].map((name) => [`@nestjs/${name}`, '^11'] as const);
    const dependencies = { ...Object.fromEntries(nest), 'reflect-metadata': '^0.2.0', 'rxjs': '^7.8.0' };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
    await writeFile(join(folder, 'main.js'), NEST_11_JS);
    await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder });
    const { stdout } = await run(process.execPath, ['main.js'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([
      ['ExpressAdapter', ...NEST_11_ANSWERS],
      ['FastifyAdapter', ...NEST_11_ANSWERS],
    ]);
  }, 120_000);

  it('can be built by the Nest CLI with nest-cli.json', async () => {
    const [dist, kept] = [join(root, 'dist'), join(root, 'node_modules/.cache/dist')];
    await rm(kept, { recursive: true, force: true });
    await rename(dist, kept);
    try {
      await run('npx', ['--yes', '@nestjs/cli@12', 'build'], { cwd: root });
      expect(await readdir(dist)).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'client', 'generator']));
    } finally {
      await rm(dist, { recursive: true, force: true });
      await rename(kept, dist);
    }
  }, 300_000);

  it('has a bin that prints its usage', async () => {
    const { stdout } = await run(join(app, 'node_modules/.bin/nestjs-resource-api'), ['--help']);
    expect(stdout).toContain('provider = "nestjs-resource-api"');
  });

  it('has no findings of publint and are-the-types-wrong', async () => {
    await run(process.execPath, [join(root, 'node_modules/publint/src/cli.js'), '--strict', tarball], { cwd: app });
    await run(process.execPath, [join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'), tarball], { cwd: app });
  }, 60_000);

  it('contains code, types, source maps, licence and docs: at most 80 files without docs', async () => {
    const files = await packedFiles(tarball);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'package.json', 'dist/cjs/package.json', 'dist/generator/bin.js']));
    const code = ['', 'cjs/'].flatMap((format) => ENTRY_POINTS.map((entry) => `dist/${format}${entry}/index`.replace('/./', '/')));
    expect(files).toEqual(expect.arrayContaining(code.flatMap((path) => [`${path}.js`, `${path}.js.map`, `${path}.d.ts`])));
    const docs = files.filter((path) => /^(?:docs\/[\w-]+\.(?:md|png)|README\.md|CHANGELOG\.md)$/.test(path));
    expect(docs).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/quick-start.md']));
    const others = files.filter((path) => !docs.includes(path));
    const shipped = /^(?:dist\/.+\.(?:js|js\.map|d\.ts)|dist\/cjs\/package\.json|LICENSE|package\.json)$/;
    expect(others.filter((path) => !shipped.test(path))).toEqual([]);
    expect(others.length).toBeLessThanOrEqual(80);
  });

  it.each(['', 'cjs/'])('imports no file of the server in browser entry points: dist/%s', async (format) => {
    const dist = join(app, 'node_modules/nestjs-resource-api/dist', format);
    const files = await bundledFiles(BROWSER_ENTRY_POINTS.map((entry) => join(dist, entry, 'index.js')));
    const sources = await Promise.all(files.map(sourcesOf));
    const rooms = new Set(sources.flat().map((source) => /\/lib\/((?:rpc|model)\/\w+|\w[\w-]*)/.exec(source)?.[1] ?? source));
    expect([...rooms].sort()).toEqual(['admin-data', 'client', 'react-admin', 'refine', 'rpc/protocol', 'tanstack-query', 'utils', 'wire']);
    const server = await sourcesOf(join(dist, 'index.js'));
    expect(server.length).toBeGreaterThan(100);
  });

  it('has no third-party code', async () => {
    const maps = (await packedFiles(tarball)).filter((path) => path.endsWith('.js.map'));
    const sources = await Promise.all(
      maps.map((path) => sourcesOf(join(app, 'node_modules/nestjs-resource-api', path.replace(/\.map$/, '')))),
    );
    expect(sources.flat().length).toBeGreaterThan(1000);
    expect(sources.flat().filter((source) => !/^(?:\.\.\/)+lib\//.test(source))).toEqual([]);
  });

  it('does not load optional parts when it is imported', async () => {
    const source = `
      import 'reflect-metadata';
      import 'nestjs-resource-api';
      import { createRequire } from 'node:module';
      const loaded = Object.keys(createRequire(import.meta.url).cache).map((path) => /.*node_modules.((?:@[^\\/]+.)?[^\\/]+)/.exec(path)?.[1]);
      console.log(JSON.stringify([...new Set(loaded)]));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], { cwd: app });
    const loaded = JSON.parse(stdout) as readonly string[];
    expect(loaded).toContain('rxjs');
    expect(loaded.filter((name) => /^(?:body-parser|class-|prisma|@prisma)/.test(name))).toEqual([]);
  });

  it('has declaration files that import only its peers and dependencies', async () => {
    const { peerDependencies, dependencies, peerDependenciesMeta } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    // An application that imports the module has NestJS, and one that imports the helpers has TanStack Query, react-admin or refine. Other optional peers may be missing.
    const allowed = [...Object.keys(peerDependencies), ...Object.keys(dependencies)].filter(
      (name) => [...NEST, '@tanstack/query-core', 'ra-core', '@refinedev/core'].includes(name) || peerDependenciesMeta[name] === undefined,
    );
    const { stdout } = await run('grep', [
      '-rhoE',
      `from '[^.'][^']*'`,
      '--include=*.d.ts',
      join(app, 'node_modules/nestjs-resource-api/dist'),
    ]);
    const imported = new Set(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.slice(6, -1)),
    );
    const foreign = [...imported].filter(
      (name) =>
        !name.startsWith('node:') &&
        !name.startsWith('nestjs-resource-api/') &&
        !allowed.some((peer) => name === peer || name.startsWith(`${peer}/`)),
    );
    expect(foreign).toEqual([]);
  });
});
