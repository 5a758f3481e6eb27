import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readTextFile } from '../files.js';

/** An installed package. */
export interface InstalledPackage {
  /** Absolute path. */
  readonly folder: string;
  readonly version: string;
  /** Major version. */
  readonly major: number;
}

/**
 * Finds a package on Node's search paths, independent of its `exports`.
 *
 * @param root absolute path of the importing folder
 */
export async function findInstalled(root: string, name: string): Promise<InstalledPackage | undefined> {
  const places = createRequire(join(root, 'package.json')).resolve.paths(name) ?? [];
  for (const place of places) {
    const file = join(place, name, 'package.json');
    const content = await readJson<{ readonly version?: string }>(file);
    const { version = '' } = content ?? {};
    if (content) return { folder: dirname(file), version, major: Number.parseInt(version, 10) };
  }
  return undefined;
}

/**
 * Reads a JSON file; undefined if it does not exist. The type covers only the members that the caller reads.
 *
 * @throws InitProblem if the file is not valid JSON
 */
export async function readJson<Content>(file: string): Promise<Content | undefined> {
  const text = await readTextFile(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Content;
  } catch {
    throw new InitProblem(`${file} is no valid JSON.`);
  }
}

/** Error that ends `init`. The message contains the remedy, and text to paste at its end if there is any. */
export class InitProblem extends Error {
  override readonly name = 'InitProblem';
}

/** The Prisma 7 CLI of a project. */
export interface PrismaCli {
  /** Absolute path of its installation. */
  readonly folder: string;
  /** The command of the user, e.g. `prisma generate`. */
  readonly generate: string;
}

/**
 * Returns the Prisma 7 of a project: the package `prisma`, or the one that `@prisma/prisma7` installs beside Prisma 8.
 *
 * @throws InitProblem with the packages to install if there is none
 */
export async function choosePrisma(root: string): Promise<PrismaCli> {
  const prisma = await findInstalled(root, 'prisma');
  if (prisma?.major === 7) return { folder: prisma.folder, generate: 'prisma generate' };
  const beside = await findBeside(root);
  if (beside) return { folder: beside.folder, generate: 'prisma7 generate' };
  throw new InitProblem(prisma ? otherVersion(prisma) : MISSING);
}

/** Finds Prisma 7 beside Prisma 8, as installed by Prisma's guide. */
async function findBeside(root: string): Promise<InstalledPackage | undefined> {
  const wrapper = await findInstalled(root, '@prisma/prisma7');
  const prisma = wrapper && (await findInstalled(wrapper.folder, 'prisma'));
  return prisma?.major === 7 ? prisma : undefined;
}

const MISSING =
  'Prisma is not installed here. Nothing is changed. Run this, then this command again:\n\n' +
  '  npm install --save-dev prisma@7\n  npm install @prisma/client@7\n  npx prisma init';

function otherVersion({ version, major }: InstalledPackage): string {
  const replace = '  npm install --save-dev prisma@7\n  npm install @prisma/client@7';
  if (!(major > 7))
    return `This package needs Prisma 7, and Prisma ${version} is installed here. Nothing is changed. Upgrade it:\n\n${replace}`;
  return `This package needs Prisma 7, and Prisma ${version} is installed here, which has no generators. Nothing is changed. Install Prisma 7 instead:

${replace}

or beside it, then generate by \`npx prisma7 generate\`:

  npm pkg set 'overrides.nestjs-resource-api.prisma=$prisma'
  npm install --save-dev @prisma/prisma7
  npm install @prisma/client@7

Then run this command again.`;
}

/** Returns a package with the version that the project requires, or without a version to install the newest. */
function versioned(name: string): string {
  return /^(?:@prisma\/(?:client|adapter-[\w-]+)|prisma)$/.test(name) ? `${name}@7` : name;
}

/** Returns the commands that install the missing packages. Type packages become development dependencies. */
export async function installsOf(root: string, names: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(names.map((name) => findInstalled(root, name)));
  const missing = names.filter((_, index) => !found[index]);
  const types = missing.filter((name) => name.startsWith('@types/'));
  const others = missing.filter((name) => !types.includes(name));
  return [
    ...(others.length > 0 ? [`npm install ${others.map(versioned).join(' ')}`] : []),
    ...(types.length > 0 ? [`npm install --save-dev ${types.join(' ')}`] : []),
  ];
}
