import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPTS = ['bench', 'bench/growth', 'bench/soak'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => `${folder}/${name}`),
);

interface Curves {
  readonly CURVES: readonly { readonly work: (size: number) => () => unknown; readonly sizes: readonly number[] }[];
}

type Pages = Readonly<Record<'restPage' | 'rpcPage', (rows: number) => () => Uint8Array>>;

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

  it('calls lib as it is, where it measures how requests grow', async () => {
    const growth = (name: string): Promise<unknown> => import(pathToFileURL(join(ROOT, 'bench/growth', name)).href);
    const { CURVES } = (await growth('curves.mjs')) as Curves;
    for (const { work, sizes } of CURVES) work(sizes[0] ?? 0)();
    const { restPage, rpcPage } = (await growth('pages.mjs')) as Pages;
    expect(restPage(3)().length).toBeGreaterThan(100);
    expect(rpcPage(3)().length).toBeGreaterThan(100);
  });
});
