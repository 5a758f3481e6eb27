import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import { prismaExecutor } from '../executor/prisma-executor.js';
import { ConfigurationError } from '../errors/configuration-error.js';

/** A transaction that sees the database as it was when it began. */
export interface Snapshot {
  /** The data client of it. */
  readonly client: DataClient;
  /** Ends it. A second time does nothing. */
  readonly end: () => Promise<void>;
}

/**
 * Begins a transaction of PostgreSQL that reads alone, at REPEATABLE READ, and holds it open.
 *
 * @param timeout milliseconds after which the client itself ends it
 * @throws ConfigurationError where the client begins none, or one that sees what others write meanwhile
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
            // It has written nothing, whatever becomes of it.
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

/** Adapters may pass the level by without a word. */
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
