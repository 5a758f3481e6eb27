import { dirname, join } from 'node:path';
import { lineEndingOf } from './source-files.js';

/** One file of a Prisma schema. */
export interface SchemaFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** A generator or datasource block of a Prisma schema. */
export interface PrismaBlock {
  readonly kind: string;
  readonly name: string;
  readonly file: SchemaFile;
  /** Its settings that are string literals, by name. */
  readonly settings: ReadonlyMap<string, string>;
  /** Where the block ends in its file. */
  readonly end: number;
}

/** A block as Prisma writes it: its brace ends it on a line of its own. */
const BLOCK = /^[ \t]*(generator|datasource)[ \t]+(\w+)[ \t]*\{([\s\S]*?)^[ \t]*\}/gm;
const SETTING = /^[ \t]*(\w+)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"/gm;

/** The generators and datasources of a schema, in the order of its files. */
export function findBlocks(files: readonly SchemaFile[]): readonly PrismaBlock[] {
  return files.flatMap((file) =>
    Array.from(file.text.matchAll(BLOCK), (match): PrismaBlock => {
      const [text, kind = '', name = '', body = ''] = match;
      const settings = new Map(Array.from(body.matchAll(SETTING), ([, setting = '', value = '']) => [setting, value]));
      return { kind, name, file, settings, end: match.index + text.length };
    }),
  );
}

/** The generator of this package, where the schema has it; its program may be named by its path. */
export function findOwnGenerator(files: readonly SchemaFile[]): PrismaBlock | undefined {
  return findBlocks(files).find(
    ({ kind, settings }) => kind === 'generator' && /nestjs-resource-api|generator\/bin\.js/.test(settings.get('provider') ?? ''),
  );
}

/** The file that a generator of this package writes, from its `output`. */
export function outputOf({ file, settings }: PrismaBlock): string {
  const output = join(dirname(file.path), settings.get('output') ?? 'generated');
  return /\.[cm]?ts$/.test(output) ? output : join(output, 'resource-schema.ts');
}

/**
 * Adds the generator of this package: behind the other generators, else in front of the datasource, else at the end.
 *
 * @param output tells its `output`, as seen from the file that the block is added to
 * @returns that file with its new text
 */
export function addGenerator(files: readonly [SchemaFile, ...SchemaFile[]], output: (file: SchemaFile) => string): SchemaFile {
  const blocks = findBlocks(files);
  const last = blocks.findLast(({ kind }) => kind === 'generator');
  const { file, end } = last ?? { file: blocks[0]?.file ?? files[0], end: undefined };
  const block = `generator resourceApi {\n  provider = "nestjs-resource-api"\n  output   = "${output(file).replaceAll(/[\\"]/g, '\\$&')}"\n}`;
  const added = block.replaceAll('\n', lineEndingOf(file.text));
  return { path: file.path, text: end === undefined ? atEnd(file.text, added) : insertAt(file.text, end, added) };
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
