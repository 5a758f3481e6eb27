import { nameOf } from './contenders.js';
import { requestOf, type Running } from './process.js';
import type { Work } from './works.js';

type Values = Readonly<Record<string, unknown>>;

/** @throws where a contender's answer to a work does not have the rows and the total of the others' */
export async function requireSameData(work: Work, contenders: readonly Running[]): Promise<void> {
  let first: { readonly digest: string; readonly name: string } | undefined;
  for (const running of contenders) {
    const name = nameOf(running.contender);
    const digest = await digestOf(running, work);
    first ??= { digest, name };
    if (digest === first.digest) continue;
    throw new Error(`${work.name} differs:\n${first.name}: ${first.digest.slice(0, 400)}\n${name}: ${digest.slice(0, 400)}`);
  }
}

async function digestOf(running: Running, work: Work): Promise<string> {
  const { url, ...init } = requestOf(running, work);
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${nameOf(running.contender)} answers ${work.name} with ${response.status}: ${text.slice(0, 400)}`);
  const answer = JSON.parse(text) as { readonly data?: unknown; readonly jsonapi?: unknown };
  const digest = answer.jsonapi === undefined ? ofPlain(answer) : ofDocument(answer as Document);
  return JSON.stringify({ ...digest, ...(!work.api.startsWith('/rest') && { total: undefined }) });
}

interface Document {
  readonly data: Resource | readonly Resource[];
  readonly included?: readonly Resource[];
  readonly meta?: { readonly total?: number };
}
interface Resource {
  readonly id: unknown;
  readonly attributes: Values;
}

function ofDocument({ data, included = [], meta }: Document): object {
  const rows = [data].flat() as Resource[];
  const related = [...new Set(included.map(({ id, attributes }) => labelOf({ id, ...attributes })))].sort();
  return { rows: rows.map(({ id, attributes }) => labelOf({ id, ...attributes })), related, total: meta?.total };
}

/** Plain rows, bare or in an envelope, or each of a batch in its own; a count is a row, too. */
function ofPlain(answer: unknown): object {
  const { data = answer, total } = answer as { readonly data?: unknown; readonly total?: unknown };
  if (typeof data === 'number') return { rows: [labelOf({ count: data })], related: [] };
  const rows = ([data].flat() as Values[]).map((row) => (typeof row['data'] === 'object' ? row['data'] : row) as Values);
  const related = rows.flatMap(({ author, comments }) => [author ?? [], comments ?? []].flat() as Values[]);
  return {
    rows: rows.map(labelOf),
    related: [...new Set(related.map(labelOf))].sort(),
    total: total === undefined ? undefined : Number(total),
  };
}

/** Returns a text that identifies a row, for any encoding of its values. It leaves out the id of a written row, which differs each time. */
function labelOf({ id, title, name, body, viewCount, rating, createdAt, count }: Values): string {
  const isNew = title === 'New';
  const time = createdAt === undefined || isNew ? undefined : Date.parse(String(createdAt).replace(/(?<!Z)$/, 'Z'));
  return JSON.stringify([isNew ? 0 : Number(id), title ?? name ?? body, String(viewCount), Number(rating), time, count]);
}
