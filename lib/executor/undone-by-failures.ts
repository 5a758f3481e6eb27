import { memberOf } from '../errors/member-of.js';
import { restrictedClient } from './client-with-deadline.js';
import type { DataClient } from './data-client.js';

/**
 * Does work of the host on the client of an open transaction, if there is one.
 *
 * @throws the first error of the client, also where the work has caught it: PostgreSQL takes the commit of such a transaction, and rolls it back. That
 * a row is not there is none
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

/** A client whose failures are kept. */
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
