import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { textMember } from './terminal.js';

/** The text of a file; undefined where there is none that can be read. */
export function readTextFile(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** Writes a file, and makes its folders. */
export async function writeNewFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The version of this package, from its package.json: two folders up, in the sources and in the build. */
export async function packageVersion(): Promise<string> {
  return textMember(JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')), 'version') ?? '';
}
