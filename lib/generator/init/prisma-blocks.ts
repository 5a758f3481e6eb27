import { dirname, join } from 'node:path';
import { lineEndingOf } from './source-files.js';

/** One file of a Prisma schema. */
export interface SchemaFile {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
}

/** A generator or datasource block of a Prisma schema. */
export interface PrismaBlock {
  readonly kind: string;
  readonly name: string;
  readonly file: SchemaFile;
  /** Its settings with string literals, by name. */
  readonly settings: ReadonlyMap<string, string>;
  /** Offset of the block's end in its file. */
  readonly end: number;
}

/** Matches a block as Prisma formats it: the closing brace is on a separate line. */
const BLOCK = /^[ \t]*(generator|datasource)[ \t]+(\w+)[ \t]*\{([\s\S]*?)^[ \t]*\}/gm;
const SETTING = /^[ \t]*(\w+)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"/gm;

/** Returns the generators and datasources of a schema, in the order of its files. */
export function findBlocks(files: readonly SchemaFile[]): readonly PrismaBlock[] {
  return files.flatMap((file) =>
    Array.from(file.text.matchAll(BLOCK), (match): PrismaBlock => {
      const [text, kind = '', name = '', body = ''] = match;
      const settings = new Map(Array.from(body.matchAll(SETTING), ([, setting = '', value = '']) => [setting, value]));
      return { kind, name, file, settings, end: match.index + text.length };
    }),
  );
}

/** Returns this package's generator, if the schema has it. Its provider may be the path of the program. */
export function findOwnGenerator(files: readonly SchemaFile[]): PrismaBlock | undefined {
  return findBlocks(files).find(
    ({ kind, settings }) => kind === 'generator' && /nestjs-resource-api|generator\/bin\.js/.test(settings.get('provider') ?? ''),
  );
}

/** Returns the file that this package's generator writes, from its `output`. */
export function outputOf({ file, settings }: PrismaBlock): string {
  const output = join(dirname(file.path), settings.get('output') ?? 'generated');
  return /\.[cm]?ts$/.test(output) ? output : join(output, 'resource-schema.ts');
}

/**
 * Adds this package's generator: after the other generators, otherwise before the datasource, otherwise at the end.
 *
 * @param output returns the setting `output`, relative to the file that the block is added to
 * @returns all files
 */
export function addGenerator(files: readonly SchemaFile[], output: (file: SchemaFile) => string): readonly SchemaFile[] {
  const blocks = findBlocks(files);
  const last = blocks.findLast(({ kind }) => kind === 'generator');
  const place = last?.file ?? blocks[0]?.file ?? files[0];
  return files.map((file) => {
    if (file !== place) return file;
    const block = `generator resourceApi {\n  provider = "nestjs-resource-api"\n  output   = "${output(file).replaceAll(/[\\"]/g, '\\$&')}"\n}`;
    const added = block.replaceAll('\n', lineEndingOf(file.text));
    return { ...file, text: last ? insertAt(file.text, last.end, added) : atEnd(file.text, added) };
  });
}

/** Adds settings at the end of a block. The rest of its file does not change. */
export function addSettings(
  files: readonly SchemaFile[],
  { file, end }: PrismaBlock,
  settings: readonly (readonly [name: string, value: string])[],
): readonly SchemaFile[] {
  const newLine = lineEndingOf(file.text);
  const width = Math.max(...settings.map(([name]) => name.length));
  const lines = settings.map(([name, value]) => `  ${name.padEnd(width)} = ${JSON.stringify(value)}${newLine}`);
  const brace = file.text.lastIndexOf('\n', end - 1) + 1;
  const text = file.text.slice(0, brace) + lines.join('') + file.text.slice(brace);
  return files.map((each) => (each.path === file.path ? { ...each, text } : each));
}

function insertAt(text: string, end: number, block: string): string {
  const newLine = lineEndingOf(text);
  return `${text.slice(0, end)}${newLine}${newLine}${block}${text.slice(end)}`;
}

function atEnd(text: string, block: string): string {
  const newLine = lineEndingOf(text);
  const start = text.trimEnd();
  return `${start}${start === '' ? '' : newLine + newLine}${block}${newLine}`;
}
