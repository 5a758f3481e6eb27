import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPTS = ['bench', 'bench/growth', 'bench/soak'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => `${folder}/${name}`),
);

/** An import of the built package: its names, and the file below `dist`. */
const IMPORT = /^import \{ ([^}]+) \} from '([^']+\.js)';$/gm;

describe('the scripts of bench, which no compiler checks', () => {
  it.each(SCRIPTS)('%s imports what lib exports', (script) => {
    const missing: string[] = [];
    for (const [, names = '', path = ''] of readFileSync(join(ROOT, script), 'utf8').matchAll(IMPORT)) {
      const built = resolve(ROOT, script, '..', path);
      if (!built.startsWith(join(ROOT, 'dist'))) continue;
      const source = readFileSync(built.replace(join(ROOT, 'dist'), join(ROOT, 'lib')).replace(/\.js$/, '.ts'), 'utf8');
      missing.push(...names.split(', ').filter((name) => !new RegExp(`^export .*\\b${name}\\b`, 'm').test(source)));
    }
    expect(missing).toEqual([]);
  });
});
