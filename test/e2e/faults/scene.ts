import { once } from 'node:events';
import { Client } from 'pg';
import { memberOf } from '../../../lib/errors/member-of.js';
import type { ApplicationProcess } from '../../support/application-process.js';
import type { FaultProxy } from '../../support/fault-proxy.js';
import type { OwnPostgres } from '../../support/own-postgres.js';
import type { Load } from './load.js';

/** The connections of the application's pool. */
export interface PoolCounts {
  readonly total: number;
  readonly used: number;
  readonly waiting: number;
}

/** The setup of a fault: an application under load, its database, and the network between them. */
export interface Scene {
  readonly server: OwnPostgres;
  readonly proxy: FaultProxy;
  readonly app: ApplicationProcess;
  readonly load: Load;
  /** The URL of the database without the proxy. */
  readonly connectionString: string;
}

/** Runs statements one after the other on a connection that does not pass the proxy. */
export async function execute({ connectionString }: Pick<Scene, 'connectionString'>, ...statements: readonly string[]): Promise<void> {
  await withDatabase({ connectionString }, async (database) => {
    for (const statement of statements) await database.query(statement);
  });
}

export async function withDatabase<Result>(
  { connectionString }: Pick<Scene, 'connectionString'>,
  work: (database: Client) => Promise<Result>,
): Promise<Result> {
  const database = new Client({ connectionString });
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}

/** Runs a command of `application.mjs`, and returns its result. */
export async function command<Result>({ app }: Pick<Scene, 'app'>, name: 'clock' | 'hold' | 'count', value?: number): Promise<Result> {
  const answered = once(app.child, 'message');
  app.child.send({ command: name, value });
  const [message]: readonly unknown[] = await answered;
  return memberOf(message, 'result') as Result;
}

/** Changes a setting for new connections to the database, and terminates the existing ones. */
export async function setForAll(scene: Scene, setting: string): Promise<void> {
  await execute(
    scene,
    'SET default_transaction_read_only = off',
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${setting}', current_database()); END $$`,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
}
