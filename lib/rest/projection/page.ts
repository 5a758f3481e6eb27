import type { Relationship } from '../../model/surface/surface.js';
import type { Condition } from '../../query/condition.js';
import type { Row } from '../../query/result.js';
import type { ManyMember, Selection } from '../../query/selection.js';

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

/** The Cursor Pagination profile of JSON:API, as its own page spells it; the registry's page leaves out the slash at the end (CP-13). */
export const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';

/** The kinds of problems that the profile has a URI for: `links.type` of an error. */
export const CURSOR_PROBLEMS = {
  /** CP-05 */
  maxSizeExceeded: `${CURSOR_PROFILE}max-size-exceeded`,
  /** CP-02 */
  unsupportedSort: `${CURSOR_PROFILE}unsupported-sort`,
} as const;

/** Which members of an included to-many relationship are shown, and in which order: of each resource that has it (PI-03). */
export interface Window {
  /** What was asked, for the planner alone. */
  readonly asked: object;
  readonly isFiltered: boolean;
  /** An offset page without a limit where the members are not paged. */
  readonly page: Page;
  /** Whether all that meet the filter are counted. */
  readonly isCounted: boolean;
  /** The parameters of the relationship's own URL that show the same, but for the page. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A window as the rows of its relationship are read. */
export interface PlannedWindow extends Omit<Window, 'asked'> {
  /** What is counted. */
  readonly filter: Condition;
  readonly rows: Pick<ManyMember, 'where' | 'order' | 'page' | 'isWindow' | 'selection'>;
  /** What it shows of the rows that were read of one resource. */
  readonly read: (rows: readonly Row[]) => Pick<RowPage, 'rows' | 'cursors'>;
}

/**
 * Plans a window.
 *
 * @param selection what is read of each of the resources that the relationship leads to
 */
export type PlanWindow = (window: Window, relationship: Relationship, selection: Selection) => PlannedWindow;

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
