import { callClient } from './call-client.js';
import type { DataClient } from './data-client.js';
import { missingRecords } from './missing-records.js';
import type { DataCall, WantedRecord } from './plan.js';

type Row = Readonly<Record<string, unknown>>;

/** A wanted record that is stored under another spelling of its key. */
export interface Spelling {
  readonly wanted: WantedRecord;
  readonly delegate: string;
  /** The key as it is stored. */
  readonly stored: Row;
}

/**
 * Searches the wanted records that a call returned with another spelling of their key: the database decides which texts are equal.
 *
 * It asks for all of them at once, and for each half only if something is found, so records that do not exist cost one call.
 */
export async function findOtherSpellings(
  client: DataClient,
  call: DataCall,
  wanted: readonly WantedRecord[],
): Promise<readonly Spelling[]> {
  if (wanted.length === 0) return [];
  const where = { OR: wanted.map(({ key }) => key) };
  const [first] = (await callClient(client, { ...call, args: { ...call.args, where, take: 1 } })) as readonly Row[];
  if (!first) return [];
  const [only, ...others] = wanted;
  if (only && others.length === 0) return [{ wanted: only, delegate: call.delegate, stored: first }];
  const middle = Math.ceil(wanted.length / 2);
  return [
    ...(await findOtherSpellings(client, call, wanted.slice(0, middle))),
    ...(await findOtherSpellings(client, call, wanted.slice(middle))),
  ];
}

/** The call with its foreign keys spelled as the records that they refer to: Prisma itself compares keys exactly when it joins rows. */
export function spellAsStored(call: DataCall, spellings: readonly Spelling[]): DataCall {
  if (spellings.length === 0 || !call.foreignKeys) return call;
  const stored = call.foreignKeys.flatMap(({ delegate, key, columns }) => {
    const spelling = spellings.find(
      (one) => one.delegate === delegate && missingRecords([{ key, detail: '' }], [one.wanted.key]).length === 0,
    );
    return spelling ? columns.map(({ column, reference }) => [column, spelling.stored[reference]] as const) : [];
  });
  const args = Object.fromEntries(
    Object.entries(call.args).map(([name, value]) => [name, DATA.has(name) ? respell(value, stored) : value]),
  );
  return { ...call, args };
}

/** The arguments of a write that contain columns. */
const DATA: ReadonlySet<string> = new Set(['data', 'create', 'update']);

function respell(data: unknown, stored: readonly (readonly [column: string, value: unknown])[]): unknown {
  const given = data as Row;
  return { ...given, ...Object.fromEntries(stored.filter(([column]) => Object.hasOwn(given, column))) };
}
