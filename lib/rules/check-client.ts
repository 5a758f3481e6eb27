import type { DataClient } from '../executor/data-client.js';
import { ALL_MODELS, ALL_OPERATIONS, type ExtendedOperation, extendedOperations } from '../executor/client/extensions-of.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';
import { WRITING_OPERATIONS } from '../prisma/words.js';

/**
 * Rejects a client that can write but has no transactions. Rules and hooks check rows after a write, and then could not roll it back.
 *
 * @param delegates of all models
 * @param stage what requires transactions, e.g. `Hooks need`
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
    `${stage} transactions, and the data client has no $transaction, but writes ${written}: a refused write could not be rolled back.`,
    'Let getClient return the client itself, and not one of an open transaction, or leave out the writing operations.',
  );
}

/** The write operations that rules may replace, and the operations that the data client may receive instead. */
const REPLACED_BY: Readonly<Record<string, readonly string[]>> = {
  createMany: ['createManyAndReturn', 'create'],
  update: ['updateMany'],
  updateMany: ['updateManyAndReturn'],
  upsert: ['create', 'update', 'updateMany'],
  delete: ['deleteMany'],
};

/** The same where models have soft delete. */
const REPLACED_BY_WITH_SOFT_DELETE: typeof REPLACED_BY = { ...REPLACED_BY, delete: ['updateMany'], deleteMany: ['updateMany'] };

/** Options of {@link checkExtensions}. */
export interface ExtensionCheck {
  /** The stage in the text of the message, e.g. `rules`. */
  readonly stage: string;
  /** Whether some models have soft delete. */
  readonly keeps: boolean;
  /** The hooks and overrides that the application accepts to be bypassed, e.g. `post.delete`. */
  readonly accepted: readonly string[];
}

/**
 * Rejects extensions that hook or override an operation which rules, hooks or soft delete may replace. An extension that covers the replacements as
 * well is accepted.
 *
 * @returns a warning if hooks on all operations may receive a replacement
 * @throws ConfigurationError
 */
export function checkExtensions(client: DataClient, { stage, keeps, accepted }: ExtensionCheck): string | undefined {
  const table = keeps ? REPLACED_BY_WITH_SOFT_DELETE : REPLACED_BY;
  const extended = extendedOperations(client) ?? [];
  const bypassed = extended.filter((one) => isBypassed(one, extended, table)).filter((one) => !accepted.includes(nameOperation(one)));
  const [first] = bypassed;
  if (first) throw bypassedError(bypassed, first, { stage, table });
  if (!extended.some(({ operation }) => operation === ALL_OPERATIONS)) return undefined;
  const made = Object.entries(table).map(([name, others]) => `${name} as ${others.join(', ')}`);
  return (
    `Under ${stage}, hooks on $allOperations of the data client run, and may receive another operation than the client has requested: ` +
    `${made.join('; ')}.`
  );
}

/** Whether an operation may be replaced by one that no extension covers. */
function isBypassed(one: ExtendedOperation, all: readonly ExtendedOperation[], table: typeof REPLACED_BY): boolean {
  const substitutes = Object.hasOwn(table, one.operation) ? (table[one.operation] ?? []) : [];
  return substitutes.some((name) => !all.some((other) => covers(other, one, name)));
}

function covers({ model, operation }: ExtendedOperation, one: ExtendedOperation, substitute: string): boolean {
  if (operation !== substitute && operation !== ALL_OPERATIONS) return false;
  return model === undefined || model === ALL_MODELS || model === one.model;
}

function nameOperation({ model, operation }: ExtendedOperation): string {
  return `${model ?? ''}.${operation}`;
}

function bypassedError(
  bypassed: readonly ExtendedOperation[],
  first: ExtendedOperation,
  { stage, table }: { readonly stage: string; readonly table: typeof REPLACED_BY },
): ConfigurationError {
  const names = [...new Set(bypassed.map(nameOperation))];
  const made = [...new Set(bypassed.map(({ operation }) => operation))].map((name) => `${name} as ${table[name]?.join(', ') ?? ''}`);
  return new ConfigurationError(
    `Under ${stage}, ${names.join(', ')} of the data client's extensions may not run, because operations are made as others: ${made.join('; ')}.`,
    `Extend ${table[first.operation]?.join(', ') ?? ''}, too, use $allOperations, let the database do it, or accept it: ` +
      `bypassedHooks: [${names.map((name) => `'${name}'`).join(', ')}].`,
  );
}
