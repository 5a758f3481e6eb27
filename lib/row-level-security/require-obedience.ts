import { randomUUID } from 'node:crypto';
import { memberOf } from '../errors/member-of.js';
import type { ExtendableClient, OpenTransaction } from './extendable-client.js';

/** Prisma clients that were seen to obey. */
const OBEDIENT = new WeakSet<ExtendableClient>();

/** What an operation waits for that is not in the transaction, where there is one connection alone, in milliseconds. */
const PATIENCE = 5000;

const MARK = 'nestjs_resource_api.transaction';

/**
 * Sees that Prisma runs an operation in the transaction that a query hook names, which its documentation does not promise: one that ran outside
 * would be bound to nobody. The database itself is asked, once for each Prisma client: what is set in the transaction has to be seen in it.
 *
 * @param open the client whose operations are in the transaction
 * @throws Error where it is not
 */
export async function requireObedience(prisma: ExtendableClient, open: ExtendableClient, transaction: OpenTransaction): Promise<void> {
  if (OBEDIENT.has(prisma)) return;
  const mark = randomUUID();
  let seen: unknown;
  const sent = prisma.$extends({
    name: 'row-level security: check',
    query: {
      // As the database has answered, whatever the extensions before make of it.
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
