import { decline } from './declined.js';
import type { LaidRows, ReadMember } from './lay-out.js';

/** The rows of an answer, by their tags. Each begins with its tag. */
export type Answer = readonly (readonly Values[])[];
type Values = readonly unknown[];
type Row = Record<string, unknown>;

/** Converts the rows of a statement to those that Prisma returns: objects with named fields and nested lists. */
export function readRows(laid: LaidRows, answer: Answer): readonly Row[] {
  const { tag, members, parts, isReversed } = laid;
  const values = answer[tag] ?? [];
  // What belongs to the rows, by tag and then by the index of the row.
  const owned: Owned = new Map();
  for (const part of parts)
    owned.set(part.tag, part.kind === 'rows' ? ownedRows(part, answer, values.length) : ownedCounts(answer[part.tag]));
  const rows = values.map((row, index) => readRow(members, { values: row, index, owned }));
  return isReversed && !laid.owners ? rows.reverse() : rows;
}

type Owned = Map<number, readonly unknown[]>;

/** The rows of a part by their owners. The last value of a row is the number of its owner, from 1, or those of several. */
function ownedRows(part: LaidRows, answer: Answer, count: number): readonly (readonly Row[] | undefined)[] {
  const rows = readRows(part, answer);
  const byOwner = Array<Row[] | undefined>(count).fill(undefined);
  for (const [index, values] of (answer[part.tag] ?? []).entries()) {
    const row = rows[index];
    const owners = values.at(-1) as number | readonly number[];
    for (const owner of typeof owners === 'number' ? [owners] : owners) if (row) (byOwner[owner - 1] ??= []).push(row);
  }
  if (part.isReversed) for (const list of byOwner) list?.reverse();
  return byOwner;
}

/** The only row holds the number of each owner and how many rows it has. */
function ownedCounts([row]: readonly Values[] = []): readonly number[] {
  const counts: number[] = [];
  for (const [owner, count] of (row?.[1] ?? []) as readonly (readonly [number, number])[]) counts[owner - 1] = count;
  return counts;
}

interface Read {
  readonly values: Values;
  readonly index: number;
  readonly owned: Owned;
}

function readRow(members: readonly ReadMember[], read: Read): Row {
  const row: Row = {};
  for (const member of members) {
    switch (member.kind) {
      case 'value':
        row[member.name] = readValue(member, read.values[member.index]);
        break;
      case 'one':
        row[member.name] = read.values[member.index] === true ? readRow(member.members, read) : noRow(member);
        break;
      case 'set':
        row[member.name] = readSet(member, read);
        break;
      case 'count':
        row[member.name] = read.owned.get(member.tag)?.[read.index] ?? 0;
        break;
      case 'counts':
        row['_count'] = readRow(member.members, read);
        break;
    }
  }
  return row;
}

function readValue({ decode, isList }: ReadMember & { readonly kind: 'value' }, value: unknown): unknown {
  return decode && (value !== null || isList) ? decode(value) : value;
}

function readSet(member: ReadMember & { readonly kind: 'set' }, { index, owned }: Read): unknown {
  const { rows } = member;
  const found = owned.get(rows.tag)?.[index] as readonly Row[] | undefined;
  return rows.owners?.isShared === true ? (found?.[0] ?? noRow(member)) : (found ?? []);
}

/** If a required row is missing, Prisma answers, with its own error. */
function noRow({ isRequired }: { readonly isRequired: boolean }): null {
  return isRequired ? decline('a row that is referred to and not there') : null;
}
