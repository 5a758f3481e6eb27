import { withoutCuids, withoutTime } from '../rules/inspected-client.js';

/** An answer without what each write makes of its own. Nobody promises an order of the rows that an update answers, so they are put into one. */
export function maskedAnswer(status: number, text: string): string {
  const answer = masked(text);
  const { data, meta, ...others } = status === 200 ? (JSON.parse(answer) as Answer) : {};
  if (!Array.isArray(data)) return answer;
  return JSON.stringify([inOrder(data, Object.entries(meta?.serialization?.values ?? {})), others]);
}

type Types = readonly (readonly [at: string, type: unknown])[];

/** Rows with their types; those of each operation of a batch, too. */
function inOrder(rows: readonly unknown[], types: Types): readonly string[] {
  const texts = rows.map((row, index) => {
    const own = types.flatMap(([at, type]) => ofRow(index, at, type));
    return JSON.stringify(Array.isArray(row) ? inOrder(row, own) : [row, own]);
  });
  return texts.toSorted();
}

interface Answer {
  readonly data?: unknown;
  readonly meta?: { readonly serialization?: { readonly values?: Readonly<Record<string, unknown>> } };
}

/** The type of a value of the row, by the name of the field alone. */
function ofRow(index: number, at: string, type: unknown): readonly (readonly [string, unknown])[] {
  const start = `${index}.`;
  return at.startsWith(start) ? [[at.slice(start.length), type]] : [];
}

/** Without what each write makes of its own. */
export function masked(text: string): string {
  return withoutCuids(withoutTime(text)).replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uuid');
}
