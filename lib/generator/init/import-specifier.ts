import { dirname } from 'node:path';
import type { SourceFile } from './source-files.js';
import { pathFrom, type Project } from './project.js';

/** How relative imports of a project end: with `.js` or `.ts`, or with the bare name. */
export type ImportExtension = '' | '.js' | '.ts';

/** Told from the relative imports of a file; without any, from what Node asks of the project. */
export function importExtensionOf({ text }: SourceFile, { packageJson }: Project): ImportExtension {
  const [, specifier] = /\bfrom\s+['"](\.{1,2}\/[^'"]+)['"]/.exec(text) ?? [];
  if (specifier === undefined) return packageJson.type === 'module' ? '.js' : '';
  if (specifier.endsWith('.js')) return '.js';
  return specifier.endsWith('.ts') ? '.ts' : '';
}

/** What a file writes between quotes to import another one. */
export function importSpecifier(from: string, to: string, extension: ImportExtension): string {
  const path = pathFrom(dirname(from), to).replace(/\.ts$/, extension);
  return escapeQuotes(path.startsWith('.') ? path : `./${path}`);
}

/** A text as a string literal has it between quotes of any kind. */
function escapeQuotes(text: string): string {
  return text.replaceAll(/[\\'"`]/g, '\\$&');
}
