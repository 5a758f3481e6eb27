import type ts from 'typescript';

/** The API of the project's own TypeScript compiler: `init` parses with it, so this package needs none at run time. */
export type TypeScript = typeof ts;

/** Parses a file; parents are set, so that nodes know their own text. */
export function parseSource(text: string, { createSourceFile, ScriptTarget }: TypeScript): ts.SourceFile {
  return createSourceFile('file.ts', text, ScriptTarget.Latest, true);
}
