/** A record as the data client gives it: its selected fields by Prisma's names. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of the primary data, and the total of the collection where it was counted. A document of one resource has one row, or none for null. */
export interface RowPage {
  readonly rows: readonly Row[];
  readonly total?: number | undefined;
  /** Whether the rows hold their ids alone: what they stand for may not be read, and is not included. */
  readonly areKeys?: true;
  /** How many there may be, in place of a total. */
  readonly estimate?: number;
  /** The media type of the answer, where it is not the usual one. */
  readonly mediaType?: string;
  /** Present where the page is one between cursors. */
  readonly cursors?: PageCursors;
}

/** The cursors of a page, and what lies beyond it. */
export interface PageCursors {
  /** Falls on a row of the page. */
  readonly on: (row: Row) => string;
  /** Before all rows, behind all of them, and right behind the row that the page begins after. */
  readonly start: string;
  readonly end: string;
  readonly behindAfter: string;
  /** Whether rows follow in the direction that was read in: towards the start where only `before` was given. */
  readonly hasMore: boolean;
  /** Whether the page begins at the start of the collection, or ends at the end of it. */
  readonly isAtStart: boolean;
  readonly isAtEnd: boolean;
}
