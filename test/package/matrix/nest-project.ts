import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { fastifyFiles, type Files, ownTest, prismaFiles } from './project-files.js';

/** A line of NestJS, with the version of its CLI. */
export interface NestLine {
  /** Version of `@nestjs/cli`. */
  readonly cli: string;
  /** Of `@nestjs/platform-fastify`. */
  readonly nest: string;
  readonly format: 'CommonJS' | 'ES modules';
  /** The options of Node with which Prisma's client runs queries in the test runner of this line. */
  readonly queryOptions?: string;
}

export type Platform = 'Express' | 'Fastify';

/** A project with Prisma and this package in it. */
export interface NestProject {
  readonly folder: string;
  /** Runs a script of the project with the Node in the folder `bin`. @throws with all that it printed */
  readonly runScript: (bin: string, script: readonly string[], env?: NodeJS.ProcessEnv) => Promise<string>;
  /** Makes the changes of a user for the platform, and builds. @returns the path of the built main file */
  readonly buildFor: (platform: Platform) => Promise<string>;
  readonly remove: () => Promise<void>;
}

const execute = promisify(execFile);

/** The environment of a project's processes, without the variables of Jest and npm, and without npm's audit and funding messages. */
export const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:NODE_OPTIONS|NODE_ENV|DATABASE_URL|JEST_|npm_(?!config_(?:cache|registry)$)|INIT_CWD)/.test(name),
    ),
  ),
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  // Another project has resolved the same packages shortly before.
  npm_config_prefer_offline: 'true',
};

/** Creates a project with `nest new`, adds Prisma with SQLite as documented, and then this package. */
export async function createNestProject(line: NestLine): Promise<NestProject> {
  const parent = await mkdtemp(join(tmpdir(), 'nestjs-resource-api-matrix-'));
  const folder = join(parent, 'app');
  await run(parent, ['npx', '--yes', `@nestjs/cli@${line.cli}`, 'new', 'app', '--skip-git', '--skip-install', '--package-manager', 'npm']);
  await addPrisma(folder, line);
  await addResourceApi(folder, line);
  return {
    folder,
    runScript: (bin, script, env) =>
      run(folder, ['npm', 'run', ...script], { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, ...env }),
    buildFor: async (platform) => {
      if (platform === 'Fastify') await write(folder, fastifyFiles(line, await readFile(join(folder, 'test/app.e2e-spec.ts'), 'utf8')));
      await run(folder, ['npm', 'run', 'build']);
      return join(folder, 'dist/main.js');
    },
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}

async function addPrisma(folder: string, line: NestLine): Promise<void> {
  const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly devDependencies: Versions };
  const versioned = (name: string) => `${name}@${devDependencies[name] ?? 'latest'}`;
  await run(folder, ['npm', 'pkg', 'set', `devDependencies.prisma=${devDependencies['prisma'] ?? 'latest'}`]);
  const packages = [versioned('@prisma/client'), versioned('@prisma/adapter-libsql'), `@nestjs/platform-fastify@${line.nest}`];
  await run(folder, ['npm', 'install', '--no-audit', '--no-fund', ...packages, process.env['PACKED_TARBALL'] ?? '']);
  await write(folder, prismaFiles(line));
  await run(folder, ['node', 'prisma/create-tables.mjs']);
}

type Versions = Readonly<Record<string, string>>;

/** @throws if `init` prints things to do, or a second `init` changes something */
async function addResourceApi(folder: string, line: NestLine): Promise<void> {
  const init = () => run(folder, ['npx', 'nestjs-resource-api', 'init'], GENERATES);
  const first = await init();
  if (first.includes('To do')) throw new Error(`init leaves something to do:\n${first}`);
  const again = await init();
  if (!again.includes('There is nothing to do')) throw new Error(`A second init changes something:\n${again}`);
  await write(folder, ownTest(line));
}

/** `prisma generate` downloads an engine that it never starts, unless this variable names a file. */
const GENERATES = { PRISMA_SCHEMA_ENGINE_BINARY: 'package.json' };

async function write(folder: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

async function run(cwd: string, [file, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv = {}): Promise<string> {
  try {
    const { stdout } = await execute(file, args, { cwd, env: { ...ENVIRONMENT, ...env }, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${[file, ...args].join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
