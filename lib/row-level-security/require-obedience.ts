import { randomUUID } from 'node:crypto';
import { memberOf } from '../errors/member-of.js';
import type { ExtendableClient, OpenTransaction } from './extendable-client.js';

/** Prisma clients that have passed the check. */
const OBEDIENT = new WeakSet<ExtendableClient>();

/** Milliseconds to wait for the check. With a single connection, an operation outside of the transaction would wait for the transaction itself. */
const PATIENCE = 5000;

const MARK = 'nestjs_resource_api.transaction';

/**
 * Checks that Prisma runs an operation in the transaction that a query hook names, which its documentation does not promise. An operation outside of
 * it would not be bound to a caller. The check sets a parameter in the transaction and reads it back, once for each Prisma client.
 *
 * @param open the client whose operations are in the transaction
 * @throws Error if the operation ran outside of the transaction
 */
export async function requireObedience(prisma: ExtendableClient, open: ExtendableClient, transaction: OpenTransaction): Promise<void> {
  if (OBEDIENT.has(prisma)) return;
  const mark = randomUUID();
  let seen: unknown;
  const sent = prisma.$extends({
    name: 'row-level security: check',
    query: {
      // The result of the database, before other extensions change it.
      $queryRawUnsafe: async ({ args, query, __internalParams: internals }) => (seen = await query(args, { ...internals, transaction })),
    },
  });
  await open.$executeRawUnsafe(`SELECT set_config('${MARK}', '${mark}', true)`);
  await inTime(sent.$queryRawUnsafe(`SELECT current_setting('${MARK}', true) AS mark`));
  if (!isMarked(seen, mark)) throw new Error(PROBLEM);
  OBEDIENT.add(prisma);
}

const PROBLEM =
  'This version of the Prisma client runs operations outside of the transaction that withRowLevelSecurity puts them into, where nothing would bind them. Use $transaction(async (tx) => …) of the bound client, or another version of Prisma.';

function isMarked(rows: unknown, mark: string): boolean {
  return Array.isArray(rows) && memberOf(rows[0], 'mark') === mark;
}

async function inTime(answer: PromiseLike<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      resolve();
    }, PATIENCE);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
