import { readFileSync } from 'node:fs';

const PAGE = readFileSync('docs/quick-start.md', 'utf8');

/** A file in a page. */
export interface PageFile {
  readonly path: string;
  readonly text: string;
}

/** Returns the text below a heading of the quick start, without its subsections. */
export function quickStart(heading: string): string {
  return sectionOf(PAGE, heading);
}

/** The text below a heading of the second or third level. */
export function sectionOf(page: string, heading: string): string {
  const section = page.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`There is no section '${heading}'.`);
  return section;
}

/** The code blocks of a language, without the indentation of the list that they are in. */
export function blocksOf(section: string, language: string): readonly string[] {
  const blocks = section.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'));
  return [...blocks].map(([, indentation = '', text = '']) => text.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''));
}

/** Returns the blocks whose first line is a comment with the name of their file. */
export function filesOf(section: string): readonly PageFile[] {
  return ['prisma', 'ini', 'jsonc', 'ts']
    .flatMap((language) => blocksOf(section, language))
    .flatMap((block) => {
      const [, path, text = ''] = /^(?:\/\/|#) (\S+)\n([\s\S]*)$/.exec(block) ?? [];
      return path === undefined ? [] : [{ path, text }];
    });
}

/** Returns the rows of a table "instead of | write", each as its two texts in code. A word beside the code names the place. */
export function replacementsOf(section: string): readonly (readonly [instead: string, write: string])[] {
  const rows = section.matchAll(/^\| `([^`]+)`[^|]*\| `([^`]+)`[^|]*\|$/gm);
  return [...rows].map(([, instead = '', write = '']) => [instead, write] as const);
}
