import type { PGlite } from '@electric-sql/pglite';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AdapterFactory } from './logged-adapter.js';

const CACHE = new URL('../../node_modules/.cache/nestjs-resource-api/test-database/', import.meta.url);

/** A seeded database, and how to be rid of it. */
export interface OpenDatabase {
  readonly adapter: AdapterFactory;
  /** Where further connections lead to it, if it is on a server. */
  readonly connectionString?: string;
  readonly close: () => Promise<void>;
}

/** What an embedded database holds at first. */
export interface PgliteTemplate {
  readonly name: string;
  /** Of the content: a dump of another version is out of date. */
  readonly version: string;
  readonly build: (pglite: PGlite) => Promise<void>;
}

/** An embedded database for one test file, as the template has it but for the rows: bring them back first. */
export interface BorrowedPglite {
  readonly adapter: AdapterFactory;
  readonly giveBack: () => Promise<void>;
}

/** From `test/jest/runner/globals.mjs`: `pglite-pool.mjs`. */
declare const borrowPglite: (dump: string) => Promise<BorrowedPglite>;
declare const startPglite: (dump?: string) => Promise<PGlite>;

/** Of a database without tables, with which every dump begins. */
const EMPTY = new URL('empty.tar', CACHE);

/**
 * Opens an embedded PostgreSQL: loaded from a dump of the template, or left by another test file of this worker that has written rows at most.
 * The first caller writes the dump.
 */
export async function openPglite(template: PgliteTemplate): Promise<OpenDatabase> {
  const dump = new URL(`${template.name}-${template.version}.tar`, CACHE);
  if (!existsSync(dump)) await writeDump(template, dump);
  const { adapter, giveBack } = await borrowPglite(fileURLToPath(dump));
  return { adapter, close: giveBack };
}

/** Takes the place of older dumps. */
async function writeDump({ name, build }: PgliteTemplate, place: URL): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  if (!existsSync(EMPTY)) await dumpTo(EMPTY, await startPglite());
  const pglite = await startPglite(fileURLToPath(EMPTY));
  await build(pglite);
  await removeOlderDumps(name);
  await dumpTo(place, pglite);
}

/** Written aside and renamed, so that two workers at once do no harm. */
async function dumpTo(place: URL, pglite: PGlite): Promise<void> {
  // Without it, each loaded database would first replay the write-ahead log.
  await pglite.exec('CHECKPOINT');
  const dump = await pglite.dumpDataDir('none');
  await pglite.close();
  const unfinished = new URL(`${randomUUID()}.tmp`, CACHE);
  await writeFile(unfinished, new Uint8Array(await dump.arrayBuffer()));
  await rename(unfinished, place);
}

async function removeOlderDumps(name: string): Promise<void> {
  const older = (await readdir(CACHE)).filter((file) => file.startsWith(`${name}-`));
  await Promise.all(older.map((file) => rm(new URL(file, CACHE), { force: true })));
}
