import { PrismaLibSql } from '@prisma/adapter-libsql';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { OpenApiDocument } from '../../lib/openapi/open-api.js';
import { type SampleProcess, startSample } from '../support/sample-process.js';
import { ENVIRONMENT } from './matrix/nest-project.js';

/**
 * docs/quick-start.md as a new user follows it: its own commands and files, from an empty folder to both styles and Swagger UI. Two things
 * differ: the package is the packed one, and the tables come from SQL, since `prisma db push` downloads an engine.
 */
const execute = promisify(execFile);

const PAGE = readFileSync('docs/quick-start.md', 'utf8');
const EMPTY_FOLDER = sectionOf(PAGE, 'From an empty folder');
const INIT = sectionOf(PAGE, 'With `init`');
const FIRST_REQUESTS = sectionOf(PAGE, 'The first requests');

/** What `prisma db push` makes of the page's models. */
const TABLES = `
  CREATE TABLE "User" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "email" TEXT NOT NULL UNIQUE, "name" TEXT);
  CREATE TABLE "Post" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "title" TEXT NOT NULL, "authorId" INTEGER NOT NULL REFERENCES "User"("id"));
`;

let parent: string;
let project: string;
let app: SampleProcess;
let ownLines: readonly string[];

beforeAll(async () => {
  const start = performance.now();
  parent = await mkdtemp(join(tmpdir(), 'nestjs-resource-api-quick-start-'));
  project = join(parent, 'my-api');
  const [create, change] = blocksOf(EMPTY_FOLDER, 'sh');
  await runCommands(create);
  const files = [...blocksOf(EMPTY_FOLDER, 'prisma'), ...blocksOf(EMPTY_FOLDER, 'ts')].map(fileOf);
  for (const { path, text } of files) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  await runCommands(change);
  const added = await addToMain(blocksOf(INIT, 'ts')[0] ?? '');
  ownLines = [...files.flatMap(({ text }) => text.split('\n')), ...added].filter((line) => line.trim() !== '');
  await run(project, 'npm', ['run', 'build']);
  app = await startSample(mainOf(project), 'successfully started', { cwd: project, node: process.execPath });
  await untilItListens();
  console.info(`The quick start: ${ownLines.length} lines, ${Math.round((performance.now() - start) / 1000)} seconds.`);
}, 600_000);

afterAll(async () => {
  await app.stop('SIGKILL');
  await rm(parent, { recursive: true, force: true });
});

describe('the quick start', () => {
  it('takes less than 30 lines of own code, the models among them', () => {
    expect(ownLines.length).toBeGreaterThan(10);
    expect(ownLines.length).toBeLessThan(30);
  });

  it('has the commands and the line of the README', () => {
    const readme = sectionOf(readFileSync('README.md', 'utf8'), 'Quick start');
    expect(blocksOf(readme, 'sh')[0]).toBe(blocksOf(INIT, 'sh')[0]);
    const line = /^await ResourceApiModule\.setupDocs.*$/m;
    expect(line.exec(readme)?.[0]).toBe(line.exec(INIT)?.[0]);
  });

  it('answers the first requests of both styles', async () => {
    const [requests = ''] = blocksOf(FIRST_REQUESTS, 'sh');
    const commands = requests.replaceAll('http://localhost:3000', app.url).replaceAll(/\bcurl /g, 'curl -sS --fail-with-body -w "\\n" ');
    const answers = (await run(project, 'sh', ['-ec', commands])).trim().split('\n');
    expect(answers.map((answer) => JSON.parse(answer) as unknown)).toEqual([
      expect.objectContaining({ data: [] }),
      expect.objectContaining({ data: expect.objectContaining({ type: 'user', id: 1 }) as unknown }),
      { data: [expect.objectContaining({ name: 'Ann' })] },
      { data: expect.objectContaining({ id: 2, name: 'Bob' }) as unknown },
    ]);
  });

  it('serves Swagger UI of both styles at /docs', async () => {
    expect(await (await fetch(`${app.url}/docs`)).text()).toContain('<title>My API</title>');
    const { paths } = (await (await fetch(`${app.url}/docs-json`)).json()) as OpenApiDocument;
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/', '/api/rest/user', '/api/rest/post', '/api/rpc/user/findMany']));
  });
});

/** The text below a heading of the second level. */
function sectionOf(page: string, heading: string): string {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`There is no section '${heading}'.`);
  return section;
}

/** The code blocks of a language, without the indentation of the list that they are in. */
function blocksOf(section: string, language: string): readonly string[] {
  const blocks = section.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'));
  return [...blocks].map(([, indentation = '', text = '']) => text.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''));
}

/** A block whose first line names its file. */
function fileOf(block: string): { readonly path: string; readonly text: string } {
  const [, path = '', text = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(block) ?? [];
  return { path, text };
}

/** Line by line, as in a shell. `cd` leads into the project, where all later commands run. */
async function runCommands(block = ''): Promise<void> {
  for (const line of block.trim().split('\n')) {
    const [file = '', ...args] = line.split(' ');
    if (file === 'cd') continue;
    if (line === 'npx prisma db push') await createTables();
    else await run(existsSync(project) ? project : parent, file, args.map(installed));
  }
}

async function createTables(): Promise<void> {
  const database = await new PrismaLibSql({ url: `file:${join(project, 'dev.db')}` }).connect();
  await database.executeScript(TABLES);
  await database.dispose();
}

/** The packed package in place of the published one. */
function installed(argument: string, _: number, all: readonly string[]): string {
  return all[0] === 'install' && argument === 'nestjs-resource-api' ? (process.env['PACKED_TARBALL'] ?? '') : argument;
}

/** @returns the lines that it adds: the import, and the one after `NestFactory.create` */
async function addToMain(snippet: string): Promise<readonly string[]> {
  const path = join(project, 'src/main.ts');
  const before = await readFile(path, 'utf8');
  const [, imported = ''] = /^(import .*)$/m.exec(snippet) ?? [];
  const [, line = ''] = /^(await .*)$/m.exec(snippet) ?? [];
  const after = before.replace(/^.*NestFactory\.create.*$/m, (found) => `${found}\n  ${line}`);
  await writeFile(path, `${imported}\n${after}`);
  return [imported, line];
}

/** Prisma's configuration file beside src makes TypeScript write into a folder src. */
function mainOf(folder: string): string {
  const [main = ''] = [join(folder, 'dist/main.js'), join(folder, 'dist/src/main.js')].filter((path) => existsSync(path));
  return main;
}

/** Nest says that it has started before it listens. */
async function untilItListens(attempts = 50): Promise<void> {
  const isThere = await fetch(app.url).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  if (attempts === 0) throw new Error(`No answer:\n${app.output().stdout}${app.output().stderr}`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await untilItListens(attempts - 1);
}

/** `prisma generate` asks for the download of an engine that it never starts, unless this names any file. */
const GENERATES = { PRISMA_SCHEMA_ENGINE_BINARY: 'package.json' };

async function run(cwd: string, file: string, args: readonly string[]): Promise<string> {
  try {
    const env = { ...ENVIRONMENT, ...GENERATES, npm_config_yes: 'true' };
    return (await execute(file, [...args], { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${[file, ...args].join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
