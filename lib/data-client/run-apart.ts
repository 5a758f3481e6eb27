import { callClient } from './call-client.js';
import { textOf, whereAmong } from './count-list.js';
import type { DataClient } from './data-client.js';
import type { DataCall, UniqueKey } from './plan.js';
import { unaskedOf, withFields, withoutFields } from './selected-keys.js';

type Row = Readonly<Record<string, unknown>>;

/** How the response of a write is read. */
export interface Reading {
  readonly key: UniqueKey;
  readonly read: (client: DataClient, call: DataCall) => Promise<unknown>;
}

/**
 * Makes a write that returns only keys, and reads its response by a second call; the response of a delete is read before. The caller must run
 * this in a transaction.
 */
export async function runApart(client: DataClient, call: DataCall, reading: Reading): Promise<unknown> {
  const { select, include, omit, relationLoadStrategy, ...args } = call.args;
  const { key } = reading;
  const answer: Answer = { call, selection: given({ select, include, omit, relationLoadStrategy }), reading };
  const write = (): Promise<unknown> => callClient(client, { ...call, args: { ...args, select: selectKey(key) } });
  if (call.operation === 'delete') {
    const row = await readOne(client, answer, args['where']);
    await write();
    return row;
  }
  const written = await write();
  return Array.isArray(written) ? readAll(client, answer, written as Row[]) : readOne(client, answer, whereOf(key, written as Row));
}

/** The response of a write. */
interface Answer {
  readonly call: DataCall;
  readonly selection: Row;
  readonly reading: Reading;
}

function readOne(client: DataClient, { call: { delegate }, selection, reading }: Answer, where: unknown): Promise<unknown> {
  return reading.read(client, { delegate, operation: 'findUniqueOrThrow', args: { where, ...selection } });
}

/** The rows with these keys, in their order. */
async function readAll(
  client: DataClient,
  { call: { delegate }, selection, reading }: Answer,
  keys: readonly Row[],
): Promise<readonly unknown[]> {
  if (keys.length === 0) return [];
  const { fields } = reading.key;
  const unasked = unaskedOf(selection, fields);
  const args = { where: whereAmong(keys, fields), ...withFields(selection, unasked) };
  const rows = (await reading.read(client, { delegate, operation: 'findMany', args })) as readonly Row[];
  const byKey = new Map(rows.map((row) => [textOf(row, fields), withoutFields(row, unasked)]));
  return keys.flatMap((key) => byKey.get(textOf(key, fields)) ?? []);
}

function given(args: Row): Row {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

function selectKey({ fields }: UniqueKey): Row {
  return Object.fromEntries(fields.map((name) => [name, true]));
}

function whereOf({ name, fields }: UniqueKey, row: Row): Row {
  const values = Object.fromEntries(fields.map((field) => [field, row[field]]));
  return fields.length === 1 ? values : { [name]: values };
}
