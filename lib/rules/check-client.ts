import type { DataClient } from '../data-client/data-client.js';
import { extensionsOf, ROW_LEVEL_SECURITY } from '../data-client/extensions-of.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';
import { WRITING_OPERATIONS } from '../prisma/words.js';
import { isObject } from '../utils/is-object.js';

/**
 * Refuses a client that writes and has no transactions: rules and hooks look at what was written, and what they refuse then would stay.
 *
 * @param delegates of all models
 * @param stage who needs them, e.g. `Hooks need`
 * @throws ConfigurationError
 */
export function requireTransactions(client: DataClient, delegates: readonly string[], stage: string): void {
  if (typeof memberOf(client, '$transaction') === 'function') return;
  const written = delegates.find((name) => {
    const delegate = memberOf(client, name);
    return WRITING_OPERATIONS.some((operation) => typeof memberOf(delegate, operation) === 'function');
  });
  if (written === undefined) return;
  throw new ConfigurationError(
    `${stage} transactions, and the data client has no $transaction, but writes ${written}: a write that is refused would stay.`,
    'Let getClient return the client itself, and not one of an open transaction, or leave out the writing operations.',
  );
}

/** The writes that rules may make as other operations, and as which. */
const MADE_AS: Readonly<Record<string, string>> = {
  createMany: 'createManyAndReturn, or create for each record',
  update: 'updateMany, or several operations',
  updateMany: 'updateManyAndReturn',
  upsert: 'findUnique, and then create or update',
  delete: 'deleteMany',
};

/** The same where records are kept that are deleted. */
const KEPT_AS: typeof MADE_AS = { ...MADE_AS, delete: 'updateMany', deleteMany: 'updateMany' };

/**
 * What to warn of: extensions of a Prisma client that wait for operations which rules, hooks and soft delete may make as others.
 *
 * @param stage for the text, e.g. `rules`
 * @param keeps whether some models have soft delete
 * @returns undefined where there are none
 */
export function passedByHooks(client: DataClient, stage: string, keeps: boolean): string | undefined {
  const table = keeps ? KEPT_AS : MADE_AS;
  const names = (extensionsOf(client) ?? []).flatMap((extension) =>
    memberOf(extension, 'name') === ROW_LEVEL_SECURITY
      ? []
      : ['query', 'model'].flatMap((part) => hooksOf(memberOf(extension, part), table)),
  );
  if (names.length === 0) return undefined;
  const operations = Object.entries(table).filter(([name]) =>
    names.some((hook) => hook.endsWith('$allOperations') || hook.endsWith(`.${name}`)),
  );
  const made = operations.map(([name, others]) => `${name} may be made as ${others}`);
  return (
    `Under ${stage}, extensions of the data client may not see the operation that was asked for: ${made.join('; ')}. ` +
    `So ${[...new Set(names)].join(', ')} may be passed by. ` +
    'Extend the operations that are made instead, too, or have the database do it.'
  );
}

/** `model.operation`, as the extension has them. */
function hooksOf(part: unknown, table: typeof MADE_AS): readonly string[] {
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([model, hooks]) => {
    if (model === ALL) return [ALL];
    if (!isObject(hooks)) return [];
    return Object.keys(hooks).flatMap((name) => (name === ALL || Object.hasOwn(table, name) ? [`${model}.${name}`] : []));
  });
}

const ALL = '$allOperations';
