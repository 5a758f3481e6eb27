import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative } from 'node:path';
import { InitProblem } from './init-problem.js';
import { pathFrom } from './project.js';

/**
 * Refuses to write through a symbolic link that leads out of the project. A file that is configured to be elsewhere (a Prisma schema at
 * `../db`, say) is written there.
 *
 * @throws InitProblem that names the file
 */
export async function requireInside(root: string, file: string): Promise<void> {
  if (!isWithin(root, file)) return;
  const place = await realPlaceOf(file);
  if (place !== undefined && isWithin(await realpath(root), place)) return;
  const target = place === undefined ? 'leads nowhere' : `leads out of the project, to ${place}`;
  throw new InitProblem(
    `${pathFrom(root, file)} is behind a symbolic link that ${target}. Nothing is changed: put a file or folder of the project there.`,
  );
}

/** Where the file is, or would be; undefined behind a link that leads nowhere. */
async function realPlaceOf(path: string): Promise<string | undefined> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry) return realpath(path).catch(() => undefined);
  return realPlaceOf(dirname(path));
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}
