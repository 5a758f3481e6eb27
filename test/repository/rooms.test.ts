import { readdir, readFile } from 'node:fs/promises';

/** The names in the lint configuration (`ROOMS`) and in the table of CONTRIBUTING. */
async function namesIn(file: string, pattern: RegExp): Promise<readonly string[]> {
  return [...(await readFile(file, 'utf8')).matchAll(pattern)].map(([, name = '']) => name).sort();
}

describe('the rooms of lib', () => {
  it('are all in the room plan, which lists the imports that each may have, and in CONTRIBUTING', async () => {
    const entries = await readdir('lib', { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const planned = await namesIn('eslint.rooms.mjs', /^ {2}room\('([^']+)'/gm);
    const described = await namesIn('CONTRIBUTING.md', /^\| `lib\/([\w/-]+)` \|/gm);
    expect(planned).toEqual(expect.arrayContaining(folders));
    expect(described).toEqual(planned);
  });

  it('hold every file of lib but its entry point', async () => {
    const entries = await readdir('lib', { withFileTypes: true });
    expect(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual(['index.ts']);
  });
});
