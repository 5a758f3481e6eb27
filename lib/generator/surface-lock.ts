import type { RightsByPlace } from '../model/surface/rights-by-place.js';
import { isObject } from '../utils/is-object.js';

/** The text of a lock file, with one line per model and field, so that its diff is readable. */
export function printLock(surface: RightsByPlace): string {
  const open = Object.fromEntries([...surface].map(([place, rights]) => [place, rights.join(' ')]));
  return `${JSON.stringify({ version: 1, open }, undefined, 2)}\n`;
}

/** @throws Error for a text that is no lock file */
export function readLock(text: string): RightsByPlace {
  const lock: unknown = JSON.parse(text);
  if (!isObject(lock) || lock['version'] !== 1 || !isObject(lock['open'])) throw new Error('It is no surface lock of version 1.');
  return new Map(Object.entries(lock['open']).map(([place, rights]) => [place, String(rights).split(' ').filter(Boolean)]));
}
