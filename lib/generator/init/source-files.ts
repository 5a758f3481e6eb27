import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../files.js';
import type ts from 'typescript';

/** A source file of the project. */
export interface SourceFile {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
}

const SKIPPED = /(?:^|[\\/])(?:node_modules|dist)(?:[\\/]|$)|\.d\.ts$|[.-](?:spec|test)\.ts$/;

/** Reads the TypeScript files of a folder and its subfolders, sorted by name, without tests. */
export async function readSourceFiles(folder: string): Promise<readonly SourceFile[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sources = names.filter((name) => /\.[cm]?ts$/.test(name) && !SKIPPED.test(name)).sort();
  const paths = sources.map((name) => join(folder, name));
  const texts = await Promise.all(paths.map(readTextFile));
  // Broken links are skipped.
  return paths.flatMap((path, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ path, text }];
  });
}

/** The API of the project's TypeScript compiler. `init` parses with it, so this package does not depend on TypeScript at run time. */
export type TypeScript = typeof ts;

/** Parses a file with parent nodes, so that `getText()` works. */
export function parseSource(text: string, { createSourceFile, ScriptTarget }: TypeScript): ts.SourceFile {
  return createSourceFile('file.ts', text, ScriptTarget.Latest, true);
}

/** A file that `init` creates or changes. */
export interface FileChange {
  /** Absolute path. */
  readonly path: string;
  /** `undefined` for a new file. */
  readonly before?: string;
  readonly after: string;
  /** Purpose of the change, in a few words. */
  readonly summary: string;
}

/** Text to insert at a position of a source file. */
export interface TextEdit {
  readonly at: number;
  readonly text: string;
}

/** Inserts edits into a text. Edits at the same position keep their order. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  const ordered = edits.toSorted((a, b) => a.at - b.at);
  const starts = [0, ...ordered.map(({ at }) => at)];
  return starts.map((start, index) => (ordered[index - 1]?.text ?? '') + source.slice(start, ordered[index]?.at)).join('');
}

/** Returns the line ending of a text. */
export function lineEndingOf(source: string): string {
  return source.includes('\r\n') ? '\r\n' : '\n';
}
