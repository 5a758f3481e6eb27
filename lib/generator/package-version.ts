import { readFile } from 'node:fs/promises';

/** The version of this package, from its package.json: two folders up, in the sources and in the build. */
export async function packageVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
