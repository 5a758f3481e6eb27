import { findFreePort, postgresUrl, runAsPostgres, serverOn, startOwnPostgres, temporaryFolder } from '../../support/own-postgres.js';

/** Two PostgreSQL servers, the second a hot standby of the first by streaming replication. */
export interface ReplicatedPostgres {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  readonly stop: () => Promise<void>;
}

export async function startReplicatedPostgres(bin: string): Promise<ReplicatedPostgres> {
  const primary = await startOwnPostgres(bin);
  const folder = await temporaryFolder();
  const [data, port] = [`${folder}/replica`, await findFreePort()];
  await runAsPostgres(`${bin}/pg_basebackup`, ['-d', primary.url, '-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']);
  const replica = serverOn(bin, data, port);
  await replica.start();
  return {
    primaryUrl: primary.url,
    replicaUrl: postgresUrl(port),
    stop: async () => {
      await replica.kill();
      await primary.remove();
      await runAsPostgres('rm', ['-rf', folder]);
    },
  };
}
