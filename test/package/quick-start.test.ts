import { readFileSync } from 'node:fs';
import { describeQuickStart } from './support/describe-quick-start.js';
import { blocksOf, filesOf, quickStart, sectionOf } from './support/quick-start-page.js';

describeQuickStart(12, 'SQLite');

describe('the page of the quick start', () => {
  const init = quickStart('With `init`');

  it('has less than 30 lines of code, including the models', () => {
    const [docs = ''] = blocksOf(init, 'ts');
    const added = docs.split('\n').filter((line) => /^import |^await /.test(line));
    const lines = [...filesOf(quickStart('From an empty folder')).flatMap(({ text }) => text.split('\n')), ...added];
    const own = lines.filter((line) => line.trim() !== '');
    expect(own.length).toBeGreaterThan(10);
    expect(own.length).toBeLessThan(30);
  });

  it('has the commands and the line of the README', () => {
    const readme = sectionOf(readFileSync('README.md', 'utf8'), 'Quick start');
    expect(blocksOf(readme, 'sh')[0]).toBe(blocksOf(init, 'sh')[0]);
    const line = /^await ResourceApiModule\.setupDocs.*$/m;
    expect(line.exec(readme)?.[0]).toBe(line.exec(init)?.[0]);
  });

  it.each(['README.md', 'docs/quick-start.md', 'docs/command-line.md', 'docs/openapi.md'])(
    'has versions in install commands: %s',
    (page) => {
      const commands = [...readFileSync(page, 'utf8').matchAll(/^ *(?:npm install|npx @nestjs\/cli).*$/gm)].map(([line]) => line);
      const names = commands.flatMap((line) => line.trim().split(' ')).filter((name) => /^(?:prisma|@prisma\/|@nestjs\/)/.test(name));
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !/.@\d+$/.test(name) && name !== '@prisma/prisma7')).toEqual([]);
    },
  );
});
