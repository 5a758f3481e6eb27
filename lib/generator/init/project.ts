import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { InitProblem } from './init-problem.js';
import type { TypeScript } from './typescript.js';

/** The project that `init` works on. */
export interface Project {
  /** Absolute: the folder with package.json. */
  readonly root: string;
  readonly packageJson: PackageJson;
  /** Absolute: `src`, or what nest-cli.json names. */
  readonly sourceRoot: string;
  /** Absolute: where its own Prisma CLI is installed. */
  readonly prismaFolder: string;
  readonly typescript: TypeScript;
}

/** As much of a package.json as `init` reads. */
export interface PackageJson {
  readonly type?: string;
  readonly prisma?: { readonly schema?: string };
}

/**
 * Reads what `init` has to know of a project.
 *
 * @throws InitProblem when it is none of NestJS, Prisma and TypeScript
 */
export async function readProject(root: string): Promise<Project> {
  const packageJson = await readJson<PackageJson>(join(root, 'package.json'));
  if (!packageJson) throw new InitProblem('There is no package.json here. Run this command in the folder of your NestJS project.');
  const require = createRequire(join(root, 'package.json'));
  requireInstalled(
    require,
    '@nestjs/core',
    'This is no NestJS project: @nestjs/core is not installed. Install the packages first (`npm install`).',
  );
  const prisma = requireInstalled(
    require,
    'prisma/package.json',
    'Prisma is not installed here. Run `npm install --save-dev prisma` and `npx prisma init`, then this command again.',
  );
  const typescript = requireInstalled(require, 'typescript', 'TypeScript is not installed here, and this command writes TypeScript.');
  const nest = await readJson<{ readonly sourceRoot?: string }>(join(root, 'nest-cli.json'));
  return {
    root,
    packageJson,
    sourceRoot: join(root, nest?.sourceRoot ?? 'src'),
    prismaFolder: dirname(prisma),
    typescript: compilerOf(require(typescript)),
  };
}

/** A path as messages and import statements have it: from a folder, with slashes. */
export function pathFrom(folder: string, file: string): string {
  return relative(folder, file).replaceAll('\\', '/');
}

function requireInstalled(require: NodeJS.Require, id: string, problem: string): string {
  try {
    return require.resolve(id);
  } catch {
    throw new InitProblem(problem);
  }
}

function compilerOf(module: unknown): TypeScript {
  if (typeof (module as Partial<TypeScript>).createSourceFile === 'function') return module as TypeScript;
  throw new InitProblem('The TypeScript that is installed here offers no parser; this command needs version 5 or 6.');
}

async function readJson<Content>(file: string): Promise<Content | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Content;
  } catch {
    throw new InitProblem(`${file} is no valid JSON.`);
  }
}
