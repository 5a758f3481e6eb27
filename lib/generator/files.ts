import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { textMember } from './terminal.js';

/** Returns the text of a file; undefined if it cannot be read. */
export function readTextFile(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** Writes a file and creates its folders. */
export async function writeNewFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Returns the version of this package. Its package.json is two folders up, both in the sources and in the build. */
export async function packageVersion(): Promise<string> {
  return textMember(JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')), 'version') ?? '';
}
