import { commitsAlone } from '../executor/commits-alone.js';
import { isPlainClient } from '../executor/is-plain-client.js';
import type { Run } from '../executor/run.js';
import type { TimedClient } from '../executor/statement-timeout.js';

/**
 * Whether a run is one write that needs no `BEGIN` and `COMMIT` through Prisma: one statement on PostgreSQL, which the `statement_timeout` of its
 * connection ends. Extensions of the client, rules, hooks, bindings to a caller and idempotency records need a transaction.
 */
export function isAlone({ plan, isWrite, isBound, isRecorded, ruled, size, storage }: Run, { client, prepare }: TimedClient): boolean {
  if (!isWrite || isBound || isRecorded || prepare || ruled.writes !== 'open') return false;
  return storage.provider === 'postgresql' && isPlainClient(client) && commitsAlone(plan, size.bytes);
}
