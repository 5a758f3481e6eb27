import type { Query } from '../query/query.js';
import type { ResultOf, Row } from '../query/result.js';
import { decline } from './declined.js';
import type { Answering } from './dialects/postgresql.js';
import { MOST_ARGUMENTS } from './dialects/sent-row.js';
import { listIn } from './decode-value.js';
import type { RowLayout, ReadMember } from './row-layout.js';
import { PROTOTYPE } from './parameter.js';

type Values = readonly unknown[];
/** The rows of a result, by the tag that each row begins with. */
type Answer = readonly (readonly Values[])[];

/**
 * The properties of a query that its result depends on. A reader is cached by shape, so it must not reference the query, which has the values of one
 * request.
 */
interface ResultForm {
  readonly isMany: boolean;
  readonly isRequired: boolean;
  /** The names of the fields whose values are counted separately. */
  readonly counted?: readonly string[];
}

function formOf(query: Query): ResultForm {
  const counted = query.kind === 'count' ? query.counted?.map((one) => (typeof one === 'string' ? one : one.name)) : undefined;
  return { isMany: isOfMany(query), isRequired: 'isRequired' in query && query.isRequired, ...(counted && { counted }) };
}

/** Converts the rows of a statement to what Prisma returns for each of its queries, or to texts of the response. */
export class ResultReader {
  readonly #forms: readonly ResultForm[];
  /** The tags of rows that are sent as lists of lists. */
  readonly #wide: ReadonlySet<number>;

  constructor(
    reads: readonly { readonly read: Query }[],
    private readonly answers: readonly Answering[],
  ) {
    this.#forms = reads.map(({ read }) => formOf(read));
    const all = answers.flatMap((answer) => (answer.kind === 'rows' ? [answer, ...listNestedRows(answer)] : []));
    this.#wide = new Set(all.flatMap(({ tag, sent, owners }) => (sent.length + (owners ? 2 : 1) > MOST_ARGUMENTS ? tag : [])));
  }

  /** Parses one row. */
  parse(text: string): Values {
    if (PROTOTYPE_HINT.test(text) && PROTOTYPE.test(text)) return decline('a Json value with the key __proto__');
    const values = listIn(JSON.parse(text));
    return this.#wide.size > 0 && this.#wide.has(Number(values[0])) ? values.flat() : values;
  }

  /**
   * Returns the result of each query as Prisma returns it.
   *
   * @throws Declined for values and missing rows that Prisma must handle
   */
  read(rows: readonly Values[]): readonly ResultOf<Query>[] {
    const answer: Values[][] = [];
    for (const row of rows) (answer[Number(row[0])] ??= []).push(row);
    return this.answers.map((one, index) => {
      const form = this.#forms[index] ?? decline('a read of its own');
      return one.kind === 'count' ? countOf(form, answer[one.tag]?.[0]) : foundOf(form, one, answer);
    });
  }
}

/** Matches every text that may contain the key `__proto__`. It is fast, so that only few rows need the exact search. */
const PROTOTYPE_HINT = /__proto__|\\u00/;

function listNestedRows({ parts }: RowLayout): readonly RowLayout[] {
  return parts.flatMap((part) => (part.kind === 'rows' ? [part, ...listNestedRows(part)] : []));
}

function foundOf({ isMany, isRequired }: ResultForm, laid: RowLayout, answer: Answer): readonly Row[] | Row | null {
  requireFew(laid, answer);
  const rows = readRows(laid, answer);
  if (isMany) return rows;
  const [row = null] = rows;
  return row === null && isRequired ? decline('a row that is not there') : row;
}

function isOfMany(read: Query): boolean {
  return read.kind === 'find' ? read.rows === 'many' : read.kind === 'create-many' || read.kind === 'update-many';
}

function requireFew({ guard, select: { maxDistinctRows = 0 } }: RowLayout, answer: Answer): void {
  if (guard === undefined) return;
  const [row] = answer[guard] ?? [];
  if (Number(row?.[1]) > maxDistinctRows) decline('more rows than Prisma would look through');
}

function countOf({ counted }: ResultForm, row: Values = []): number | Row {
  if (counted === undefined) return Number(row[1]);
  return Object.fromEntries(counted.map((name, index) => [name, row[index + 1]]));
}

/** Converts the rows of a statement to those that Prisma returns: objects with named fields and nested lists. */
function readRows(laid: RowLayout, answer: Answer): readonly Row[] {
  const { tag, members, parts, isReversed } = laid;
  const values = answer[tag] ?? [];
  const owned: Owned = { rows: new Map(), counts: new Map() };
  for (const part of parts) {
    if (part.kind === 'rows') owned.rows.set(part.tag, ownedRows(part, answer, values.length));
    else owned.counts.set(part.tag, ownedCounts(answer[part.tag]));
  }
  const rows = values.map((row, index) => readRow(members, { values: row, index, owned }));
  return isReversed && !laid.owners ? rows.reverse() : rows;
}

/** The rows and counts that belong to rows, by tag and then by the index of the row. */
interface Owned {
  readonly rows: Map<number, readonly (readonly Row[] | undefined)[]>;
  readonly counts: Map<number, readonly number[]>;
}

/** Groups the rows of a part by their owners. The last value of a row is the number of its owner, from 1, or a list of them. */
function ownedRows(part: RowLayout, answer: Answer, count: number): readonly (readonly Row[] | undefined)[] {
  const rows = readRows(part, answer);
  const byOwner = Array<Row[] | undefined>(count).fill(undefined);
  for (const [index, values] of (answer[part.tag] ?? []).entries()) {
    const row = rows[index];
    const owners = values.at(-1);
    if (row) for (const owner of typeof owners === 'number' ? [owners] : listIn(owners)) (byOwner[Number(owner) - 1] ??= []).push(row);
  }
  if (part.isReversed) for (const list of byOwner) list?.reverse();
  return byOwner;
}

/** Returns the counts by owner. The only row consists of pairs: the number of an owner and its count. */
function ownedCounts([row]: readonly Values[] = []): readonly number[] {
  const counts: number[] = [];
  for (const pair of listIn(row?.[1])) {
    const [owner, count] = listIn(pair);
    counts[Number(owner) - 1] = Number(count);
  }
  return counts;
}

interface Read {
  readonly values: Values;
  readonly index: number;
  readonly owned: Owned;
}

function readRow(members: readonly ReadMember[], read: Read): Row {
  const row: Record<string, unknown> = {};
  for (const member of members) {
    switch (member.kind) {
      case 'value':
        row[member.name] = decodeMember(member, read.values[member.index]);
        break;
      case 'one':
        row[member.name] = read.values[member.index] === true ? readRow(member.members, read) : null;
        break;
      case 'set':
        row[member.name] = readSet(member, read);
        break;
      case 'count':
        row[member.name] = read.owned.counts.get(member.tag)?.[read.index] ?? 0;
        break;
      case 'counts':
        row['_count'] = readRow(member.members, read);
        break;
    }
  }
  return row;
}

function decodeMember({ decode, isList }: ReadMember & { readonly kind: 'value' }, value: unknown): unknown {
  return decode && (value !== null || isList) ? decode(value) : value;
}

/** Returns the rows of a list, or the row of a to-one relation. The referenced row may be missing, because policies hide it. */
function readSet({ rows }: ReadMember & { readonly kind: 'set' }, { index, owned }: Read): unknown {
  const found = owned.rows.get(rows.tag)?.[index];
  return rows.owners?.isSharedByOwners === true ? (found?.[0] ?? null) : (found ?? []);
}
