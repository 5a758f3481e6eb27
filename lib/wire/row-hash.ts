import { hash } from 'node:crypto';
import type { HashedField } from '../model/surface/surface.js';
import { SCALAR_TEXTS } from './scalar-text.js';

/** Of 132 bits: no two states of a row meet by chance. */
const LENGTH = 22;

/**
 * What stands for the version of a row that has none (CC-16): a hash of the values that the caller is shown, so that it tells nothing of others.
 *
 * @returns undefined for a row that lacks some of them
 */
export function rowHash(row: Readonly<Record<string, unknown>>, fields: readonly HashedField[]): string | undefined {
  const texts: string[] = [];
  for (const { name, type } of fields) {
    const value = row[name];
    const text = value === null ? 'null' : SCALAR_TEXTS[type](value);
    if (value === undefined || text === undefined) return undefined;
    texts.push(text);
  }
  return `h${hash('sha256', texts.join(), 'base64url').slice(0, LENGTH)}`;
}
