import { readdir, readFile } from 'node:fs/promises';

/** Of the lint configuration (`ROOMS`) and of the table in CONTRIBUTING. */
async function namesIn(file: string, pattern: RegExp): Promise<readonly string[]> {
  return [...(await readFile(file, 'utf8')).matchAll(pattern)].map(([, name = '']) => name).sort();
}

describe('the rooms of lib', () => {
  it('are all known to the linter, which checks what each may import', async () => {
    const folders = (await readdir('lib', { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const linted = await namesIn('eslint.rooms.mjs', /^ {2}room\('([^']+)'/gm);
    const described = await namesIn('CONTRIBUTING.md', /^\| `lib\/([\w/-]+)` \|/gm);
    expect(linted).toEqual(expect.arrayContaining([...folders, ...described]));
    // lib/rest is the services that lead through its rooms.
    expect(described).toEqual(linted.filter((name) => name !== 'rest'));
  });
});
