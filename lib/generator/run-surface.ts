import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { includesRight, type RightsByPlace } from '../model/surface/rights-by-place.js';
import { isObject } from '../utils/is-object.js';
import { codeOf, messageOf, type Terminal } from './terminal.js';
import { loadSurface } from './load-surface.js';

/**
 * Runs the command `surface`: writes the exposure of the API to `surface.lock.json`, or compares it with that file (`--check`).
 *
 * @returns the exit code: 0, 1 if more is exposed than the lock allows, 2 if the check itself fails
 */
export async function runSurface(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { check, lock, ...files } = readOptions(args);
    const surface = await loadSurface(files);
    return check ? await checkLock(surface, lock, terminal) : await writeLock(surface, lock, terminal);
  } catch (error) {
    terminal.error(`nestjs-resource-api surface: ${messageOf(error)}`);
    return 2;
  }
}

interface SurfaceOptions {
  readonly schema: string;
  readonly resources: string | undefined;
  readonly rules: string | undefined;
  readonly lock: string;
  readonly check: boolean;
}

function readOptions(args: readonly string[]): SurfaceOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      schema: { type: 'string' },
      resources: { type: 'string' },
      rules: { type: 'string' },
      lock: { type: 'string' },
      check: { type: 'boolean' },
    },
  });
  const { schema, resources, rules, lock = 'surface.lock.json', check = false } = values;
  if (schema === undefined) throw new Error('--schema is missing: the module that exports resourceSchema.');
  return { schema, resources, rules, lock, check };
}

async function writeLock(surface: RightsByPlace, file: string, terminal: Terminal): Promise<number> {
  const before = await readLockFile(file);
  await writeFile(file, printLock(surface));
  terminal.log([`${file} is written.`, ...(before ? diffOf(compareSurfaces(before, surface)) : [])].join('\n'));
  return 0;
}

async function checkLock(surface: RightsByPlace, file: string, terminal: Terminal): Promise<number> {
  const locked = await readLockFile(file);
  if (!locked) throw new Error(`There is no ${file}. Run the command without --check to write it, and commit it.`);
  const changes = compareSurfaces(locked, surface);
  const diff = diffOf(changes).join('\n');
  if (changes.opened.length > 0) {
    terminal.error(`The API opens what ${file} does not allow:\n\n${diff}\n\n${REMEDY}`);
    return 1;
  }
  const note = changes.closed.length > 0 ? ` It allows more than that; write it anew to keep this closed:\n\n${diff}` : '';
  terminal.log(`The API opens nothing that ${file} does not allow.${note}`);
  return 0;
}

const REMEDY =
  'Close it by `resources`, `rules` or a comment (/// @api.hidden) in the Prisma schema; where it is meant, run the command without --check and commit the file.';

function diffOf({ opened, closed }: SurfaceChanges): readonly string[] {
  return [...opened.map((line) => `+ ${line}`), ...closed.map((line) => `- ${line}`)];
}

async function readLockFile(file: string): Promise<RightsByPlace | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return readLock(text);
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** The differences between two surfaces, as lines such as `User.email: read, sort`. */
export interface SurfaceChanges {
  readonly opened: readonly string[];
  readonly closed: readonly string[];
}

/** Compares the current exposure with the lock. */
export function compareSurfaces(locked: RightsByPlace, current: RightsByPlace): SurfaceChanges {
  return { opened: beyond(current, locked), closed: beyond(locked, current) };
}

/** Returns the part of one surface that the other lacks. */
function beyond(surface: RightsByPlace, other: RightsByPlace): readonly string[] {
  return [...surface].flatMap(([place, rights]) => {
    const known = other.get(place);
    const more = rights.filter((right) => !includesRight(known ?? [], right));
    // A model without actions is listed too, because relations may reference it.
    return more.length > 0 || known === undefined ? [`${place}: ${more.join(', ') || 'nothing but its being there'}`] : [];
  });
}

/** Prints a lock file with one line per model and field, so that its diff is readable. */
export function printLock(surface: RightsByPlace): string {
  const open = Object.fromEntries([...surface].map(([place, rights]) => [place, rights.join(' ')]));
  return `${JSON.stringify({ version: 1, open }, undefined, 2)}\n`;
}

/**
 * Parses a lock file.
 *
 * @throws Error if the text is no surface lock of version 1
 */
export function readLock(text: string): RightsByPlace {
  const lock: unknown = JSON.parse(text);
  if (!isObject(lock) || lock['version'] !== 1 || !isObject(lock['open'])) throw new Error('It is no surface lock of version 1.');
  return new Map(Object.entries(lock['open']).map(([place, rights]) => [place, String(rights).split(' ').filter(Boolean)]));
}
