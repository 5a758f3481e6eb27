import { existsSync, readFileSync } from 'node:fs';

const PAGE = new URL('../../../docs/security.md', import.meta.url);
const text = readFileSync(PAGE, 'utf8');

/** The rows of the table: number, and the files that its last cell names. */
const rows = [...text.matchAll(/^\| (\d+) \|.*\|([^|]*)\|$/gm)].map(([, number, cell = '']) => ({
  number: Number(number),
  files: filesIn(cell),
}));

describe('docs/security.md', () => {
  it('lists every security case once, in order', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 28 }, (_, index) => index + 1));
  });

  it.each(rows)('names tests of row $number that carry its number', ({ number, files }) => {
    expect(files.length).toBeGreaterThan(0);
    const own = files.filter(({ pathname }) => pathname.includes('/e2e/security/'));
    const named = new RegExp(`row\\(\\s*${number},|['"\`]${number}\\. `);
    expect(own.filter((file) => !named.test(readFileSync(file, 'utf8')))).toEqual([]);
    expect(own).not.toEqual([]);
  });

  it('names files that exist', () => {
    expect(filesIn(text).length).toBeGreaterThan(28);
    expect(filesIn(text).filter((file) => !existsSync(file))).toEqual([]);
  });
});

function filesIn(part: string): readonly URL[] {
  return [...part.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => new URL(`../${path}`, PAGE));
}
