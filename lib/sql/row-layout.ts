import { decodeOf, type Decode, type Sent } from './decode-value.js';
import {
  call,
  type Column,
  type CountsMember,
  type Expression,
  type Member,
  type OneMember,
  type Pair,
  type Rows,
  type Select,
  type SetMember,
  type ValueMember,
} from './tree.js';

/** The layout of rows: their columns in the statement, and how they are read. */
export interface RowLayout {
  readonly kind: 'rows';
  /** The first value of each of these rows, which distinguishes them from other rows of the result. */
  readonly tag: number;
  readonly select: Select;
  readonly isReversed: boolean;
  /** The columns of the `SELECT`. */
  readonly columns: readonly Expression[];
  /** The columns that are sent, by their indices, and the encoding of each. */
  readonly sent: readonly (readonly [column: number, sent: Sent])[];
  readonly owners?: Owners;
  /** The tag of the row that counts the rows which `distinct` reads; absent without a limit. */
  readonly guard?: number;
  readonly members: readonly ReadMember[];
  /** Rows and counts that belong to these rows. */
  readonly parts: readonly (RowLayout | CountLayout)[];
}

/** The layout of the counts of related rows. */
export interface CountLayout {
  readonly kind: 'counts';
  readonly tag: number;
  readonly select: Select;
  readonly owners: Owners;
}

/** The rows that other rows belong to. */
export interface Owners {
  readonly tag: number;
  /** The columns by which rows are joined to their owners, those of the owners by index. */
  readonly pairs: readonly { readonly own: Column; readonly owner: number }[];
  /** Whether several owners may have the same row. */
  readonly isSharedByOwners: boolean;
  readonly maxRows?: number;
}

/** A member of a row, and the index of its value. */
export type ReadMember =
  | {
      readonly kind: 'value';
      readonly name: string;
      readonly index: number;
      readonly decode?: Decode | undefined;
      readonly isList: boolean;
    }
  | {
      readonly kind: 'one';
      readonly name: string;
      readonly index: number;
      readonly members: readonly ReadMember[];
    }
  | { readonly kind: 'set'; readonly name: string; readonly rows: RowLayout }
  | { readonly kind: 'count'; readonly name: string; readonly tag: number }
  | { readonly kind: 'counts'; readonly members: readonly ReadMember[] };

/** Assigns columns to rows, and a tag to each set of rows. */
export class Layout {
  #tags = 0;

  nextTag(): number {
    return this.#tags++;
  }

  rows({ select, members, isReversed }: Rows, owners?: Owners): RowLayout {
    const tag = this.nextTag();
    const columns = new Columns(this, tag);
    const read = members.map((member) => columns.member(member));
    const { expressions, sent, parts } = columns;
    const guard = select.maxDistinctRows === undefined ? {} : { guard: this.nextTag() };
    return { kind: 'rows', tag, select, isReversed, columns: expressions, sent, ...(owners && { owners }), ...guard, members: read, parts };
  }
}

/** The columns of one `SELECT`. */
class Columns {
  readonly expressions: Expression[] = [];
  readonly sent: (readonly [column: number, sent: Sent])[] = [];
  readonly parts: (RowLayout | CountLayout)[] = [];

  constructor(
    private readonly layout: Layout,
    private readonly tag: number,
  ) {}

  member(member: Member): ReadMember {
    switch (member.kind) {
      case 'value':
        return this.#value(member);
      case 'one':
        return this.#one(member);
      case 'counts':
        return this.#counts(member);
      case 'many':
      case 'shared':
        return this.#set(member);
    }
  }

  /**
   * Adds a column that is sent.
   *
   * @returns its index in a row of the result, which begins with the tag
   */
  #send(expression: Expression, sent: Sent): number {
    return this.sent.push([this.expressions.push(expression) - 1, sent]);
  }

  #value({ field, column, sent }: ValueMember): ReadMember {
    return { kind: 'value', name: field.name, index: this.#send(column, sent), decode: decodeOf(field), isList: field.list };
  }

  #one({ name, presence, members }: OneMember): ReadMember {
    const index = this.#send(call('is-not-null', presence), 'plain');
    return { kind: 'one', name, index, members: members.map((member) => this.member(member)) };
  }

  #set({ kind, name, rows }: SetMember): ReadMember {
    const laid = this.layout.rows(rows, this.#owners(rows.pairs ?? [], kind === 'shared', rows.maxRows));
    this.parts.push(laid);
    return { kind: 'set', name, rows: laid };
  }

  #counts({ counts }: CountsMember): ReadMember {
    const members = counts.map(({ name, counted, isGrouped }): ReadMember => {
      if (!isGrouped) return { kind: 'value', name, index: this.#send({ kind: 'count-of', counted }, 'plain'), isList: false };
      const tag = this.layout.nextTag();
      this.parts.push({ kind: 'counts', tag, select: counted.select, owners: this.#owners(counted.pairs, false) });
      return { kind: 'count', name, tag };
    });
    return { kind: 'counts', members };
  }

  /** Adds the columns by which other rows are joined to these. They need not be sent. */
  #owners(pairs: readonly Pair[], isSharedByOwners: boolean, maxRows?: number): Owners {
    const columns = pairs.map(({ own, owner }) => ({ own, owner: this.expressions.push(owner) - 1 }));
    return { tag: this.tag, pairs: columns, isSharedByOwners, ...(maxRows !== undefined && { maxRows }) };
  }
}
