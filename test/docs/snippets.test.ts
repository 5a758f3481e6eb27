import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { long } from '../support/long.js';
import { compileSnippets, type Snippet } from './compile-snippets.js';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) => name.endsWith('.md'));

/** The beginning of a table of contents. */
const CONTENTS = 'On this page: ';

const blocks = PAGES.flatMap((page) =>
  [...textOf(page).matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(({ index, 1: language = '', 2: text = '', input }) => ({
    place: `${page}:${input.slice(0, index).split('\n').length + 1}`,
    language,
    text,
  })),
);
/** The `@example` of docblocks, which editors show. */
const examples: readonly Snippet[] = ['lib/index.ts', 'lib/client/index.ts', 'lib/testing/index.ts'].flatMap((index) =>
  [...textOf(index).matchAll(/from '(.*)\.js'/g)].flatMap(([, path = '']) => examplesOf(join(dirname(index), `${path}.ts`))),
);
const typescript: readonly Snippet[] = [...blocks.filter(({ language }) => language === 'ts'), ...examples];
const json = blocks.filter(({ language }) => language === 'json');

/** What must not compile, or the test would prove nothing. */
const WRONG: readonly Snippet[] = [
  { place: 'wrong:1', text: `ResourceApiModule.forRoot({ …, getclient: () => prisma });` },
  { place: 'wrong:1', text: `ResourceApiModule.forRoot({\n  …,\n  rest: { endpoint: 'http://localhost', pagesize: 10 },\n});` },
  { place: 'wrong:1', text: `resources: { User: { fields: { passwordhash: 'hidden' } } },\n` },
  { place: 'wrong:1', text: `limits: { maxTakes: 10 },\n` },
  { place: 'wrong:1', text: `import { describeSurfaces } from 'nestjs-resource-api';` },
  { place: 'wrong:1', text: `// src/api/api.module.ts\nimport { resourceSchema } from './generated/resource-schema.js';` },
  { place: 'wrong:1', text: `withRowLevelSecurity(prisma, { roles: 'blog_app' });` },
  { place: 'wrong:1', text: `await api.post.findMany({ where: { titel: 'x' } });` },
  { place: 'wrong:1', text: `await assertNoLeak(app, { model: 'User', field: 'passwordHash', header: {} });` },
];

describe('README.md, docs/*.md and docblocks', () => {
  it('have snippets', () => {
    expect(typescript.length).toBeGreaterThan(20);
    expect(examples.length).toBeGreaterThan(10);
    expect(json.length).toBeGreaterThan(2);
  });

  // A page may link to a file of the repository once `package.json` names one, by its address there.
  it.each([...PAGES, 'CHANGELOG.md'])('link to what the package ships: %s', (page) => {
    const links = linksOf(page).map((link) => join(dirname(page), link.split('#')[0] ?? ''));
    expect(links.filter((path) => !/^(?:docs(?:\/[\w-]+\.(?:md|png)|\/?)|README\.md|CHANGELOG\.md|\.)$/.test(path))).toEqual([]);
  });

  it('are all linked from the README', () => {
    const linked = new Set(linksOf('README.md').map((link) => link.split('#')[0]));
    expect(PAGES.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([]);
  });

  it('are packed', () => {
    const { files } = JSON.parse(textOf('package.json')) as { readonly files: readonly string[] };
    expect(files).toEqual(expect.arrayContaining(['docs/*.md', 'CHANGELOG.md']));
  });

  it.each(json)('have JSON at $place', ({ text }) => {
    expect(JSON.parse(text)).toEqual(expect.any(Object));
  });

  it.each(PAGES.filter((page) => page !== 'README.md' && (isLong(page) || textOf(page).includes(CONTENTS))))(
    'list their sections at the top: %s',
    (page) => {
      const [, , contents = ''] = textOf(page).split('\n');
      const sections = [...textOf(page).matchAll(/^## (.*)$/gm)].map(([, heading = '']) => `#${anchorOf(heading)}`);
      expect(contents.startsWith(CONTENTS)).toBe(true);
      expect([...contents.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link)).toEqual(sections);
    },
  );

  it.each([...PAGES, 'CHANGELOG.md'])('link to existing pages and sections: %s', (page) => {
    expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });
});

describe('CHANGELOG.md', () => {
  it('has one short line for each entry', () => {
    const lines = textOf('CHANGELOG.md').split('\n');
    expect(lines.filter((line) => line.length > 120 || /^\s+\S/.test(line))).toEqual([]);
  });
});

long.describe('the TypeScript of README.md, docs/*.md and docblocks', () => {
  let problems: ReturnType<typeof compileSnippets>;
  beforeAll(() => {
    problems = compileSnippets([...typescript, ...WRONG]);
  }, 120_000);

  it.each(typescript)('compiles at $place', (snippet) => {
    expect(problems.get(snippet)).toEqual([]);
  });

  it.each(WRONG)('does not compile with the mistake $text', (snippet) => {
    expect(problems.get(snippet)).toEqual([
      expect.stringMatching(/^wrong:\d: .*(?:does not exist|has no exported member|Cannot find module)/),
    ]);
  });
});

function examplesOf(file: string): readonly Snippet[] {
  return [...textOf(file).matchAll(/^ *\* @example\n((?: *\*(?: .*)?\n)+?) *\*\//gm)].map(({ index, 1: text = '', input }) => ({
    place: `${file}:${input.slice(0, index).split('\n').length + 1}`,
    text: text.replaceAll(/^ *\* ?/gm, ''),
  }));
}

function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

function linksOf(page: string): readonly string[] {
  return [...textOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)|^\[[^\]]+\]: (?!https?:)(\S+)/gm)].map(
    ([, link, defined]) => link ?? defined ?? '',
  );
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  return existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).includes(anchor));
}

/** As GitHub makes them of headings. */
function anchorsOf(page: string): readonly string[] {
  const headings = [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map(anchorOf);
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Whether a page needs a table of contents. */
function isLong(page: string): boolean {
  return textOf(page).split('\n').length > 150;
}
