import { readFileSync } from 'node:fs';
import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};

/** The TypeScript snippets of a page, in order. */
export function snippetsOf(page: string): readonly string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^ *```ts\n([\s\S]*?)^ *```$/gm)].map(([, code = '']) => code);
}

/**
 * Runs a snippet unchanged. `names` has the values of its imports, and of the names that the reader's application declares.
 *
 * @param result an expression over what the snippet declares
 */
export function runSnippet(code: string, names: Readonly<Record<string, unknown>>, result: string): unknown {
  const own = code
    .replaceAll(/^import (?:[^;]*);\n/gm, '')
    .replaceAll(/^export /gm, '')
    .replaceAll(/^ *…,\n/gm, '');
  const { outputText } = ts.transpileModule(`${own}\nreturn ${result};`, { compilerOptions: OPTIONS });
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a page of our own
  const run = new Function(...Object.keys(names), outputText) as (...given: readonly unknown[]) => unknown;
  return run(...Object.values(names));
}
