import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Moment } from '../../support/fault-proxy.js';
import { IS_LONG } from '../../support/long.js';
import { REQUESTS, type Sent, transaction } from './load.js';
import { command, execute, type Scene, setForAll } from './scene.js';

/** Milliseconds for which most faults last. */
const LASTING = IS_LONG ? 10_000 : 600;

/** Waits for some milliseconds, and then until a client has received an error. */
async function last({ load }: Scene, least = LASTING): Promise<void> {
  await sleep(least);
  for (let left = 200; left > 0 && load.refusals.length === 0; left--) await sleep(50);
}

/** A row of the table of `docs/reliability.md`. */
export interface Fault {
  readonly name: string;
  /** Matches the status and the code (in RPC, the message) of each refusal. Without it there must be none. */
  readonly refusals?: RegExp;
  /** Matches the lines of the log about refusals. */
  readonly cause?: RegExp;
  /** Whether log lines may also name `limits.maxDuration`. */
  readonly mayBeLate?: true;
  /** The requests of the clients. @default reads and writes of both styles */
  readonly requests?: readonly ((mark: string, index: number) => Sent)[];
  /** Causes the fault under load. Resolves when it is over. */
  readonly inflict: (scene: Scene) => Promise<void>;
}

/** Matches no cause, because only clients that have disconnected see errors. */
const NONE = /^$/;
const REFUSED = /^503 (?:unavailable|.*try again)/i;
const REFUSED_OR_UNKNOWN = /^(?:503 (?:unavailable|.*try again)|500 (?:outcome-unknown|.*may be stored))/i;

const MOMENTS: readonly Moment[] = ['before the message', 'before its answer', 'in its answer'];

/** Texts in the messages of a PostgreSQL client: at the start, in a read, in the value of a write, in a commit. */
const PHASES = ['client_encoding', 'SELECT', 'mark-', 'COMMIT'];

/** Returns one of two transactions that lock the same rows in opposite order. */
const CROSSING = (mark: string, index: number): Sent => {
  const touch = (id: number) => ({ model: 'tag', op: 'update', args: { where: { id }, data: { name: `tag ${id} of ${mark}` } } });
  return transaction(mark, index % 2 === 0 ? [touch(1), touch(2)] : [touch(2), touch(1)]);
};

/** Delays each change of a tag, so that transactions wait for each other. */
const PAUSING = [
  `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.01); RETURN NEW; END $$`,
  'CREATE TRIGGER pause AFTER UPDATE ON "Tag" FOR EACH ROW EXECUTE FUNCTION pause()',
];

/** A trigger that needs more disk space than allowed: each insert sorts a hundred thousand numbers. */
const SORTING = [
  `CREATE FUNCTION sort() RETURNS trigger LANGUAGE plpgsql SET temp_file_limit = '64kB' SET work_mem = '64kB' AS $$
     BEGIN PERFORM count(*) FROM (SELECT n FROM generate_series(1, 100000) n ORDER BY n DESC OFFSET 0) s; RETURN NEW; END $$`,
  'CREATE TRIGGER sort BEFORE INSERT ON "AuditEvent" FOR EACH ROW EXECUTE FUNCTION sort()',
];

