import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { choosePrisma, findInstalled, InitProblem, type PrismaCli, readJson } from './installed-package.js';
import type { TypeScript } from './source-files.js';

/** The project that `init` works on. */
export interface Project {
  /** Absolute path of the folder with package.json. */
  readonly root: string;
  readonly packageJson: PackageJson;
  readonly nestCli: NestCli;
  /** Absolute path of `src`, or of the folder that nest-cli.json names. */
  readonly sourceRoot: string;
  /** Major version of NestJS. */
  readonly nestMajor: number;
  readonly prisma: PrismaCli;
  readonly typescript: TypeScript;
}

/** The members of package.json that `init` reads. */
interface PackageJson {
  readonly type?: string;
  readonly prisma?: { readonly schema?: string };
  readonly scripts?: Readonly<Record<string, string>>;
  /** Jest's configuration. */
  readonly jest?: unknown;
}

/** The members of nest-cli.json that `init` reads. */
interface NestCli {
  readonly sourceRoot?: string;
  readonly compilerOptions?: { readonly builder?: unknown; readonly webpack?: unknown; readonly tsConfigPath?: string };
}

/** Supported major versions of NestJS. */
const NEST_VERSIONS: readonly number[] = [11, 12];

/**
 * Reads the project's configuration and the versions of its packages.
 *
 * @throws InitProblem if NestJS, Prisma or TypeScript is missing or has an unsupported version
 */
export async function readProject(root: string): Promise<Project> {
  const packageJson = await readJson<PackageJson>(join(root, 'package.json'));
  if (!packageJson) throw new InitProblem('There is no package.json here. Run this command in the folder of your NestJS project.');
  const nestMajor = await requireNest(root);
  const prisma = await choosePrisma(root);
  const typescript = requireTypeScript(createRequire(join(root, 'package.json')));
  const nestCli = (await readJson<NestCli>(join(root, 'nest-cli.json'))) ?? {};
  return {
    root,
    packageJson,
    nestCli,
    sourceRoot: join(root, nestCli.sourceRoot ?? 'src'),
    nestMajor,
    prisma,
    typescript,
  };
}

/** Returns a path relative to a folder, with slashes, as in messages and import statements. */
export function pathFrom(folder: string, file: string): string {
  return relative(folder, file).replaceAll('\\', '/');
}

async function requireNest(root: string): Promise<number> {
  const core = await findInstalled(root, '@nestjs/core');
  if (!core) throw new InitProblem('This is no NestJS project: @nestjs/core is not installed. Install the packages first (`npm install`).');
  if (NEST_VERSIONS.includes(core.major)) return core.major;
  throw new InitProblem(
    `This package needs NestJS ${NEST_VERSIONS.join(' or ')}, and NestJS ${core.version} is installed here. Nothing is changed.`,
  );
}

function requireTypeScript(require: NodeJS.Require): TypeScript {
  try {
    require.resolve('typescript');
  } catch {
    throw new InitProblem('TypeScript is not installed here, and this command writes TypeScript.');
  }
  const module: unknown = require('typescript');
  if (isCompiler(module)) return module;
  throw new InitProblem('The TypeScript that is installed here offers no parser; this command needs version 5 or 6.');
}

function isCompiler(module: unknown): module is TypeScript {
  return typeof module === 'object' && module !== null && 'createSourceFile' in module && typeof module.createSourceFile === 'function';
}
