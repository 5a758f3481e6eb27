import { decline } from './declined.js';
import type { ListSet, RowSet } from './find.js';
import type { List, Member } from './selection.js';

type Cells = readonly (readonly (readonly unknown[])[])[];
type Row = Record<string, unknown>;

/** Converts the rows of a statement to those that Prisma returns: objects with named fields and nested lists. */
export function readRows({ cell, members, isReversed, lists }: RowSet, cells: Cells): readonly Row[] {
  const found: Found = new Map(lists.map(({ list }) => [list, []]));
  const rows = (cells[cell] ?? []).map((values, index) => readRow(members, { values, index, found }));
  for (const list of lists) stitch(list, found.get(list.list) ?? [], cells);
  return isReversed ? rows.reverse() : rows;
}

/** Adds the rows of a list to their owners. */
function stitch(set: ListSet, owners: Owners, cells: Cells): void {
  const rows = readRows({ ...set, isReversed: false }, cells);
  for (const [index, values] of (cells[set.cell] ?? []).entries()) owners[Number(values.at(-1)) - 1]?.push(rows[index]);
  if (set.isReversed) for (const list of owners) list?.reverse();
}

/** A list of each owner, by its index. */
type Owners = (unknown[] | undefined)[];

type Found = Map<List, Owners>;

interface Read {
  readonly values: readonly unknown[];
  readonly index: number;
  readonly found: Found;
}

function readRow(members: readonly Member[], read: Read): Row {
  const row: Row = {};
  for (const member of members) {
    switch (member.kind) {
      case 'value':
        row[member.name] = readValue(member, read.values[member.index]);
        break;
      case 'one':
        row[member.name] = readOne(member, read);
        break;
      case 'counts':
        row['_count'] = readRow(member.members, read);
        break;
      case 'many':
        row[member.name] = listOf(member.list, read);
        break;
    }
  }
  return row;
}

function readValue({ decode, isList }: Member & { readonly kind: 'value' }, value: unknown): unknown {
  return decode && (value !== null || isList) ? decode(value) : value;
}

/** If a required row is missing, Prisma answers, with its own error. */
function readOne({ presence, isRequired, members }: Member & { readonly kind: 'one' }, read: Read): Row | null {
  if (read.values[presence] === true) return readRow(members, read);
  return isRequired ? decline('a row that is referred to and not there') : null;
}

function listOf(list: List, { index, found }: Read): unknown[] {
  const rows: unknown[] = [];
  const owners = found.get(list) ?? [];
  owners[index] = rows;
  return rows;
}
