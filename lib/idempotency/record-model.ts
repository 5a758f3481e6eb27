import { ConfigurationError } from '../errors/configuration-error.js';
import type { Storage, StoredField, StoredModel } from '../model/storage/storage.js';

/** The fields of a record, in the order of the model in the documentation. */
const FIELDS = {
  scope: { type: 'String', optional: false },
  key: { type: 'String', optional: false },
  fingerprint: { type: 'String', optional: false },
  status: { type: 'Int', optional: true },
  headers: { type: 'Json', optional: true },
  body: { type: 'Bytes', optional: true },
  expiresAt: { type: 'DateTime', optional: false },
} as const satisfies Readonly<Record<string, Pick<StoredField, 'type' | 'optional'>>>;

export type RecordField = keyof typeof FIELDS;

/** Databases whose texts are short by default. A key has up to 255 characters. */
const SHORT_TEXTS: ReadonlySet<Storage['provider']> = new Set(['mysql', 'sqlserver']);

/**
 * Returns the model that stores the responses.
 *
 * @throws ConfigurationError if the model is missing or has other fields; the error prints the required model
 */
export function recordModel(storage: Storage, name: string): StoredModel {
  const { provider } = storage;
  if (provider === 'mongodb') {
    throw new ConfigurationError(
      "The option 'idempotency' needs transactions that wait for each other, and MongoDB's fail instead.",
      "Leave 'idempotency' out, or keep the application's data in another database.",
    );
  }
  const model = storage.byModel.get(name);
  const paste = `Add it to the Prisma schema, and its table to the database:\n\n${printModel(name, provider)}\n`;
  if (!model) throw new ConfigurationError(`The option 'idempotency' keeps its records in a model '${name}', and there is none.`, paste);
  const fault = faultOf(model);
  if (fault !== undefined) throw new ConfigurationError(`The model '${name}' cannot keep the records of 'idempotency': ${fault}.`, paste);
  return model;
}

function faultOf({ fields, relations, primaryKey }: StoredModel): string | undefined {
  const wrong = Object.entries(FIELDS).find(([name, { type, optional }]) => {
    const field = fields.get(name);
    return field?.type !== type || field.optional !== optional || field.list || field.ignored;
  });
  if (wrong) return `'${wrong[0]}' has to be ${wrong[1].type}${wrong[1].optional ? '?' : ''}`;
  if ([...(primaryKey?.fields ?? [])].sort().join() !== 'key,scope') return 'its id has to be @@id([scope, key])';
  const more = [...fields.values()].find(({ name, optional, default: filled }) => !Object.hasOwn(FIELDS, name) && !optional && !filled);
  if (more) return `nothing fills '${more.name}'`;
  return relations.size > 0 ? 'it has relations' : undefined;
}

function printModel(name: string, provider: Storage['provider']): string {
  const native = SHORT_TEXTS.has(provider) ? ' @db.VarChar(255)' : '';
  const lines = Object.entries(FIELDS).map(([field, { type, optional }]) => {
    const isId = field === 'scope' || field === 'key';
    return `  ${field.padEnd(12)}${type}${optional ? '?' : ''}${isId ? native : ''}`;
  });
  return [`model ${name} {`, ...lines, '', '  @@id([scope, key])', '  @@index([expiresAt])', '}'].join('\n');
}
