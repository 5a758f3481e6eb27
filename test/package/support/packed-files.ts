import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the paths in a tarball, without the folder that npm puts around them. */
export async function packedFiles(tarball: string): Promise<readonly string[]> {
  const { stdout } = await run('tar', ['-tzf', tarball]);
  return stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
}

/** Returns the files of the package that a bundler includes for these entry points. */
export async function bundledFiles(entryPoints: readonly string[]): Promise<readonly string[]> {
  const options = { bundle: true, packages: 'external', platform: 'browser', format: 'esm', outdir: 'bundled' } as const;
  const { metafile } = await build({ ...options, entryPoints: [...entryPoints], metafile: true, write: false });
  return Object.keys(metafile.inputs);
}

/** Returns the sources of a file, from its source map. */
export async function sourcesOf(file: string): Promise<readonly string[]> {
  return (JSON.parse(await readFile(`${file}.map`, 'utf8')) as { readonly sources: readonly string[] }).sources;
}
