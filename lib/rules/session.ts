import { callClient } from '../data-client/call-client.js';
import { textOf } from '../data-client/count-list.js';
import type { DataClient } from '../data-client/data-client.js';
import { delegateOf } from '../model/exposure/naming.js';
import type { StoredKey } from '../model/storage/storage.js';
import { withConditions } from './condition.js';
import type { RuleSet } from './rule-set.js';
import type { Where } from './rules-option.js';

export type Args = Readonly<Record<string, unknown>>;
export type Row = Readonly<Record<string, unknown>>;

/** The host's client, or one transaction of it, for one caller. */
export interface Session {
  readonly client: DataClient;
  readonly rules: RuleSet;
  /** Prisma's model names by delegate. */
  readonly models: ReadonlyMap<string, string>;
  /** How many rows may be held at a time (`limits.maxTake`). */
  readonly maxRows: number;
}

/** One operation of one model. */
export interface ModelCall {
  readonly model: string;
  readonly operation: string;
  readonly args: Args;
}

/** Makes one call of the host's own client, to which no rule is added. */
export function callHost({ client }: Session, { model, operation, args }: ModelCall): Promise<unknown> {
  return callClient(client, { delegate: delegateOf(model), operation, args });
}

/** The key by which the rows of a model are told apart. */
export function keyOf({ rules }: Session, model: string): StoredKey {
  const { primaryKey, uniqueKeys, fields } = rules.model(model);
  const key = primaryKey ?? uniqueKeys.find((one) => one.fields.every((name) => fields.get(name)?.optional === false));
  if (!key) throw new TypeError(`The rows of '${model}' have no key.`);
  return key;
}

/** The `select` of some fields. */
export function selectOf(names: Iterable<string>): Args {
  return Object.fromEntries([...names].map((name) => [name, true]));
}

/** The unique `where` of a row. */
export function whereRow(session: Session, model: string, row: Row): Where {
  const { name, fields } = keyOf(session, model);
  const values = plainKey(session, model, row);
  return fields.length === 1 ? values : { [name]: values };
}

/** A unique `where` without the names of keys of several fields, which a write of many does not know. */
export function plainWhere({ rules }: Session, model: string, where: Where): Where {
  const { primaryKey, uniqueKeys } = rules.model(model);
  const names = new Set([primaryKey, ...uniqueKeys].flatMap((key) => (key && key.fields.length > 1 ? [key.name] : [])));
  const members = Object.entries(where);
  const plain = Object.fromEntries(members.filter(([name]) => !names.has(name)));
  // Prisma looks there for the values of the key's fields.
  return withConditions(
    plain,
    members.flatMap(([name, value]) => (names.has(name) ? [value as Where] : [])),
  );
}

/** The key of a row as conditions on fields. */
export function plainKey(session: Session, model: string, row: Row): Where {
  return Object.fromEntries(keyOf(session, model).fields.map((field) => [field, row[field]]));
}

/** The key of a row as text, the same for two rows exactly where they are one. */
export function rowText(session: Session, model: string, row: Row): string {
  return textOf(row, keyOf(session, model).fields);
}
