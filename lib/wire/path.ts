const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether superjson forbids a key in every path, so that no value below it can have an annotation. */
export function isReservedKey(key: string): boolean {
  return RESERVED.has(key);
}

/** Escapes a key for a path: backslashes and dots get a backslash, as in superjson 2.2. */
export function escapeKey(key: string): string {
  return /[\\.]/.test(key) ? key.replace(/[\\.]/g, '\\$&') : key;
}

/**
 * Splits a path into its keys. Returns undefined for a malformed path.
 *
 * @param version superjson's `v`. 0 (also superjson 1.13): only `\.` is an escape, other backslashes are literal. 1: only `\\` and `\.` are
 * valid
 */
export function parsePath(path: string, version: 0 | 1): readonly string[] | undefined {
  if (!path.includes('\\')) return path.split('.');
  const keys: string[] = [];
  let key = '';
  for (let at = 0; at < path.length; at++) {
    const character = path.charAt(at);
    if (character === '.') {
      keys.push(key);
      key = '';
      continue;
    }
    const escapes = character === '\\' && isEscapable(path.charAt(at + 1), version);
    if (character === '\\' && version === 1 && !escapes) return undefined;
    key += escapes ? path.charAt(++at) : character;
  }
  return [...keys, key];
}

function isEscapable(character: string, version: 0 | 1): boolean {
  return character === '.' || (version === 1 && character === '\\');
}
