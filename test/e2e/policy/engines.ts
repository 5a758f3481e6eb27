/** The databases of the policy tests: the server at `TEST_DATABASE_URL` if it is set, and else PGlite. */
export type Engine = 'PGlite' | 'PostgreSQL';

/** Undefined if no variable names a server, because databases are created only on a server that is named. */
export const SERVER_URL = process.env['TEST_DATABASE_URL'];

export const ENGINES: readonly Engine[] = [SERVER_URL === undefined ? 'PGlite' : 'PostgreSQL'];
