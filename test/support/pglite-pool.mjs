import { PGlite } from '@electric-sql/pglite';
import { readFile } from 'node:fs/promises';
import { PrismaPGlite } from 'pglite-prisma-adapter';

/** Embedded databases of this worker that no test file has borrowed, as their dump has them, by the file of the dump. */
const idle = new Map();

/**
 * Returns an embedded PostgreSQL that outlives the test file, because loading one takes longer than many files run. It has the state of the dump, but for the
 * rows of the schema `public`, which each file restores. A database that a file has changed in anything else is not used again.
 *
 * @param {string} dump path of a tar file
 * @returns {Promise<import('./pglite-database.js').BorrowedPglite>}
 */
export async function borrowPglite(dump) {
  const database = idle.get(dump)?.pop() ?? (await load(dump));
  const watched = new WatchedPglite(database.pglite);
  return {
    adapter: new PrismaPGlite(watched.client),
    giveBack: async () => {
      if (!watched.mayHaveLeftSettings && (await isUntouched(database))) idle.set(dump, [...(idle.get(dump) ?? []), database]);
      else await database.pglite.close();
    },
  };
}

async function load(dump) {
  const pglite = await startPglite(dump);
  // Its settings are in force from its first use on.
  await pglite.exec(`LOAD 'plpgsql'`);
  await endSession(pglite);
  return { pglite, state: await stateOf(pglite) };
}

/**
 * An embedded PostgreSQL as a dump has it, or an empty one, which takes five times as long.
 *
 * @param {string | undefined} dump path of a tar file
 */
export async function startPglite(dump) {
  const bytes = dump && (await readFile(dump));
  return PGlite.create({
    startParams: [...PGlite.defaultStartParams, ...SMALL],
    // The only method of a blob that PGlite calls. Node's `Blob` returns its bytes in small pieces, which takes as long as starting the database.
    ...(bytes && { loadDataDir: { type: '', arrayBuffer: async () => bytes } }),
  });
}

/** PostgreSQL clears all of its buffers when it starts: 128 MB, of which the tests need few. */
const SMALL = ['-c', 'shared_buffers=16MB'];

async function isUntouched({ pglite, state }) {
  await endSession(pglite);
  return (await stateOf(pglite)) === state;
}

/** What the end of a connection would do: the transaction, the role, settings, prepared statements, locks. */
async function endSession(pglite) {
  await pglite.exec('ROLLBACK');
  await pglite.exec('DISCARD ALL');
}

/**
 * All that the server keeps but for rows of `public`: tables, columns, functions, policies, privileges, roles and their settings (all of them rows of the system's catalogs), the
 * copies of the seed, `ALTER SYSTEM`, and what settings are in force. A row that was written has another place or another transaction, even if it reads as before.
 */
async function stateOf(pglite) {
  const { rows: tables } = await pglite.query(`SELECT oid::regclass::text AS name FROM pg_class
    WHERE relkind IN ('r', 'm') AND relnamespace NOT IN ('public'::regnamespace, 'pg_toast'::regnamespace) ORDER BY 1`);
  const { rows } = await pglite.query(
    [
      ...tables.map(
        ({ name }) => `SELECT '${name.replaceAll("'", "''")}', count(*), sum(hashtext(ctid::text || xmin::text)::bigint) FROM ${name}`,
      ),
      `SELECT 'settings in force', count(*), sum(hashtext(concat(name, '=', setting))::bigint) FROM pg_settings`,
      `SELECT 'ALTER SYSTEM', 1, hashtext(pg_read_file('postgresql.auto.conf'))`,
    ].join(' UNION ALL '),
  );
  return JSON.stringify(rows.map((row) => Object.values(row).map(String)));
}

/**
 * Reads the statements of a client. A session can neither remove nor list a custom setting (`app.user_id`): it stays '' and is no longer NULL. So each
 * statement that might set one counts as one that did.
 */
class WatchedPglite {
  mayHaveLeftSettings = false;

  constructor(pglite) {
    this.client = this.#watch(pglite);
  }

  /** A PGlite, or an open transaction of it. */
  #watch(target) {
    return new Proxy(target, {
      get: (_, property) => {
        const value = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        if (property === 'transaction') return (work) => value.call(target, (open) => work(this.#watch(open)));
        return (...values) => {
          if (!isHarmless(property, values[0])) this.mayHaveLeftSettings = true;
          return value.apply(target, values);
        };
      },
    });
  }
}

function isHarmless(method, sql) {
  if (method === 'rollback') return true;
  if (!['query', 'exec'].includes(method)) return false;
  return HARMLESS.test(sql) && !SETS_OTHER_THAN_ITS_TIME.test(sql);
}

const HARMLESS = /^\s*(?:select|insert|update|delete|with|begin|commit|rollback|savepoint|release|start transaction|set transaction)\b/i;

const SETS_OTHER_THAN_ITS_TIME = /\bset_config\s*\((?!'statement_timeout')|;\s*\S/i;

// PostgreSQL sets itself a timer when it falls idle, to write its statistics after 10 s: no reason to keep a worker from ending.
globalThis.setTimeout = new Proxy(setTimeout, {
  apply(start, _, timer) {
    const timeout = start(...timer);
    return timer[0].toString().includes('__emscripten_timeout') ? timeout.unref() : timeout;
  },
});
