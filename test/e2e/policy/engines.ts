/** What the policy tests run on: the server at `TEST_DATABASE_URL` where that is set, and else embedded PostgreSQL. */
export type Engine = 'PGlite' | 'PostgreSQL';

/** Undefined where no server is named: a server that nobody named is not ours to make databases on. */
export const SERVER_URL = process.env['TEST_DATABASE_URL'];

export const ENGINES: readonly Engine[] = [SERVER_URL === undefined ? 'PGlite' : 'PostgreSQL'];
