import { connect } from 'node:net';

/** What the policy tests run on: always embedded PostgreSQL, and a server where there is one. */
export type Engine = 'PGlite' | 'PostgreSQL';

/** `TEST_DATABASE_URL`, or a server on this machine that lets everybody in; undefined where there is none. */
export const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? (await findLocalServer());

export const ENGINES: readonly Engine[] = SERVER_URL === undefined ? ['PGlite'] : ['PGlite', 'PostgreSQL'];

/** `describe` for what needs a server: a pool of several connections. Skipped, by name, where there is none. */
export const describeOnServer = SERVER_URL === undefined ? describe.skip : describe;

async function findLocalServer(): Promise<string | undefined> {
  const reachable = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: 5432 });
    socket.once('connect', () => {
      socket.end();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
  return reachable ? 'postgresql://postgres@127.0.0.1:5432/postgres' : undefined;
}