export const FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL is killed, and started again',
    refusals: REFUSED_OR_UNKNOWN,
    cause: /terminat|ECONNREFUSED|ECONNRESET|starting up|not yet accepting|shutting down|closed the connection|recovery|EPIPE|timeout/i,
    mayBeLate: true,
    inflict: async (scene) => {
      await scene.server.kill();
      await last(scene, LASTING / 2);
      await scene.server.start();
    },
  },
  {
    name: 'connections are cut at each phase of an answer',
    refusals: REFUSED_OR_UNKNOWN,
    cause: /terminat|ECONNRESET|closed the connection|EPIPE/i,
    inflict: async (scene) => {
      const { proxy } = scene;
      for (const text of PHASES) {
        for (const moment of MOMENTS) {
          proxy.phase = { text, moment, oneIn: 5 };
          await sleep(LASTING / 8);
        }
      }
      await last(scene, 0);
      proxy.phase = undefined;
    },
  },
  {
    name: 'the database does not answer any more, and forgets its connections',
    refusals: REFUSED_OR_UNKNOWN,
    cause: /query read timeout|connection timeout|timeout exceeded when trying to connect/i,
    mayBeLate: true,
    inflict: async ({ proxy }) => {
      proxy.blackhole = true;
      await sleep(LASTING * 8);
      proxy.blackhole = false;
    },
  },
  {
    name: 'the application has taken all connections of its pool',
    refusals: REFUSED,
    cause: /timeout exceeded when trying to connect/i,
    inflict: async (scene) => {
      await command(scene, 'hold', LASTING * 5);
      await sleep(LASTING * 5);
    },
  },
  {
    name: 'statements take longer than `statement_timeout`',
    refusals: REFUSED,
    cause: /canceling statement due to statement timeout|timeout exceeded when trying to connect/,
    inflict: (scene) => execute(scene, 'BEGIN', 'LOCK TABLE "AuditEvent"', `SELECT pg_sleep(${(LASTING * 4) / 1000})`, 'COMMIT'),
  },
  {
    name: 'transactions deadlock',
    requests: [CROSSING],
    refusals: REFUSED,
    cause: /deadlock detected|canceling statement due to statement timeout/,
    inflict: async (scene) => {
      await execute(scene, ...PAUSING);
      await last(scene);
      await execute(scene, 'DROP FUNCTION pause CASCADE');
    },
  },
  {
    name: 'transactions cannot be serialized',
    requests: [(mark) => CROSSING(mark, 0)],
    refusals: REFUSED_OR_UNKNOWN,
    cause: /could not serialize access|statement timeout|terminating connection|Connection terminated|not queryable/,
    inflict: async (scene) => {
      await setForAll(scene, 'SET default_transaction_isolation = serializable');
      await last(scene);
      await setForAll(scene, 'RESET default_transaction_isolation');
    },
  },
  {
    name: 'the disk is full (`temp_file_limit`)',
    refusals: REFUSED,
    cause: /temporary file size exceeds temp_file_limit/,
    inflict: async (scene) => {
      await execute(scene, ...SORTING);
      await last(scene);
      await execute(scene, 'DROP FUNCTION sort CASCADE');
    },
  },
  {
    name: 'the database accepts no writes (a read-only transaction)',
    refusals: REFUSED_OR_UNKNOWN,
    cause: /read-only transaction|terminating connection|Connection terminated|not queryable/,
    inflict: async (scene) => {
      await setForAll(scene, 'SET default_transaction_read_only = on');
      await last(scene);
      await setForAll(scene, 'RESET default_transaction_read_only');
    },
  },
  {
    name: 'clients are slow: they send half a body, or read nothing',
    refusals: NONE,
    cause: /The client has closed its connection/,
    inflict: async ({ app }) => {
      const { port } = new URL(app.url);
      const sockets = Array.from({ length: 20 }, (_, index) => {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
        socket.pause();
        const read = 'GET /api/rest/post?include=author HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5);
        const half =
          'POST /api/rpc/auditEvent/create HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"data":';
        socket.write(index % 2 === 0 ? read : half);
        return socket;
      });
      await sleep(LASTING);
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: 'clients vanish in the middle of their requests',
    refusals: NONE,
    cause: /The client has closed its connection/,
    inflict: async ({ load }) => {
      const end = performance.now() + LASTING;
      for (let index = 0; performance.now() < end; index++) {
        await Promise.all(Array.from({ length: 5 }, (_, n) => load.next(AbortSignal.timeout(1 + ((index + n) % 25)))));
      }
    },
  },
  {
    name: 'the clock jumps: an hour on, and a day back',
    inflict: async (scene) => {
      for (const jump of [3_600_000, -86_400_000, 0]) {
        await command(scene, 'clock', jump);
        await sleep(LASTING / 2);
      }
    },
  },
];

/** The last one of each application: it ends. */
export const TERMINATED: Fault = {
  name: 'the process receives SIGTERM',
  requests: REQUESTS,
  inflict: async ({ app }) => {
    await sleep(LASTING / 4);
    app.child.kill('SIGTERM');
    await app.ended;
  },
};
