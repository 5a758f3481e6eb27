import { withoutCuids, withoutTime } from '../rules/inspected-client.js';

/** Returns a response without generated values. Sorts its rows, because those of an update have no defined order. */
export function maskedAnswer(status: number, text: string): string {
  const answer = masked(text);
  const { data, meta, ...others } = status === 200 ? (JSON.parse(answer) as Answer) : {};
  if (!Array.isArray(data)) return answer;
  return JSON.stringify([inOrder(data, Object.entries(meta?.serialization?.values ?? {})), others]);
}

type Types = readonly (readonly [at: string, type: unknown])[];

/** Sorts rows, and their types with them. The results of a batch are sorted by operation. */
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

/** Returns the path within a row, with its type, for a path that begins with the index of the row. */
function ofRow(index: number, at: string, type: unknown): readonly (readonly [string, unknown])[] {
  const start = `${index}.`;
  return at.startsWith(start) ? [[at.slice(start.length), type]] : [];
}

/** Replaces generated values. */
export function masked(text: string): string {
  return withoutCuids(withoutTime(text)).replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uuid');
}
