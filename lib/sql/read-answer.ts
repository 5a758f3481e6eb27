import type { Query } from '../query/query.js';
import type { ResultOf, Row } from '../query/result.js';
import { decline } from './declined.js';
import type { Answering } from './dialects/postgresql.js';
import { MOST_ARGUMENTS } from './dialects/sent-row.js';
import type { LaidRows } from './lay-out.js';
import { PROTOTYPE } from './parameter.js';
import { type Answer, readRows } from './read-rows.js';

type Values = readonly unknown[];

/** Converts the rows of a statement to what Prisma returns for each of its queries. */
export class AnswerReader {
  /** Of rows that are sent as lists of lists. */
  readonly #wide: ReadonlySet<number>;

  constructor(
    private readonly reads: readonly { readonly read: Query }[],
    private readonly answers: readonly Answering[],
  ) {
    const all = answers.flatMap((answer) => (answer.kind === 'rows' ? [answer, ...partsOf(answer)] : []));
    this.#wide = new Set(all.flatMap(({ tag, sent, owners }) => (sent.length + (owners ? 2 : 1) > MOST_ARGUMENTS ? tag : [])));
  }

  /** One row, from its text. */
  parse(text: string): Values {
    if (PROTOTYPE_HINT.test(text) && PROTOTYPE.test(text)) return decline('a Json value with the key __proto__');
    const values = JSON.parse(text) as Values;
    return this.#wide.size > 0 && this.#wide.has(Number(values[0])) ? values.flat() : values;
  }

  /**
   * What Prisma returns for each read.
   *
   * @throws Declined for values and missing rows that Prisma must answer for
   */
  read(rows: readonly Values[]): readonly ResultOf<Query>[] {
    const answer: Values[][] = [];
    for (const row of rows) (answer[Number(row[0])] ??= []).push(row);
    return this.answers.map((one, index) => {
      const { read } = this.reads[index] ?? decline('a read of its own');
      return one.kind === 'count' ? countOf(read, answer[one.tag]?.[0]) : foundOf(read, one, answer);
    });
  }
}

/** Without it, no key of a row is `__proto__`: the longer search is for few rows. */
const PROTOTYPE_HINT = /__proto__|\\u00/;

function partsOf({ parts }: LaidRows): readonly LaidRows[] {
  return parts.flatMap((part) => (part.kind === 'rows' ? [part, ...partsOf(part)] : []));
}

function foundOf(read: Query, laid: LaidRows, answer: Answer): readonly Row[] | Row | null {
  requireFew(laid, answer);
  const rows = readRows(laid, answer);
  if (read.kind === 'find' && read.rows === 'many') return rows;
  const [row = null] = rows;
  return row === null && 'isRequired' in read && read.isRequired ? decline('a row that is not there') : row;
}

function requireFew({ guard, select: { most = 0 } }: LaidRows, answer: Answer): void {
  if (guard === undefined) return;
  const [row] = answer[guard] ?? [];
  if (Number(row?.[1]) > most) decline('more rows than Prisma would look through');
}

function countOf(read: Query, row: Values = []): number | Row {
  const counted = read.kind === 'count' ? read.counted : undefined;
  if (counted === undefined) return Number(row[1]);
  return Object.fromEntries(counted.map((one, index) => [typeof one === 'string' ? one : one.name, row[index + 1]]));
}
