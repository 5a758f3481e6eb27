import { join, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { readTextFile } from '../files.js';
import type { Application } from './application.js';
import { findDataClients, placeOf } from './data-client-source.js';
import { findInstalled, installsOf } from './installed-package.js';
import { findBlocks, type SchemaFile } from './prisma-blocks.js';
import { pathFrom, type Project } from './project.js';
import type { SourceFile } from './source-files.js';

/** What is known of a project. */
export interface Found {
  readonly project: Project;
  readonly schema: readonly SchemaFile[];
  readonly files: readonly SourceFile[];
  readonly application: Application;
}

/** What a project is searched in. */
interface Searched extends Found {
  readonly environment: NodeJS.ProcessEnv;
  /** Whether the written module makes a pool of node-postgres. */
  readonly makesPool: boolean;
}

/** @param clients the files that make data clients */
type Check = (searched: Searched, clients: readonly SourceFile[]) => Promise<string | undefined> | string | undefined;

/** Each names what keeps the application from starting, answering, or passing its tests, and what to do. */
const CHECKS: readonly Check[] = [
  swaggerVersion,
  missingPackages,
  missingAdapter,
  missingUrl,
  unloadedUrl,
  clientForJest,
  ({ project }) => findStartScriptFault(project),
];

/** All that the project lacks for the API to run. */
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

/** A client that is made of nothing: no constructor of its own, or one that gives nothing on. */
const BARE = /\bsuper\(\s*\)|\bnew\s+(?:\w+\.)?PrismaClient\(\s*(?:\{\s*\}\s*)?\)|\bextends\s+(?:\w+\.)?PrismaClient\b(?![\s\S]*\bsuper\()/;

function missingAdapter({ project: { root } }: Searched, clients: readonly SourceFile[]): string | undefined {
  const bare = clients.filter(({ text }) => !/\badapter\b|\baccelerateUrl\b/.test(text) && BARE.test(text));
  if (bare.length === 0) return undefined;
  const names = bare.map(({ path }) => pathFrom(root, path)).join(', ');
  return `The client in ${names} has no driver adapter, and Prisma 7 needs one: super({ adapter: … }) or new PrismaClient({ adapter: … }).`;
}

const URL_NAME = 'DATABASE_URL';

async function usesUrl({ project: { root }, environment }: Searched, clients: readonly SourceFile[]): Promise<boolean> {
  if (environment[URL_NAME] !== undefined) return false;
  const configs = await Promise.all(['prisma.config.ts', 'prisma7.config.ts'].map((name) => readTextFile(join(root, name))));
  return [...configs.map((text) => text ?? ''), ...clients.map(({ text }) => text)].some((text) => text.includes(URL_NAME));
}

async function missingUrl(searched: Searched, clients: readonly SourceFile[]): Promise<string | undefined> {
  if (!(await usesUrl(searched, clients)) || (await isInEnvFile(searched))) return undefined;
  return `${URL_NAME} is not set: write it into .env, or set it in the environment.`;
}

/** Nest reads no .env by itself, and Prisma 7 neither. */
async function unloadedUrl(searched: Searched, clients: readonly SourceFile[]): Promise<string | undefined> {
  if (!(await usesUrl(searched, clients)) || !(await isInEnvFile(searched))) return undefined;
  const { files, project } = searched;
  const isLoaded = files.some(({ text }) => /['"]dotenv(?:\/config)?['"]|['"]@nestjs\/config['"]|\bloadEnvFile\b/.test(text));
  const isPassed = Object.values(project.packageJson.scripts ?? {}).some((script) => /--env-file|\bdotenv\b/.test(script));
  if (isLoaded || isPassed) return undefined;
  return `${URL_NAME} is in .env, which nothing loads: npm install dotenv, and write import 'dotenv/config'; as the first line of src/main.ts.`;
}

async function isInEnvFile({ project }: Searched): Promise<boolean> {
  return new RegExp(`^\\s*(?:export\\s+)?${URL_NAME}\\s*=\\s*\\S`, 'm').test((await readTextFile(join(project.root, '.env'))) ?? '');
}

/** Jest resolves no `.js` to a source, and runs no ES module of a project that is CommonJS. */
async function clientForJest({ project, schema }: Searched): Promise<string | undefined> {
  const { root, packageJson } = project;
  if (packageJson.jest === undefined || packageJson.type === 'module' || JSON.stringify(packageJson.jest).includes('\\.js'))
    return undefined;
  const client = findBlocks(schema).find(({ kind, settings }) => kind === 'generator' && settings.get('provider') === 'prisma-client');
  if (!client) return undefined;
  const isNodeNext = /"module"\s*:\s*"node/i.test(String(await readTextFile(join(root, 'tsconfig.json'))));
  const extension = client.settings.get('importFileExtension') ?? (isNodeNext ? 'js' : '');
  const format = client.settings.get('moduleFormat') ?? 'cjs';
  if (extension === '' && format === 'cjs') return undefined;
  return (
    `Jest cannot load the Prisma client that is generated for this project. Add two lines to the generator ${client.name} in ${pathFrom(root, client.file.path)}, ` +
    `and run \`npx ${project.prisma.generate}\`:\n\n  moduleFormat        = "cjs"\n  importFileExtension = ""`
  );
}

/**
 * `start:prod` of Nest's template runs `dist/main`. TypeScript writes main.ts into `dist/src` as soon as it compiles a file beside `src`, such as
 * `prisma.config.ts`.
 *
 * @returns what to do about it, where that is so
 */
function findStartScriptFault(project: Project): string | undefined {
  const { root, sourceRoot, packageJson } = project;
  const started = /\bnode\s+(?:-\S+\s+)*([^\s-]\S*)/.exec(packageJson.scripts?.['start:prod'] ?? '')?.[1];
  const config = configOf(project);
  if (started === undefined || config === undefined) return undefined;
  const built = builtMain(config, project);
  if (built === undefined || built.main.replace(/\.[cm]?js$/, '') === resolve(root, started).replace(/\.[cm]?js$/, '')) return undefined;
  const others = built.sources.filter((file) => pathFrom(sourceRoot, file).startsWith('../')).map((file) => pathFrom(root, file));
  const name = pathFrom(root, config);
  const remedy =
    others.length === 0
      ? `Write "rootDir": "./src" into the compilerOptions of ${name}.`
      : `It compiles ${others.join(', ')}, too. Add ${others.map((file) => `"${file}"`).join(', ')} to "exclude" in ${name}.`;
  return `npm run start:prod runs ${started}, and the build writes ${pathFrom(root, built.main)}. ${remedy}`;
}

/** The configuration that `nest build` compiles with; other builders write to places of their own. */
function configOf({ root, nestCli }: Project): string | undefined {
  const { builder, webpack, tsConfigPath } = nestCli.compilerOptions ?? {};
  if (webpack === true || (builder !== undefined && builder !== 'tsc')) return undefined;
  const places = [tsConfigPath, 'tsconfig.build.json', 'tsconfig.json'].flatMap((place) =>
    place === undefined ? [] : [join(root, place)],
  );
  return places.find((place) => existsSync(place));
}

/** The file that main.ts becomes, and all files that are compiled: absolute. */
function builtMain(
  config: string,
  { sourceRoot, typescript }: Project,
): { readonly main: string; readonly sources: readonly string[] } | undefined {
  const host = { ...typescript.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const parsed = typescript.getParsedCommandLineOfConfigFile(config, {}, host);
  const source = parsed?.fileNames.find((file) => resolve(file) === join(sourceRoot, 'main.ts'));
  if (!parsed || source === undefined) return undefined;
  const main = typescript.getOutputFileNames(parsed, source, false).find((file) => /\.[cm]?js$/.test(file));
  return main === undefined ? undefined : { main: resolve(main), sources: parsed.fileNames.filter((file) => !/\.d\.[cm]?ts$/.test(file)) };
}
