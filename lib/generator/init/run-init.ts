import { delimiter, join } from 'node:path';
import { cwd, env, execPath } from 'node:process';
import { parseArgs, promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { writeNewFile } from '../files.js';
import { messageOf, textMember, type Terminal } from '../terminal.js';
import type { ChosenResources } from './choose-resources.js';
import { InitProblem, readJson } from './installed-package.js';
import { type InitPlan, planInit } from './plan-init.js';
import { prefixesOf } from './print-api-module.js';
import { pathFrom, type Project, readProject } from './project.js';
import type { FileChange } from './source-files.js';

/** The environment of `init`, which tests replace. */
export interface InitSettings {
  /** Absolute path of the project. */
  readonly root: string;
  readonly generate: (project: Project) => Promise<void>;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Runs the command `init`: adds the API to a NestJS project with Prisma. Existing files of a previous run remain, so a second run changes nothing.
 *
 * @returns the exit code: 0, 1 if `init` refuses the project and writes nothing, 2 for invalid options
 */
export async function runInit(
  args: readonly string[],
  terminal: Terminal,
  settings: InitSettings = { root: cwd(), generate: runPrismaGenerate, environment: env },
): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'string') {
    terminal.error(`nestjs-resource-api init: ${options}\nUsage: nestjs-resource-api init [--dry-run] [--module src/app.module.ts]`);
    return 2;
  }
  // Copied first, because Prisma's configuration may load .env into the environment when the schema is searched.
  const environment = { ...settings.environment };
  try {
    const project = await readProject(settings.root);
    const plan = await planInit(project, options.module, environment);
    if (isEmpty(plan)) terminal.log(NOTHING);
    else if (options.dryRun) printPlan(plan, project, terminal);
    else await applyPlan(plan, project, terminal, settings);
    printFindings(plan, terminal);
    if (!isEmpty(plan)) terminal.log(options.dryRun ? '\nThis was a dry run: nothing is written.' : printNext(plan));
    return 0;
  } catch (error) {
    if (!(error instanceof InitProblem)) throw error;
    terminal.error(`nestjs-resource-api init: ${error.message}`);
    return 1;
  }
}

/** Parses the options, or returns an error message. */
function readOptions(args: readonly string[]): { readonly dryRun: boolean; readonly module: string | undefined } | string {
  try {
    const { values } = parseArgs({ args: [...args], options: { 'dry-run': { type: 'boolean' }, 'module': { type: 'string' } } });
    return { dryRun: values['dry-run'] ?? false, module: values.module };
  } catch (error) {
    return messageOf(error);
  }
}

function isEmpty({ schema, generates, sources }: InitPlan): boolean {
  return schema.length === 0 && generates === undefined && sources.length === 0;
}

const NOTHING = 'There is nothing to do: the generator, the generated schema and the module are there.';

function printPlan({ schema, generates, sources, generate }: InitPlan, { root }: Project, terminal: Terminal): void {
  const print = (change: FileChange): void => {
    terminal.log(`${describeChange(change, root)}\n\n${printDiff(change.before ?? '', change.after)}\n`);
  };
  schema.forEach(print);
  if (generates !== undefined) terminal.log(`${generate}: writes ${pathFrom(root, generates)}\n`);
  sources.forEach(print);
}

function describeChange({ path, before, summary }: FileChange, root: string): string {
  return `${pathFrom(root, path)} (${before === undefined ? 'new' : 'changed'}): ${summary}`;
}

async function applyPlan(
  { schema, generates, sources, generate }: InitPlan,
  project: Project,
  terminal: Terminal,
  settings: InitSettings,
): Promise<void> {
  const write = async (change: FileChange): Promise<void> => {
    await writeNewFile(change.path, change.after);
    terminal.log(describeChange(change, project.root));
  };
  for (const change of schema) await write(change);
  if (generates !== undefined) {
    await settings.generate(project);
    terminal.log(`${generate}: wrote ${pathFrom(project.root, generates)}`);
  }
  for (const change of sources) await write(change);
}

/** Prints the exposed and hidden models, and what the user has to do. The next steps follow it, so that the user does not miss it. */
function printFindings({ toDo, advice, resources }: InitPlan, terminal: Terminal): void {
  if (resources) terminal.log(`\n${printAccess(resources)}`);
  for (const text of advice) terminal.log(`\n${text}`);
  if (toDo.length > 0) terminal.log(`\nTo do, before the application can run:\n\n${toDo.map((text) => `- ${text}`).join('\n')}`);
}

function printAccess({ open, closed }: ChosenResources): string {
  const secrets = open.flatMap(({ model, secrets: names }) => names.map((name) => `${model}.${name} (its name says secret)`));
  const creates = open.flatMap(({ model, needed }) => (needed.length > 0 ? [`creating ${model} (it needs ${needed.join(', ')})`] : []));
  const models = closed.map(({ model, reason }) => `${model} (${reason})`);
  return `Exposed to every client that reaches the API: ${open.map(({ model }) => model).join(', ') || 'nothing'}.
Not exposed: ${[...secrets, ...creates, ...models, 'every model that you add later'].join(', ')}.
The list is \`resources\` in the API module. Before others can reach the API, say who may call it: guards and rules (node_modules/nestjs-resource-api/docs/security.md).`;
}

function printNext({ application, firstModel = 'Post' }: InitPlan): string {
  const { restPath, rpcPath } = prefixesOf(application);
  const name = firstModel.charAt(0).toLowerCase() + firstModel.slice(1);
  const base = `http://localhost:${application.port}`;
  return `
Start your application (npm run start:dev), then:

  curl ${base}${restPath}/${name}
  curl ${base}${rpcPath}/${name}/findMany`;
}

const run = promisify(execFile);

/**
 * Runs `prisma generate` with the Prisma 7 of the project.
 *
 * @throws InitProblem with Prisma's output if it fails
 */
export async function runPrismaGenerate({ root, prisma }: Pick<Project, 'root' | 'prisma'>): Promise<void> {
  const content = await readJson<{ readonly bin: { readonly prisma: string } }>(join(prisma.folder, 'package.json'));
  // Prisma starts generators by name, as npm and npx do.
  const path = [join(root, 'node_modules', '.bin'), env['PATH']].join(delimiter);
  try {
    await run(execPath, [join(prisma.folder, content?.bin.prisma ?? ''), 'generate'], { cwd: root, env: { ...env, PATH: path } });
  } catch (error) {
    const output = `${textMember(error, 'stdout') ?? ''}${textMember(error, 'stderr') ?? ''}`.trim();
    throw new InitProblem(`\`${prisma.generate}\` fails. Once it does not, run this command again.\n\n${output || messageOf(error)}`);
  }
}

/** Prints the different lines of two texts, prefixed with `- ` and `+ `. For a new file these are all lines. */
function printDiff(before: string, after: string): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const common = commonLengths(old, now);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) {
      [i, j] = [i + 1, j + 1];
      continue;
    }
    const isAdded = i === old.length || (j < now.length && lengthAt(common, i, j + 1) > lengthAt(common, i + 1, j));
    lines.push(isAdded ? `+ ${now[j++] ?? ''}` : `- ${old[i++] ?? ''}`);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Computes the length of the longest common subsequence of lines from each pair of lines to the end. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const row = table[i];
      if (row)
        row[j] = old[i] === now[j] ? lengthAt(table, i + 1, j + 1) + 1 : Math.max(lengthAt(table, i + 1, j), lengthAt(table, i, j + 1));
    }
  }
  return table;
}

function lengthAt(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
