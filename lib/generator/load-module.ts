import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { version } from 'node:process';
import { pathToFileURL } from 'node:url';
import type * as TypeScript from 'typescript';
import { codeOf, messageOf } from './error-text.js';

/**
 * An export of a module; undefined where it has none of the name. Where Node reads no TypeScript, the compiler of the project does, if it has one.
 *
 * @throws Error where the module cannot be loaded
 */
export async function loadExport(file: string, name: string): Promise<unknown> {
  const module = await importFile(file);
  // CommonJS whose names Node could not detect has them under `default` only.
  return module[name] ?? (module['default'] as Exports | undefined)?.[name];
}

type Exports = Readonly<Record<string, unknown>>;

async function importFile(file: string): Promise<Exports> {
  const path = resolve(file);
  try {
    return (await import(pathToFileURL(path).href)) as Exports;
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_UNKNOWN_FILE_EXTENSION') throw unloadable(file, cause);
    return importTypeScript(file, path);
  }
}

/** One file: what it imports at run time has to be found from nowhere, so that it may import types and packages' types alone. */
async function importTypeScript(file: string, path: string): Promise<Exports> {
  try {
    const typescript = createRequire(path)('typescript') as typeof TypeScript;
    const compilerOptions = { module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2022 };
    const { outputText } = typescript.transpileModule(await readFile(path, 'utf8'), { compilerOptions });
    return (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as Exports;
  } catch (cause) {
    throw unloadable(file, cause, ` Node ${version} reads no TypeScript: name the compiled file, or set NODE_OPTIONS='--import tsx'.`);
  }
}

function unloadable(file: string, cause: unknown, remedy = ''): Error {
  return new Error(`${file} cannot be loaded.${remedy} (${messageOf(cause)})`, { cause });
}
