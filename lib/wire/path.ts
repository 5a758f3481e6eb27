const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether superjson refuses a key in every path, so that nothing below it can be annotated. */
export function isReservedKey(key: string): boolean {
  return RESERVED.has(key);
}

/** One key as a segment of a path: backslashes and dots escaped by a backslash, as superjson 2.2 does. */
export function escapeKey(key: string): string {
  return /[\\.]/.test(key) ? key.replace(/[\\.]/g, '\\$&') : key;
}

/**
 * The keys of a path; undefined when it is malformed.
 *
 * @param version superjson's `v`: 0 (also superjson 1.13) knows `\.` only, any other backslash is itself; 1 knows `\\` and `\.` and nothing else
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
