import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire, type InitializeHook, type LoadHook, type ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as TypeScript from 'typescript';

/** Suffix of the URLs of modules that the project's TypeScript compiler compiles. */
export const COMPILED = '?typescript';

let typescript: typeof TypeScript;

/** Loads the TypeScript compiler that a module of the project resolves. */
export const initialize: InitializeHook<string> = (path) => {
  typescript = createRequire(path)('typescript') as typeof TypeScript;
};

/** Resolves a relative import as the compiler does: `./user.dto.js` and `./user.dto` are `./user.dto.ts`. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  const { parentURL = '' } = context;
  if (!specifier.startsWith('.') || !parentURL.endsWith(COMPILED)) return next(specifier, context);
  const urls = sourcesOf(specifier).map((name) => new URL(name, parentURL));
  const source = urls.find((url) => existsSync(url));
  return source ? { url: source.href + COMPILED, format: 'module', shortCircuit: true } : next(specifier, context);
};

/** Compiles a source of the project, including the decorators of DTO classes. */
export const load: LoadHook = async (url, context, next) => {
  if (!url.endsWith(COMPILED)) return next(url, context);
  const fileName = fileURLToPath(url.slice(0, -COMPILED.length));
  const { ESNext } = typescript.ModuleKind;
  const compilerOptions = { module: ESNext, target: typescript.ScriptTarget.ES2022, experimentalDecorators: true };
  const { outputText } = typescript.transpileModule(await readFile(fileName, 'utf8'), { compilerOptions, fileName });
  return { format: 'module', source: outputText, shortCircuit: true };
};

function sourcesOf(specifier: string): readonly string[] {
  if (/\.[cm]?ts$/.test(specifier)) return [specifier];
  const [, stem = specifier, ending = ''] = /^(.*)\.([cm]?)js$/.exec(specifier) ?? [];
  return [`${stem}.${ending}ts`, `${specifier}.ts`, `${specifier}/index.ts`];
}
