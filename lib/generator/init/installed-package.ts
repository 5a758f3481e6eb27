import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const { version = '' } = JSON.parse(text) as { readonly version?: string };
    return { folder: dirname(file), version, major: Number.parseInt(version, 10) };
  }
  return undefined;
}
