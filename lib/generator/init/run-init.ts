import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { messageOf } from '../error-text.js';
import type { Terminal } from '../terminal.js';
import type { ChosenResources } from './choose-resources.js';
import { InitProblem } from './init-problem.js';
import { type FileChange, type InitPlan, planInit } from './plan-init.js';
import { prefixesOf } from './print-api-module.js';
import { printDiff } from './print-diff.js';
import { pathFrom, type Project, readProject } from './project.js';
import { runPrismaGenerate } from './run-prisma-generate.js';

/** What `init` takes from its process, so that tests can give something else. */
export interface InitHost {
  /** The project's folder. */
  readonly root: string;
  readonly generate: (project: Project) => Promise<void>;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * The command `init`: adds the API to a NestJS project with Prisma. What is there already stays, so that a second run changes nothing.
 *
 * @returns the exit code: 0, 1 when something is left to do by hand (it is printed), 2 for options that do not exist
 */
export async function runInit(args: readonly string[], terminal: Terminal, host: InitHost = ownHost()): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'string') {
    terminal.error(`nestjs-resource-api init: ${options}\nUsage: nestjs-resource-api init [--dry-run] [--module src/app.module.ts]`);
    return 2;
  }
  try {
    const project = await readProject(host.root);
    const plan = await planInit(project, options.module, host.environment);
    if (options.dryRun) printPlan(plan, project, terminal);
    else await applyPlan(plan, { project, terminal, host });
    printFindings(plan, terminal);
    if (!isEmpty(plan)) terminal.log(options.dryRun ? '\nThis was a dry run: nothing is written.' : printNext(plan));
    return plan.byHand.length + plan.shortcomings.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof InitProblem)) throw error;
    terminal.error(`nestjs-resource-api init: ${error.message}`);
    return 1;
  }
}

function ownHost(): InitHost {
  return { root: process.cwd(), generate: runPrismaGenerate, environment: env };
}

interface InitOptions {
  readonly dryRun: boolean;
  readonly module: string | undefined;
}

/** The options, or what is wrong with them. */
function readOptions(args: readonly string[]): InitOptions | string {
  try {
    const { values } = parseArgs({ args: [...args], options: { 'dry-run': { type: 'boolean' }, 'module': { type: 'string' } } });
    return { dryRun: values['dry-run'] ?? false, module: values.module };
  } catch (error) {
    return messageOf(error);
  }
}

function isEmpty({ schema, generates, sources }: InitPlan): boolean {
  return schema === undefined && generates === undefined && sources.length === 0;
}

function printPlan(plan: InitPlan, { root }: Project, terminal: Terminal): void {
  if (isEmpty(plan)) {
    terminal.log(NOTHING);
    return;
  }
  const { schema, generates, sources, generate } = plan;
  if (schema) terminal.log(`${describe(schema, root)}\n\n${printDiff(schema.before ?? '', schema.after)}\n`);
  if (generates !== undefined) terminal.log(`${generate}: writes ${pathFrom(root, generates)}\n`);
  for (const change of sources) terminal.log(`${describe(change, root)}\n\n${printDiff(change.before ?? '', change.after)}\n`);
}

const NOTHING = 'There is nothing to do: the generator, the generated schema and the module are there.';

function describe({ path, before, summary }: FileChange, root: string): string {
  return `${pathFrom(root, path)} (${before === undefined ? 'new' : 'changed'}): ${summary}`;
}

interface Surroundings {
  readonly project: Project;
  readonly terminal: Terminal;
  readonly host: InitHost;
}

async function applyPlan(plan: InitPlan, { project, terminal, host }: Surroundings): Promise<void> {
  if (isEmpty(plan)) {
    terminal.log(NOTHING);
    return;
  }
  const { schema, generates, sources } = plan;
  if (schema) await writeChange(schema);
  if (generates !== undefined) {
    await host.generate(project);
    terminal.log(`${plan.generate}: wrote ${pathFrom(project.root, generates)}`);
  }
  for (const change of sources) await writeChange(change);

  async function writeChange(change: FileChange): Promise<void> {
    await mkdir(dirname(change.path), { recursive: true });
    await writeFile(change.path, change.after);
    terminal.log(describe(change, project.root));
  }
}

/** What the API opens and closes, and what its user has to do: before what comes next, so that nobody overlooks it. */
function printFindings({ byHand, shortcomings, advice, resources }: InitPlan, terminal: Terminal): void {
  if (resources) terminal.log(`\n${printAccess(resources)}`);
  for (const text of advice) terminal.log(`\n${text}`);
  for (const text of byHand) terminal.error(`\n${text}`);
  if (shortcomings.length > 0) terminal.error(`\nBefore the application can run:\n\n${shortcomings.map((text) => `- ${text}`).join('\n')}`);
}

function printAccess({ open, closed }: ChosenResources): string {
  const secrets = open.flatMap(({ model, secrets: names }) => names.map((name) => `${model}.${name} (its name says secret)`));
  const models = closed.map(({ model, reason }) => `${model} (${reason})`);
  return `Open, to whoever reaches the API: ${open.map(({ model }) => model).join(', ') || 'nothing'}.
Closed: ${[...secrets, ...models, 'every model that you add later'].join(', ')}.
The list is \`resources\` in the API module. Before others can reach the API, say who may call it: guards and rules (docs/security.md).`;
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
