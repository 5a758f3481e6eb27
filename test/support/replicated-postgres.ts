import { findFreePort, type OwnPostgres, postgresUrl, runAsPostgres, serverOn, startOwnPostgres, temporaryFolder } from './own-postgres.js';

/** Two PostgreSQL servers, the second a hot standby of the first by streaming replication. */
export interface ReplicatedPostgres {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  readonly replica: Pick<OwnPostgres, 'start' | 'kill'>;
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
    stop: async () => {
      // A test that has failed may have left it stopped.
      await replica.kill().catch(() => undefined);
      await primary.remove();
      await runAsPostgres('rm', ['-rf', folder]);
    },
  };
}
