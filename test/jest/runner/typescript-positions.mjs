import { transformSync } from '@swc/core';
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { SWC_OPTIONS } from './swc-options.mjs';

/** A place in compiled TypeScript, as a stack names it. */
const PLACE = /(file:\/\/[^\s():?]+\.ts)(?:\?[^\s():]*)?:(\d+):(\d+)/g;

/** @type {Map<string, SourceMap | undefined>} */
const maps = new Map();

/**
 * Returns the same stack with positions in the TypeScript sources. Node does that, too, with source maps, which then take a sixth of the time of all tests. Here
 * they are made for the files of printed errors alone.
 *
 * @param {string} stack
 */
export function inTypeScript(stack) {
  return stack.replaceAll(PLACE, (place, url, line, column) => {
    const entry = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry?.originalLine === undefined) return place;
    return `${fileURLToPath(url)}:${String(entry.originalLine + 1)}:${String(entry.originalColumn + 1)}`;
  });
}

/**
 * Returns the same error, with such positions in its stack and in those of its causes.
 *
 * @param {unknown} error
 * @param {Set<unknown>} seen those on the way to it, since a cause may have itself as its cause
 */
export function withPlaces(error, seen = new Set()) {
  if (typeof error !== 'object' || error === null || seen.has(error)) return error;
  seen.add(error);
  const { stack, cause, errors = [], error: inner } = error;
  if (typeof stack === 'string') Reflect.set(error, 'stack', inTypeScript(stack));
  for (const one of [cause, inner, ...(Array.isArray(errors) ? errors : [])]) withPlaces(one, seen);
  return error;
}

/** @param {string} url */
function mapOf(url) {
  if (!maps.has(url)) maps.set(url, makeMap(fileURLToPath(url)));
  return maps.get(url);
}

/** @param {string} filename */
function makeMap(filename) {
  if (!existsSync(filename)) return undefined;
  const { map } = transformSync(readFileSync(filename, 'utf8'), { ...SWC_OPTIONS, filename, sourceMaps: true });
  return map === undefined ? undefined : new SourceMap(JSON.parse(map));
}
