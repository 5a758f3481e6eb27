import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DEFAULT_LIMITS } from '../../lib/index.js';
import { compileSnippets, type Snippet } from './compile-snippets.js';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) => name.endsWith('.md'));

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
  { place: 'wrong:1', text: `withRowLevelSecurity(prisma, { roles: 'blog_app' });` },
  { place: 'wrong:1', text: `await api.post.findMany({ where: { titel: 'x' } });` },
  { place: 'wrong:1', text: `await assertNoLeak(app, { model: 'User', field: 'passwordHash', header: {} });` },
];

/** One that is there for each row of README's table of options: `rest.pageSize` and the like. */
const options: readonly Snippet[] = [...tableAfter('README.md', '### Options').matchAll(/`([a-zA-Z.]+)`(?=[^|\n]*\|[^|\n]*\|[^|\n]*\|$)/gm)]
  .map(([, name = '']) => name.split('.'))
  .map((path) => ({ place: `${path.join('.')}:1`, text: `declare const options: ${typeOf(path)};\nexport { options };` }));

const problems = compileSnippets([...typescript, ...WRONG, ...options]);

describe('README.md, docs/*.md and docblocks', () => {
  it('have snippets', () => {
    expect(typescript.length).toBeGreaterThan(20);
    expect(examples.length).toBeGreaterThan(10);
    expect(json.length).toBeGreaterThan(2);
    expect(options.length).toBeGreaterThan(15);
  });

  it.each(typescript)('have TypeScript that compiles at $place', (snippet) => {
    expect(problems.get(snippet)).toEqual([]);
  });

  it.each(json)('have JSON at $place', ({ text }) => {
    expect(JSON.parse(text)).toEqual(expect.any(Object));
  });

  it.each(PAGES)('link to what there is: %s', (page) => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });

  it.each(options)('name options that exist: $place', (snippet) => {
    expect(problems.get(snippet)).toEqual([]);
  });

  it('tell the defaults of all limits', () => {
    const rows = [...tableAfter('docs/hosting.md', '## Limits').matchAll(/^\| `(\w+)` \| `?([\w,']+)`? \|/gm)];
    const told = rows.map(([, name = '', value = '']) => [
      name,
      /^\d/.test(value) ? Number(value.replace(',', '')) : value.replaceAll("'", ''),
    ]);
    expect(Object.fromEntries(told)).toEqual(DEFAULT_LIMITS);
  });
});

describe('the test of the snippets', () => {
  it.each(WRONG)('refuses $text', (snippet) => {
    expect(problems.get(snippet)).toEqual([expect.stringMatching(/^wrong:\d: .*(?:does not exist|has no exported member)/)]);
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

function tableAfter(page: string, heading: string): string {
  const [, after = ''] = textOf(page).split(`${heading}\n`);
  return /^\|[\s\S]*?\n(?!\|)/m.exec(after)?.[0] ?? '';
}

function typeOf(path: readonly string[]): string {
  return path.reduce((type, name) => `Exclude<${type}, boolean | undefined>['${name}']`, 'ResourceApiOptions');
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  return existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).includes(anchor));
}

/** As GitHub makes them of headings. */
function anchorsOf(page: string): readonly string[] {
  const headings = [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
