import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../terminal.js';
import { InitProblem } from './installed-package.js';
import type { SchemaFile } from './prisma-blocks.js';
import type { Project } from './project.js';

/** The members of the result of Prisma's loader of `prisma.config.ts` that `init` reads. */
interface LoadedConfig {
  readonly config?: { readonly schema?: string };
  readonly error?: { readonly error?: unknown };
}

interface ConfigLoader {
  readonly loadConfigFromFile: (input: { readonly configRoot: string }) => Promise<LoadedConfig>;
}

/**
 * Finds the files of the Prisma schema in Prisma's order: its configuration file, package.json, then the two
 * default paths. A folder means all `.prisma` files in it.
 *
 * @throws InitProblem if there is none
 */
export async function findPrismaSchema(project: Project): Promise<readonly [SchemaFile, ...SchemaFile[]]> {
  const { root, packageJson } = project;
  const named = (await schemaOfConfig(project)) ?? packageJson.prisma?.schema;
  const places = named === undefined ? ['schema.prisma', 'prisma/schema.prisma'] : [named];
  for (const place of places) {
    const [first, ...others] = await readSchema(resolve(root, place));
    if (first) return [first, ...others];
  }
  throw new InitProblem(
    named === undefined
      ? 'There is no Prisma schema here (prisma.config.ts names none; schema.prisma and prisma/schema.prisma do not exist). ' +
          'Make one with `npx prisma init`, then run this command again.'
      : `The Prisma schema ${named}, which your configuration of Prisma names, does not exist or holds no .prisma file.`,
  );
}

/** Returns the absolute path of the schema in Prisma's configuration file; undefined without a file, or if it names no schema. */
async function schemaOfConfig({ root, prisma }: Project): Promise<string | undefined> {
  const loader = await loaderOf(prisma.folder);
  const loaded = await loader?.loadConfigFromFile({ configRoot: root });
  if (loaded?.error) {
    throw new InitProblem(`Your Prisma configuration cannot be loaded: ${messageOf(loaded.error.error ?? loaded.error)}`);
  }
  return loaded?.config?.schema;
}

/** Imports Prisma's own loader of its configuration file, so that both read the same. */
async function loaderOf(prismaFolder: string): Promise<ConfigLoader | undefined> {
  const require = createRequire(join(prismaFolder, 'package.json'));
  try {
    const module = (await import(pathToFileURL(require.resolve('@prisma/config')).href)) as ConfigLoader & {
      readonly default?: ConfigLoader;
    };
    return module.default ?? module;
  } catch {
    // This version of Prisma has no configuration files.
    return undefined;
  }
}

async function readSchema(place: string): Promise<readonly SchemaFile[]> {
  const found = await stat(place).catch(() => undefined);
  if (!found) return [];
  const names = found.isDirectory() ? (await readdir(place, { recursive: true })).filter((name) => name.endsWith('.prisma')).sort() : [''];
  return Promise.all(
    names.map(async (name) => {
      const path = name === '' ? place : join(place, name);
      return { path, text: await readFile(path, 'utf8') };
    }),
  );
}
