import type { DataClient } from '../data-client/data-client.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';
import { WRITING_OPERATIONS } from '../prisma/words.js';

/**
 * Refuses a client that writes and has no transactions: rules and hooks look at what was written, and what they refuse then would stay.
 *
 * @param delegates of all models
 * @param stage who needs them, e.g. `Hooks need`
 * @throws ConfigurationError
 */
export function requireTransactions(client: DataClient, delegates: Iterable<string>, stage: string): void {
  if (typeof memberOf(client, '$transaction') === 'function') return;
  const written = [...delegates].find((name) => {
    const delegate = memberOf(client, name);
    return WRITING_OPERATIONS.some((operation) => typeof memberOf(delegate, operation) === 'function');
  });
  if (written === undefined) return;
  throw new ConfigurationError(
    `${stage} transactions, and the data client has no $transaction, but writes ${written}: a write that is refused would stay.`,
    'Let getClient return the client itself, and not one of an open transaction, or leave out the writing operations.',
  );
}
