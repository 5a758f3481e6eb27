import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../files.js';
import type ts from 'typescript';

/** A source file of the project. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const SKIPPED = /(?:^|[\\/])(?:node_modules|dist)(?:[\\/]|$)|\.d\.ts$|[.-](?:spec|test)\.ts$/;

/** Reads the TypeScript files of a folder and its folders, in the order of their names; tests are left out. */
export async function readSourceFiles(folder: string): Promise<readonly SourceFile[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sources = names.filter((name) => /\.[cm]?ts$/.test(name) && !SKIPPED.test(name)).sort();
  const paths = sources.map((name) => join(folder, name));
  const texts = await Promise.all(paths.map(readTextFile));
  // A link that leads nowhere is no file.
  return paths.flatMap((path, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ path, text }];
  });
}

/** The API of the project's own TypeScript compiler: `init` parses with it, so this package needs none at run time. */
export type TypeScript = typeof ts;

/** Parses a file; parents are set, so that nodes know their own text. */
export function parseSource(text: string, { createSourceFile, ScriptTarget }: TypeScript): ts.SourceFile {
  return createSourceFile('file.ts', text, ScriptTarget.Latest, true);
}

/** Text to insert at a place of a source file. */
export interface TextEdit {
  readonly at: number;
  readonly text: string;
}

/** Applies edits to a text; what they do not insert stays as it is. Edits at the same place keep their order. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  const ordered = edits.toSorted((a, b) => a.at - b.at);
  const starts = [0, ...ordered.map(({ at }) => at)];
  return starts.map((start, index) => (ordered[index - 1]?.text ?? '') + source.slice(start, ordered[index]?.at)).join('');
}

/** The line ending that a text uses. */
export function lineEndingOf(source: string): string {
  return source.includes('\r\n') ? '\r\n' : '\n';
}
