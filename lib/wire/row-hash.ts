import { hash } from 'node:crypto';
import type { HashedField } from '../model/surface/surface.js';
import { SCALAR_TEXTS } from './scalar-text.js';

/** The length in base64url characters: 132 bits, so that no two states of a row have the same hash by chance. */
const LENGTH = 22;

/**
 * Returns a hash of a row as its version, for models without a version field (CC-16).
 * It covers only values that are visible to the caller, so that it reveals nothing about others.
 *
 * @returns undefined for a row that lacks some of the fields
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
