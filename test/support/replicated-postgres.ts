import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findFreePort, type OwnPostgres, postgresUrl, runAsPostgres, serverOn, startOwnPostgres, temporaryFolder } from './own-postgres.js';

/** Two PostgreSQL servers, the second a hot standby of the first by streaming replication. */
export interface ReplicatedPostgres {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  readonly replica: Pick<OwnPostgres, 'start' | 'kill'>;
  /** Waits until the replica has what the primary has. */
  readonly caughtUp: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startReplicatedPostgres(bin: string, settings: readonly string[] = []): Promise<ReplicatedPostgres> {
  const primary = await startOwnPostgres(bin, settings);
  const folder = await temporaryFolder();
  const [data, port] = [`${folder}/replica`, await findFreePort()];
  await runAsPostgres(`${bin}/pg_basebackup`, ['-d', primary.url, '-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']);
  const replica = serverOn(bin, data, port, settings);
  await replica.start();
  return {
    primaryUrl: primary.url,
    replicaUrl: postgresUrl(port),
    replica,
    caughtUp: () => caughtUp(primary.url, postgresUrl(port)),
    stop: async () => {
      // A test that has failed may have left it stopped.
      await replica.kill().catch(() => undefined);
      await primary.remove();
      await runAsPostgres('rm', ['-rf', folder]);
    },
  };
}

async function caughtUp(primaryUrl: string, replicaUrl: string): Promise<void> {
  const [primary, replica] = [new Client(primaryUrl), new Client(replicaUrl)];
  await Promise.all([primary.connect(), replica.connect()]);
  try {
    const { rows } = await primary.query<{ at: string }>('SELECT pg_current_wal_lsn()::text AS at');
    const hasReplayed = async (): Promise<boolean | undefined> => {
      const state = await replica.query<{ done: boolean }>('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done', [rows[0]?.at]);
      return state.rows[0]?.done;
    };
    while ((await hasReplayed()) !== true) await sleep(20);
  } finally {
    await Promise.all([primary.end(), replica.end()]);
  }
}
