import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A source file of the project. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const SKIPPED = /(?:^|[\\/])(?:node_modules|dist)(?:[\\/]|$)|\.d\.ts$|[.-](?:spec|test)\.ts$/;

/** Reads the TypeScript files of a folder and its folders, in the order of their names; tests are left out. */
export async function readSourceFiles(folder: string): Promise<readonly SourceFile[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sources = names.filter((name) => /\.[cm]?ts$/.test(name) && !SKIPPED.test(name)).sort();
  const files = await Promise.all(sources.map((name) => readSource(join(folder, name))));
  return files.flat();
}

/** A link that leads nowhere is no file. */
async function readSource(path: string): Promise<readonly SourceFile[]> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? [] : [{ path, text }];
}
