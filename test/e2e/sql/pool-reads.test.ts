import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import type { Step } from '../../../lib/sql/pipeline.js';
import { PoolConnection } from '../../../lib/sql/pool-connection.js';
import { PoolReads, type TimedStatement } from '../../../lib/sql/pool-reads.js';
import type { SqlConnection } from '../../../lib/sql/sql-pool.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { SERVER_URL } from '../policy/engines.js';

const LOCK = 830_112;

onDatabases('postgresql-server').describe('reads of one connection of node-postgres', () => {
  let pool: Pool;
  let watcher: Pool;
  let reads: PoolReads;

  beforeAll(() => {
    watcher = new Pool({ connectionString: SERVER_URL, max: 1 });
  });
  beforeEach(() => {
    pool = new Pool({ connectionString: SERVER_URL, max: 1 });
    reads = new PoolReads(pool);
  });
  afterEach(() => pool.end());
  afterAll(() => watcher.end());

  /** The cells of the only row. */
  const read = async (text: string, more: Partial<TimedStatement> = {}): Promise<readonly unknown[]> => {
    const [row] = await reads.read({ text, values: [], timeout: undefined, ...more });
    return row as readonly unknown[];
  };

  const bound = (...values: readonly string[]): Pick<TimedStatement, 'binding'> => ({
    binding: {
      sql: `SELECT ${values.flatMap((_, i) => (i % 2 === 0 ? [`set_config($${i + 1}, $${i + 2}, true)`] : [])).join(', ')}`,
      values,
    },
  });

  /** The process of the pool's connection at the server. */
  const processOf = async (): Promise<unknown> => (await read('SELECT pg_backend_pid()::text'))[0];

  /** Counts the advisory locks of a read, which the session keeps after its transaction. */
  async function locks(): Promise<number> {
    const { rows } = await watcher.query<{ readonly n: number }>(`SELECT count(*)::int AS n FROM pg_locks WHERE objid = ${LOCK}`);
    return rows[0]?.n ?? -1;
  }

  const SHOW = "SELECT current_setting('app.user_id', true), current_setting('transaction_read_only')";

  it('are bound in a read-only transaction, with which the settings end', async () => {
    expect(await read(SHOW, bound('app.user_id', '7'))).toEqual(['7', 'on']);
    expect(await read(SHOW)).toEqual(['', 'off']);
    await expect(read('SELECT set_config($1, $2, true), txid_current()', bound('app.user_id', '7'))).rejects.toThrow();
    await expect(read('CREATE TABLE never (id int)', bound('app.user_id', '7'))).rejects.toMatchObject({ code: '25006' });
    expect(await read(SHOW)).toEqual(['', 'off']);
  });

  it.each(["'; DROP TABLE x; --", String.raw`\'; SELECT 1; --`, '$1', '"', '', 'ü\u{1F600}\n\t', '%s {}'])(
    'are bound to the unchanged text %j',
    async (value) => {
      expect(await read(SHOW, bound('app.user_id', value))).toEqual([value, 'on']);
    },
  );

  it.each([
    ['a role that does not exist', ['role', 'no_such_role'], '22023'],
    ['an invalid name of a setting', ['1.x', 'a'], '42602'],
    ['a value with a null character', ['app.user_id', 'a\0b'], '22021'],
  ])('are not executed if PostgreSQL rejects the binding: %s', async (_, values, code) => {
    const before = await processOf();
    for (let round = 0; round < 3; round++) {
      await expect(read(`SELECT pg_advisory_lock(${LOCK})::text`, bound('app.user_id', '8', ...values))).rejects.toMatchObject({ code });
    }
    expect(await locks()).toBe(0);
    expect([null, '']).toContain((await read(SHOW))[0]);
    expect(await processOf()).toBe(before);
    expect(await read(`SELECT pg_advisory_lock(${LOCK})::text`, bound('app.user_id', '8'))).toEqual(['']);
    expect(await locks()).toBe(1);
  });

  it('fail if they end their transaction, and their connection is closed', async () => {
    const before = await processOf();
    await expect(read('COMMIT', bound('app.user_id', '8'))).rejects.toThrow('sent together');
    expect(await processOf()).not.toBe(before);
    await expect(read("SELECT pg_terminate_backend(pg_backend_pid())::text, 'x'", bound('app.user_id', '8'))).rejects.toThrow();
    expect(await read(SHOW)).toEqual([null, 'off']);
  });

  it('fail after a lost connection, and the next read uses a new one', async () => {
    const before = await processOf();
    const lost = expect(read('SELECT pg_sleep(5)::text', bound('app.user_id', '8'))).rejects.toThrow(/terminat/);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await watcher.query('SELECT pg_terminate_backend($1)', [before]);
    await lost;
    expect(await read(SHOW, bound('app.user_id', '9'))).toEqual(['9', 'on']);
  });

  it('end after the statement_timeout of their binding', async () => {
    const before = await processOf();
    await expect(read('SELECT pg_sleep(5)::text', { timeout: 50 })).rejects.toMatchObject({ code: '57014' });
    await expect(read('SELECT pg_sleep(5)::text', bound('statement_timeout', '50'))).rejects.toMatchObject({ code: '57014' });
    expect(await read('SELECT pg_sleep(0.1)::text')).toEqual(['']);
    expect(await processOf()).toBe(before);
  });

  it('are not sent if the deadline passes while they wait for a connection', async () => {
    const before = await processOf();
    const sleeping = read('SELECT pg_sleep(0.2)::text');
    let isLate = false;
    const throwIfAborted = (): void => {
      if (isLate) throw new Error('Too late.');
    };
    const late = expect(read(`SELECT pg_advisory_lock(${LOCK})::text`, { waiting: { throwIfAborted } })).rejects.toThrow('Too late.');
    isLate = true;
    await Promise.all([sleeping, late]);
    expect(await locks()).toBe(0);
    expect(await processOf()).toBe(before);
  });

  it('accept lists, booleans, nulls and texts with special characters as values', async () => {
    const list = ['a', 'b"c', String.raw`d\e`, 'f,{g}', '', 'NULL', null];
    const text = 'SELECT to_json($1::text[])::text, ($2::boolean)::text, $3::text, $4::text, to_json($5::boolean[])::text';
    const [found, ...others] = await read(text, { values: [list, true, null, "it's", [true, false]] });
    expect(JSON.parse(String(found))).toEqual(list);
    expect(others).toEqual(['true', null, "it's", '[true,false]']);
  });

  it('that share a round trip return each their own result, also after one that fails', async () => {
    const quotient = (by: number): Promise<readonly unknown[]> =>
      read('SELECT (12 / $1::int)::text', { values: [String(by)], isAlwaysQuick: true, mayShareTrip: true });
    for (let round = 0; round < 3; round++) {
      const settled = await Promise.allSettled([1, 2, 0, 3, 4].map(quotient));
      expect(settled.map((one) => (one.status === 'fulfilled' ? one.value[0] : Reflect.get(Object(one.reason), 'code')))).toEqual([
        '12',
        '6',
        '22012',
        '4',
        '3',
      ]);
      expect(await Promise.all([6, 6, 12].map(quotient))).toEqual([['2'], ['2'], ['1']]);
    }
  });

  describe('are prepared at their second execution', () => {
    const PREPARED = "SELECT count(*)::text FROM pg_prepared_statements WHERE name LIKE 'resource_api%'";

    it('and again after an error, or after the connection has lost the prepared statement', async () => {
      const quotient = (by: string): Promise<readonly unknown[]> => read('SELECT (12 / $1::int)::text', { values: [by] });
      expect(await quotient('3')).toEqual(['4']);
      for (let round = 0; round < 3; round++) {
        await expect(quotient('0')).rejects.toMatchObject({ code: '22012' });
        expect(await quotient('4')).toEqual(['3']);
      }
      for (let round = 0; round < 20; round++) {
        await pool.query('DEALLOCATE ALL');
        expect(await quotient('6')).toEqual(['2']);
        await pool.query('DEALLOCATE ALL');
        expect(await read('SELECT (12 / $1::int)::text', { values: ['2'], ...bound('app.user_id', '1') })).toEqual(['6']);
      }
      // The pool assumes by now that a proxy does not keep prepared statements.
      expect(await read(PREPARED)).toEqual(['0']);
    });

    it.each([
      { statements: 3, characters: 1000 },
      { statements: 100, characters: 3 * "SELECT '1'".length },
    ])('and deallocated, the least recently used first, above a number of statements and of characters: %j', async (limits) => {
      // The type of `query` in reads matches none of its overloads.
      const client = (await pool.connect()) as unknown as SqlConnection;
      const connection = new PoolConnection(client, limits);
      const run = async (id: number): Promise<unknown> => {
        const step: Step = { text: `SELECT '${id}'`, values: [], command: 'SELECT', rows: {} };
        const [answer] = await connection.run([{ step, name: `resource_api_${id}` }]);
        return answer?.rows;
      };
      const names = async (): Promise<readonly unknown[]> => {
        const { rows } = await client.query({
          text: "SELECT right(name, 1) FROM pg_prepared_statements WHERE name LIKE 'resource_api%' ORDER BY 1",
          values: [],
          rowMode: 'array',
        });
        return rows.flat();
      };
      for (const id of [1, 2, 3, 1, 4]) expect(await run(id)).toEqual([[String(id)]]);
      expect(await names()).toEqual(['1', '3', '4']);
      for (const id of [2, 5, 1, 2]) expect(await run(id)).toEqual([[String(id)]]);
      expect(await names()).toEqual(['1', '2', '5']);
      client.release();
    });
  });
});
