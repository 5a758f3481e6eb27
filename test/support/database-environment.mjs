import { PGlite } from '@electric-sql/pglite';
import { TestEnvironment } from 'jest-environment-node';
import { readFile } from 'node:fs/promises';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { judgeOfDocument, judgeBySchema } from './schema-judges.mjs';

/** Embedded databases of this worker that no test file has borrowed, by the file of the dump that they were loaded from. */
const idle = new Map();

/**
 * Node's environment, and `borrowPglite`: an embedded PostgreSQL that outlives the test file, because to boot one takes longer than most
 * files run. It lives, with its adapter, outside the realm that Jest makes for each file.
 */
export default class DatabaseEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.borrowPglite = borrowPglite;
    this.global.judgeOfDocument = judgeOfDocument;
    this.global.judgeBySchema = judgeBySchema;
    // The adapter knows a date by its class, of which each realm has its own.
    this.global.Date = Date;
  }

  async teardown() {
    // Or Jest would clean up what hangs on them.
    delete this.global.borrowPglite;
    delete this.global.judgeOfDocument;
    delete this.global.judgeBySchema;
    await super.teardown();
  }
}

/**
 * @param {string} dump path of a tar file
 * @returns {Promise<import('./pglite-database.js').BorrowedPglite>}
 */
async function borrowPglite(dump) {
  const pglite = idle.get(dump)?.pop() ?? (await PGlite.create({ loadDataDir: new Blob([await readFile(dump)]) }));
  return {
    adapter: new PrismaPGlite(pglite),
    giveBack: async () => {
      await pglite.query('DISCARD ALL');
      idle.set(dump, [...(idle.get(dump) ?? []), pglite]);
    },
  };
}

// PostgreSQL sets itself a timer when it falls idle, to write its statistics after 10 s: no reason to keep a worker from ending.
globalThis.setTimeout = new Proxy(setTimeout, {
  apply(start, _, timer) {
    const timeout = start(...timer);
    return timer[0].toString().includes('__emscripten_timeout') ? timeout.unref() : timeout;
  },
});
