import { transform } from '@swc/core';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SWC_OPTIONS } from './swc-options.mjs';

/** @type {{ pattern: RegExp, replacement: string }[]} */
let names = [];

/** @type {RegExp | undefined} */
let covered;

/** @type {import('istanbul-lib-instrument').Instrumenter | undefined} */
let instrumenter;

/**
 * @param {object} options
 * @param {[string, string][]} options.moduleNameMapper of Jest's configuration: patterns of module names with their paths, of which the first that matches applies
 * @param {RegExp} [options.covered] paths of the files whose coverage is collected
 */
export async function initialize(options) {
  names = options.moduleNameMapper.map(([pattern, replacement]) => ({ pattern: new RegExp(pattern), replacement }));
  ({ covered } = options);
  // Loading it takes time, and most runs collect no coverage.
  if (covered) instrumenter = (await import('istanbul-lib-instrument')).createInstrumenter({ esModules: true });
}

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
  const url = isOurs(context.parentURL) ? sourceOf(specifier, context.parentURL) : undefined;
  return url === undefined ? nextResolve(specifier, context).catch(throwing) : { url, format: 'module', shortCircuit: true };
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  // A URL with a query is a separate module: `database.ts?other`.
  if (!new URL(url).pathname.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const isCovered = covered?.test(filename) ?? false;
  const { code, map } = await transform(await readFile(filename, 'utf8'), { ...SWC_OPTIONS, filename, sourceMaps: isCovered });
  const source = isCovered ? instrumenter.instrumentSync(code, filename, JSON.parse(map)) : code;
  return { format: 'module', source, shortCircuit: true };
}

/**
 * Returns a module that throws the error of a module that was not found, e.g. an optional package of Nest. An error of the hook would leave the port of Node's
 * request open, which keeps the running test in memory (Node 20, `HooksProxy.makeAsyncRequest`).
 */
function throwing({ code, message }) {
  // Without the frames of a stack, which would keep that test too.
  const source = `throw Object.assign(Object.create(Error.prototype), ${JSON.stringify({ code, message })})`;
  return { url: `data:text/javascript,${encodeURIComponent(source)}`, format: 'module', shortCircuit: true };
}

function isOurs(url) {
  return url?.startsWith('file:') && !url.includes('/node_modules/');
}

/** The file of TypeScript that a module's name means, if it means one. */
function sourceOf(specifier, parentURL) {
  const name = names.find(({ pattern }) => pattern.test(specifier));
  if (name === undefined) return undefined;
  const path = specifier.replace(name.pattern, name.replacement);
  const { href } = path.startsWith('.') ? new URL(path, parentURL) : pathToFileURL(path);
  const source = href.endsWith('.ts') ? href : `${href}.ts`;
  return existsSync(fileURLToPath(source)) ? source : undefined;
}

const GLOBALS = new URL('globals.mjs', import.meta.url).href;
