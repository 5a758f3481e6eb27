import { memberOf } from '../../errors/member-of.js';
import { restrictedClient } from '../deadline.js';
import type { DataClient } from '../data-client.js';

/**
 * Runs work of the application on the client of an open transaction, if there is one.
 *
 * @throws the first error of the client, even if the work has caught it, because PostgreSQL accepts the commit of such a transaction but rolls it
 * back. The exception is the Prisma error P2025 (row not found), which does not abort a transaction
 */
export async function undoneByFailures<Client extends DataClient | undefined, Result>(
  client: Client,
  work: (client: DataClient | Client) => Result,
): Promise<Awaited<Result>> {
  const failures: unknown[] = [];
  const result = await work(client && failingClient(client, failures));
  if (failures.length > 0) throw failures[0];
  return result;
}

/** Wraps a client so that its errors are collected. */
function failingClient(client: DataClient, failures: unknown[]): DataClient {
  return restrictedClient(client, { throwIfAborted: () => undefined }, async (start) => {
    try {
      return await start();
    } catch (error) {
      if (memberOf(error, 'code') !== 'P2025') failures.push(error);
      throw error;
    }
  });
}
