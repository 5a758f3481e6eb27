import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import { prismaExecutor } from '../executor/prisma-executor.js';
import { ConfigurationError } from '../errors/configuration-error.js';

/** A read-only transaction whose statements all read the same snapshot of the database. */
export interface Snapshot {
  /** The data client of the transaction. */
  readonly client: DataClient;
  /** Ends the transaction. A second call does nothing. */
  readonly end: () => Promise<void>;
}

/**
 * Begins a read-only PostgreSQL transaction at REPEATABLE READ, and holds it open until {@link Snapshot.end} is called.
 *
 * @param timeout milliseconds after which the data client itself ends the transaction
 * @throws ConfigurationError for a client without interactive transactions, and for one whose transactions ignore the isolation level
 */
export async function openSnapshot(client: DataClient, timeout: number): Promise<Snapshot> {
  let opened: DataClient = client;
  const { transaction } = prismaExecutor(client, { onOpen: (open) => void (opened = open) });
  if (!transaction) throw unfit('the data client has no $transaction');
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return new Promise((resolve, reject) => {
    const whole = transaction(
      async (open) => {
        await requireSnapshot(open);
        resolve({
          client: opened,
          end: async () => {
            end();
            // Errors are ignored, because the transaction has written nothing.
            await whole.catch(() => undefined);
          },
        });
        await ended;
      },
      { isolationLevel: 'RepeatableRead', timeout },
    );
    whole.catch(reject);
  });
}

/** Sets a transaction to read-only, and rejects it unless its isolation level is a snapshot. Some driver adapters ignore the requested level. */
async function requireSnapshot({ sql }: Executor): Promise<void> {
  if (!sql) throw unfit('the data client has no $queryRawUnsafe');
  const [row] = await sql(
    `SELECT set_config('transaction_read_only', 'on', true), current_setting('transaction_isolation') AS "isolation"`,
    [],
  );
  const isolation = String(row?.['isolation']);
  if (!SNAPSHOTS.has(isolation)) throw unfit(`the transactions of the data client are at ${isolation}`);
}

const SNAPSHOTS: ReadonlySet<string> = new Set(['repeatable read', 'serializable']);

function unfit(problem: string): ConfigurationError {
  return new ConfigurationError(
    `An export cannot be a snapshot: ${problem}.`,
    'Use a data client whose interactive transactions take an isolationLevel, such as that of @prisma/adapter-pg, or leave rest.export.snapshot out.',
  );
}
