import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readTextFile } from '../files.js';

/** A package as it is installed for a project. */
export interface InstalledPackage {
  /** Absolute. */
  readonly folder: string;
  readonly version: string;
  /** The first number of its version. */
  readonly major: number;
}

/**
 * Finds a package where Node would look for it, whatever its `exports` say.
 *
 * @param root absolute: the folder that imports it
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
 * The content of a JSON file, of which as much is known as is read; undefined where there is no such file.
 *
 * @throws InitProblem for what is no JSON
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

/** Why `init` cannot go on. The message says what to do, and ends with what to paste where there is something. */
export class InitProblem extends Error {
  override readonly name = 'InitProblem';
}

/** The Prisma CLI of a project, of version 7. */
export interface PrismaCli {
  /** Absolute: where it is installed. */
  readonly folder: string;
  /** What its users type, e.g. `prisma generate`. */
  readonly generate: string;
}

/**
 * The Prisma 7 of a project: its `prisma`, or the one that `@prisma/prisma7` brings beside a Prisma 8.
 *
 * @throws InitProblem with what to install, where there is none
 */
export async function choosePrisma(root: string): Promise<PrismaCli> {
  const prisma = await findInstalled(root, 'prisma');
  if (prisma?.major === 7) return { folder: prisma.folder, generate: 'prisma generate' };
  const beside = await findBeside(root);
  if (beside) return { folder: beside.folder, generate: 'prisma7 generate' };
  throw new InitProblem(prisma ? otherVersion(prisma) : MISSING);
}

/** As Prisma's own guide puts 7 and 8 into one project. */
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

/** The version of a package that goes with the project; without one here, the newest. */
function versioned(name: string): string {
  return /^(?:@prisma\/(?:client|adapter-[\w-]+)|prisma)$/.test(name) ? `${name}@7` : name;
}

/** The commands that install those of the packages that are missing, types as development dependencies. */
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
