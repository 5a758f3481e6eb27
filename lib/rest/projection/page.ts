/** A part of a collection. */
export type Page = OffsetPage | CursorPage;

export interface OffsetPage {
  readonly kind?: never;
  readonly offset: number;
  /** `Infinity` where pagination is off. */
  readonly limit: number;
  /** Present where the client counts in pages (`page[number]`, `page[size]`), so that links do, too; `offset` is a multiple of `limit` then. */
  readonly numbered?: true;
}

/** A page of the Cursor Pagination profile. */
export interface CursorPage {
  readonly kind: 'cursor';
  readonly size: number;
  /** Whether the client has said so. */
  readonly isSized: boolean;
  readonly after?: GivenCursor;
  /** With `after`, the page is what lies between. */
  readonly before?: GivenCursor;
}

/** A cursor as it was sent: what it says depends on the order of its collection. */
export interface GivenCursor {
  readonly parameter: string;
  readonly text: string;
}
