import { join } from 'node:path';
import { readTextFile } from '../files.js';
import type { Application } from './application.js';
import { findDataClients, placeOf } from './data-client-source.js';
import { findInstalled, installsOf } from './installed-package.js';
import type { SchemaFile } from './prisma-blocks.js';
import { pathFrom, type Project } from './project.js';
import type { SourceFile } from './source-files.js';

/** The files and settings of a project. */
export interface Found {
  readonly project: Project;
  readonly schema: readonly SchemaFile[];
  readonly files: readonly SourceFile[];
  readonly application: Application;
  /** Whether the data client connects to a connection pooler. */
  readonly isPooled: boolean;
}

/** The input of the checks. */
interface Searched extends Found {
  readonly environment: NodeJS.ProcessEnv;
  /** Whether the written module creates a node-postgres pool. */
  readonly makesPool: boolean;
}

/**
 * Checks one aspect of a project and returns the fault with its remedy; undefined if there is none.
 *
 * @param clients the files that create data clients
 */
type Check = (searched: Searched, clients: readonly SourceFile[]) => Promise<string | undefined> | string | undefined;

/** Checks for faults that prevent the application from starting or responding. */
const CHECKS: readonly Check[] = [swaggerVersion, missingPackages, missingAdapter, missingUrl, unloadedUrl];

/** Returns all faults that prevent the API from running. */
export async function findShortcomings(searched: Searched): Promise<readonly string[]> {
  const { files, project } = searched;
  const clients = findDataClients(files, project.typescript).flatMap((source) => files.find(({ path }) => path === placeOf(source)) ?? []);
  const found = await Promise.all(CHECKS.map(async (check) => check(searched, clients)));
  return found.filter((text) => text !== undefined);
}

async function swaggerVersion({ project: { root, nestMajor } }: Searched): Promise<string | undefined> {
  const swagger = await findInstalled(root, '@nestjs/swagger');
  if (!swagger || swagger.major === nestMajor) return undefined;
  return `@nestjs/swagger ${swagger.version} does not work with NestJS ${nestMajor}: npm install @nestjs/swagger@${nestMajor}`;
}

async function missingPackages(
  { project: { root }, files, makesPool }: Searched,
  clients: readonly SourceFile[],
): Promise<string | undefined> {
  const adapters = clients.flatMap(({ text }) => Array.from(text.matchAll(/['"](@prisma\/adapter-[\w-]+)['"]/g), ([, name = '']) => name));
  const pool = makesPool || files.some(({ text }) => /from\s+['"]pg['"]/.test(text)) ? ['pg', '@types/pg'] : [];
  const commands = await installsOf(root, [...new Set(['@prisma/client', ...adapters, ...pool])]);
  return commands.length === 0 ? undefined : `Packages that the data client needs are not installed: ${commands.join(' && ')}`;
}

/** Matches a client without options: no constructor, or a constructor that passes none. */
const BARE = /\bsuper\(\s*\)|\bnew\s+(?:\w+\.)?PrismaClient\(\s*(?:\{\s*\}\s*)?\)|\bextends\s+(?:\w+\.)?PrismaClient\b(?![\s\S]*\bsuper\()/;

function missingAdapter({ project: { root } }: Searched, clients: readonly SourceFile[]): string | undefined {
  const bare = clients.filter(({ text }) => !/\badapter\b|\baccelerateUrl\b/.test(text) && BARE.test(text));
  if (bare.length === 0) return undefined;
  const names = bare.map(({ path }) => pathFrom(root, path)).join(', ');
  return `The client in ${names} has no driver adapter, and Prisma 7 needs one: super({ adapter: … }) or new PrismaClient({ adapter: … }).`;
}

/** The environment variable that Prisma's documentation uses for the URL of the database. */
export const URL_NAME = 'DATABASE_URL';

async function usesUrl({ project: { root }, environment }: Searched, clients: readonly SourceFile[]): Promise<boolean> {
  if (environment[URL_NAME] !== undefined) return false;
  const configs = await Promise.all(['prisma.config.ts', 'prisma7.config.ts'].map((name) => readTextFile(join(root, name))));
  return [...configs.map((text) => text ?? ''), ...clients.map(({ text }) => text)].some((text) => text.includes(URL_NAME));
}

async function missingUrl(searched: Searched, clients: readonly SourceFile[]): Promise<string | undefined> {
  if (!(await usesUrl(searched, clients)) || (await envFileText(searched.project, URL_NAME)) !== undefined) return undefined;
  return `${URL_NAME} is not set: write it into .env, or set it in the environment.`;
}

/** Reports a URL in .env that is not loaded, because neither Nest nor Prisma 7 reads .env by default. */
async function unloadedUrl(searched: Searched, clients: readonly SourceFile[]): Promise<string | undefined> {
  if (!(await usesUrl(searched, clients)) || (await envFileText(searched.project, URL_NAME)) === undefined) return undefined;
  const { files, project } = searched;
  const isLoaded = files.some(({ text }) => /['"]dotenv(?:\/config)?['"]|['"]@nestjs\/config['"]|\bloadEnvFile\b/.test(text));
  const isPassed = Object.values(project.packageJson.scripts ?? {}).some((script) => /--env-file|\bdotenv\b/.test(script));
  if (isLoaded || isPassed) return undefined;
  return `${URL_NAME} is in .env, which nothing loads: npm install dotenv, and write import 'dotenv/config'; as the first line of src/main.ts.`;
}

/** Returns the text that `.env` assigns to a variable, up to the first space, with its quotes. */
export async function envFileText({ root }: Pick<Project, 'root'>, name: string): Promise<string | undefined> {
  const assignment = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=\\s*(\\S+)`, 'm');
  return assignment.exec((await readTextFile(join(root, '.env'))) ?? '')?.[1];
}
