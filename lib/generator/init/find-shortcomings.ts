import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Application } from './application.js';
import { type DataClientSource, findDataClients } from './data-client-source.js';
import { findStartScriptFault } from './find-start-script-fault.js';
import { findInstalled } from './installed-package.js';
import { installsOf } from './installs.js';
import { findBlocks, type SchemaFile } from './prisma-blocks.js';
import { pathFrom, type Project } from './project.js';
import type { SourceFile } from './source-files.js';
import { placeOf } from './sql-reads-choice.js';

/** What a project is searched in. */
export interface Searched {
  readonly project: Project;
  readonly schema: readonly SchemaFile[];
  readonly files: readonly SourceFile[];
  readonly application: Application;
  readonly environment: NodeJS.ProcessEnv;
  /** Whether the written module makes a pool of node-postgres. */
  readonly makesPool: boolean;
}

type Check = (searched: Searched, clients: readonly Client[]) => Promise<string | undefined>;

interface Client {
  readonly source: DataClientSource;
  readonly file: SourceFile;
}

/** Each names what keeps the application from starting, answering, or passing its tests, and what to do. */
const CHECKS: readonly Check[] = [swaggerVersion, missingPackages, missingAdapter, missingUrl, unloadedUrl, clientForJest, startScript];

/** All that the project lacks for the API to run. */
export async function findShortcomings(searched: Searched): Promise<readonly string[]> {
  const { files, project } = searched;
  const clients = findDataClients(files, project.typescript).flatMap((source) => {
    const file = files.find(({ path }) => path === placeOf(source));
    return file ? [{ source, file }] : [];
  });
  const found = await Promise.all(CHECKS.map((check) => check(searched, clients)));
  return found.filter((text) => text !== undefined);
}

async function swaggerVersion({ project: { root, nestMajor } }: Searched): Promise<string | undefined> {
  const swagger = await findInstalled(root, '@nestjs/swagger');
  if (!swagger || swagger.major === nestMajor) return undefined;
  return `@nestjs/swagger ${swagger.version} does not work with NestJS ${nestMajor}: npm install @nestjs/swagger@${nestMajor}`;
}

async function missingPackages({ project: { root }, files, makesPool }: Searched, clients: readonly Client[]): Promise<string | undefined> {
  const adapters = clients.flatMap(({ file }) =>
    Array.from(file.text.matchAll(/['"](@prisma\/adapter-[\w-]+)['"]/g), ([, name = '']) => name),
  );
  const pool = makesPool || files.some(({ text }) => /from\s+['"]pg['"]/.test(text)) ? ['pg', '@types/pg'] : [];
  const commands = await installsOf(root, [...new Set(['@prisma/client', ...adapters, ...pool])]);
  return commands.length === 0 ? undefined : `Packages that the data client needs are not installed: ${commands.join(' && ')}`;
}

/** A client that is made of nothing: no constructor of its own, or one that gives nothing on. */
const BARE = /\bsuper\(\s*\)|\bnew\s+(?:\w+\.)?PrismaClient\(\s*(?:\{\s*\}\s*)?\)|\bextends\s+(?:\w+\.)?PrismaClient\b(?![\s\S]*\bsuper\()/;

function missingAdapter({ project: { root } }: Searched, clients: readonly Client[]): Promise<string | undefined> {
  const bare = clients.filter(({ file: { text } }) => !/\badapter\b|\baccelerateUrl\b/.test(text) && BARE.test(text));
  if (bare.length === 0) return Promise.resolve(undefined);
  const names = bare.map(({ file }) => pathFrom(root, file.path)).join(', ');
  return Promise.resolve(
    `The client in ${names} has no driver adapter, and Prisma 7 needs one: super({ adapter: … }) or new PrismaClient({ adapter: … }).`,
  );
}

const URL_NAME = 'DATABASE_URL';

async function usesUrl({ project: { root }, environment }: Searched, clients: readonly Client[]): Promise<boolean> {
  if (environment[URL_NAME] !== undefined) return false;
  const configs = await Promise.all(['prisma.config.ts', 'prisma7.config.ts'].map((name) => textOf(join(root, name))));
  return [...configs, ...clients.map(({ file }) => file.text)].some((text) => text.includes(URL_NAME));
}

async function missingUrl(searched: Searched, clients: readonly Client[]): Promise<string | undefined> {
  if (!(await usesUrl(searched, clients)) || (await isInEnvFile(searched))) return undefined;
  return `${URL_NAME} is not set: write it into .env, or set it in the environment.`;
}

/** Nest reads no .env by itself, and Prisma 7 neither. */
async function unloadedUrl(searched: Searched, clients: readonly Client[]): Promise<string | undefined> {
  if (!(await usesUrl(searched, clients)) || !(await isInEnvFile(searched))) return undefined;
  const { files, project } = searched;
  const isLoaded = files.some(({ text }) => /['"]dotenv(?:\/config)?['"]|['"]@nestjs\/config['"]|\bloadEnvFile\b/.test(text));
  const isPassed = Object.values(project.packageJson.scripts ?? {}).some((script) => /--env-file|\bdotenv\b/.test(script));
  if (isLoaded || isPassed) return undefined;
  return `${URL_NAME} is in .env, which nothing loads: npm install dotenv, and write import 'dotenv/config'; as the first line of src/main.ts.`;
}

async function isInEnvFile({ project }: Searched): Promise<boolean> {
  return new RegExp(`^\\s*(?:export\\s+)?${URL_NAME}\\s*=\\s*\\S`, 'm').test(await textOf(join(project.root, '.env')));
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** Jest resolves no `.js` to a source, and runs no ES module of a project that is CommonJS. */
async function clientForJest({ project, schema }: Searched): Promise<string | undefined> {
  const { root, packageJson } = project;
  if (packageJson.jest === undefined || packageJson.type === 'module' || JSON.stringify(packageJson.jest).includes('\\.js'))
    return undefined;
  const client = findBlocks(schema).find(({ kind, settings }) => kind === 'generator' && settings.get('provider') === 'prisma-client');
  if (!client) return undefined;
  const isNodeNext = /"module"\s*:\s*"node/i.test(await textOf(join(root, 'tsconfig.json')));
  const extension = client.settings.get('importFileExtension') ?? (isNodeNext ? 'js' : '');
  const format = client.settings.get('moduleFormat') ?? 'cjs';
  if (extension === '' && format === 'cjs') return undefined;
  return (
    `Jest cannot load the Prisma client that is generated for this project. Add two lines to the generator ${client.name} in ${pathFrom(root, client.file.path)}, ` +
    `and run \`npx ${project.prisma.generate}\`:\n\n  moduleFormat        = "cjs"\n  importFileExtension = ""`
  );
}

function startScript({ project }: Searched): Promise<string | undefined> {
  return Promise.resolve(findStartScriptFault(project));
}
