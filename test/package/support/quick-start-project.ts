import { PrismaLibSql } from '@prisma/adapter-libsql';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type SampleProcess, startSample } from '../../support/sample-process.js';
import { ENVIRONMENT } from '../matrix/nest-project.js';
import { blocksOf, filesOf, type PageFile, quickStart, replacementsOf } from './quick-start-page.js';

const execute = promisify(execFile);

export type Database = 'SQLite' | 'PostgreSQL';

/** The server of the runs on PostgreSQL. */
export const SERVER = process.env['TEST_DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

/** The tables that `prisma db push` would create for the models of the page. It would download an engine. */
const TABLES: Readonly<Record<Database, string>> = {
  SQLite: `
  CREATE TABLE "User" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "email" TEXT NOT NULL UNIQUE, "name" TEXT);
  CREATE TABLE "Post" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "title" TEXT NOT NULL, "authorId" INTEGER NOT NULL REFERENCES "User"("id"));`,
  PostgreSQL: `
  CREATE TABLE "User" ("id" SERIAL PRIMARY KEY, "email" TEXT NOT NULL UNIQUE, "name" TEXT);
  CREATE TABLE "Post" ("id" SERIAL PRIMARY KEY, "title" TEXT NOT NULL, "authorId" INTEGER NOT NULL REFERENCES "User"("id"));`,
};

/** `prisma generate` downloads an engine that it never starts, unless this variable names a file. */
const GENERATES = { PRISMA_SCHEMA_ENGINE_BINARY: 'package.json' };

/** The page's application in a folder, as a new user follows the page. */
export class QuickStartProject {
  readonly #parent: string;
  readonly #folder: string;
  readonly #replacements: (readonly [string, string])[];
  readonly #sections: readonly string[];
  readonly #databaseName: string;

  private constructor(
    parent: string,
    private readonly nest: 11 | 12,
    private readonly database: Database,
  ) {
    this.#parent = parent;
    this.#folder = join(parent, 'my-api');
    this.#sections = [
      quickStart('From an empty folder'),
      ...(database === 'PostgreSQL' ? [quickStart('On PostgreSQL')] : []),
      ...(nest === 11 ? [quickStart('On NestJS 11')] : []),
    ];
    this.#replacements = this.#sections.flatMap(replacementsOf);
    this.#databaseName = `quick_start_${nest}_${process.pid}`;
  }

  /** Follows the page until its database has tables. `init`, or the steps by hand, follow. */
  static async create(nest: 11 | 12, database: Database): Promise<QuickStartProject> {
    const project = new QuickStartProject(await mkdtemp(join(tmpdir(), 'nestjs-resource-api-quick-start-')), nest, database);
    const [create = ''] = blocksOf(project.#sections[0] ?? '', 'sh');
    await project.#runCommands(create, project.#parent);
    for (const file of project.files()) await project.#write(file);
    await project.#createTables();
    await cp(project.#folder, `${project.#folder}-before`, { recursive: true, filter: isOwn });
    return project;
  }

  /** The files of the page, as they are on this database and this version of NestJS. */
  files(): readonly PageFile[] {
    const files = new Map(this.#sections.flatMap(filesOf).map(({ path, text }) => [path, text]));
    return [...files].map(([path, text]) => ({ path, text: this.#adapted(text) }));
  }

  /** Runs the last command of the page. @returns its output */
  async init(): Promise<string> {
    const [, change = ''] = blocksOf(this.#sections[0] ?? '', 'sh');
    return this.#runCommands(change, this.#folder);
  }

  /** The section "By hand". */
  async byHand(): Promise<void> {
    const section = quickStart('By hand');
    const [install = '', generate = ''] = blocksOf(section, 'sh');
    await this.#runCommands(install, this.#folder);
    const edits = this.nest === 11 ? quickStart('By hand, on NestJS 11') : '';
    for (const file of filesOf(edits)) await this.#write(file);
    const schema = await this.#read('prisma/schema.prisma');
    const [generator] = blocksOf(edits, 'prisma');
    const client = generator === undefined ? schema : schema.replace(/^generator client \{[\s\S]*?^\}\n/m, generator);
    await this.#write({ path: 'prisma/schema.prisma', text: `${client}\n${blocksOf(section, 'prisma')[0] ?? ''}` });
    await this.#runCommands(generate, this.#folder);
    const [module, application] = filesOf(section);
    if (module) await this.#write({ path: module.path, text: this.#adapted(module.text) });
    await this.#addToModule(this.#adapted(application?.text ?? ''));
  }

  /** Swagger UI. @returns the lines that it adds: the import, and the one after `NestFactory.create` */
  async addDocs(): Promise<readonly string[]> {
    const [snippet = ''] = blocksOf(quickStart('With `init`'), 'ts');
    const [imported = ''] = /^import .*$/m.exec(snippet) ?? [];
    const [line = ''] = /^await .*$/m.exec(snippet) ?? [];
    const main = (await this.#read('src/main.ts')).replace(/^.*NestFactory\.create.*$/m, (found) => `${found}\n  ${line}`);
    await this.#write({ path: 'src/main.ts', text: `${imported}\n${main}` });
    return [imported, line];
  }

  /** A script of its package.json. */
  run(...script: readonly string[]): Promise<string> {
    return run(this.#folder, 'npm', ['run', ...script]);
  }

  shell(commands: string): Promise<string> {
    return run(this.#folder, 'sh', ['-ec', commands]);
  }

  /** Starts the application like `start:prod`. */
  async start(): Promise<SampleProcess> {
    const { scripts } = JSON.parse(await this.#read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const main = scripts['start:prod']?.replace(/^node /, '') ?? '';
    const app = await startSample(main, 'successfully started', { cwd: this.#folder, node: process.execPath, environment: ENVIRONMENT });
    await untilItListens(app);
    return app;
  }

  /** As it was before `init` or the work by hand, with empty tables. */
  async reset(): Promise<void> {
    for (const name of ['src', 'test', 'dist', 'prisma', 'dev.db']) await rm(join(this.#folder, name), { recursive: true, force: true });
    await cp(`${this.#folder}-before`, this.#folder, { recursive: true });
    await this.#createTables();
  }

  async remove(): Promise<void> {
    await rm(this.#parent, { recursive: true, force: true });
    if (this.database === 'PostgreSQL') await query(SERVER, `DROP DATABASE IF EXISTS ${this.#databaseName} WITH (FORCE)`);
  }

  #adapted(text: string): string {
    const own = this.#replacements.reduce((all, [instead, write]) => all.replaceAll(instead, write), text);
    return own.replace(/^DATABASE_URL=.*$/m, `DATABASE_URL=${this.#url()}`);
  }

  #url(): string {
    return Object.assign(new URL(SERVER), { pathname: `/${this.#databaseName}` }).href;
  }

  /** Runs a block line by line, as in a shell. After `cd`, commands run in the project. */
  async #runCommands(block: string, folder: string): Promise<string> {
    let [place, output] = [folder, ''];
    for (const line of this.#adapted(block).trim().split('\n')) {
      const [file = '', ...args] = line.split(' ');
      if (file === 'cd') place = this.#folder;
      else if (line !== 'npx prisma db push') output += await run(place, file, args.map(installed));
    }
    return output;
  }

  async #createTables(): Promise<void> {
    const tables = TABLES[this.database];
    if (this.database === 'PostgreSQL') {
      await query(SERVER, `DROP DATABASE IF EXISTS ${this.#databaseName} WITH (FORCE)`);
      await query(SERVER, `CREATE DATABASE ${this.#databaseName}`);
      await query(this.#url(), tables);
      return;
    }
    const database = await new PrismaLibSql({ url: `file:${join(this.#folder, 'dev.db')}` }).connect();
    await database.executeScript(tables);
    await database.dispose();
  }

  async #addToModule(snippet: string): Promise<void> {
    const [imported = ''] = /^import .*$/m.exec(snippet) ?? [];
    const [, name = ''] = /imports: \[(\w+)\]/.exec(snippet) ?? [];
    const module = (await this.#read('src/app.module.ts')).replace('imports: []', `imports: [${name}]`);
    await this.#write({ path: 'src/app.module.ts', text: `${imported}\n${module}` });
  }

  async #read(path: string): Promise<string> {
    return readFile(join(this.#folder, path), 'utf8');
  }

  async #write({ path, text }: PageFile): Promise<void> {
    await mkdir(dirname(join(this.#folder, path)), { recursive: true });
    await writeFile(join(this.#folder, path), text);
  }
}

/** Whether there is a server for the runs on PostgreSQL. */
export async function hasPostgresql(): Promise<boolean> {
  return query(SERVER, 'SELECT 1').then(
    () => true,
    () => false,
  );
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function isOwn(path: string): boolean {
  return !/[\\/](?:node_modules|dev\.db)/.test(path);
}

/** The packed package in place of the published one. */
function installed(argument: string, _: number, all: readonly string[]): string {
  return all[0] === 'install' && argument === 'nestjs-resource-api' ? (process.env['PACKED_TARBALL'] ?? '') : argument;
}

/** Waits until the application listens, because Nest logs its start before. */
async function untilItListens(app: SampleProcess, attempts = 50): Promise<void> {
  const isThere = await fetch(app.url).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  if (attempts === 0) throw new Error(`No answer:\n${app.output().stdout}${app.output().stderr}`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await untilItListens(app, attempts - 1);
}

async function run(cwd: string, file: string, args: readonly string[]): Promise<string> {
  try {
    const env = { ...ENVIRONMENT, ...GENERATES, npm_config_yes: 'true' };
    return (await execute(file, [...args], { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${[file, ...args].join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
