import type { Relationship } from '../../model/surface/surface.js';
import type { Condition } from '../../query/condition.js';
import type { Row } from '../../query/result.js';
import type { ManyMember, Selection } from '../../query/selection.js';

/** A page of a collection: by offset, or between cursors. */
export type RequestedPage = OffsetPage | CursorPage;

export interface OffsetPage {
  readonly kind?: never;
  readonly offset: number;
  /** Maximum number of resources; `Infinity` where pagination is off. */
  readonly limit: number;
  /** Present if the client sent `page[number]` or `page[size]`. Links then use these parameters too, and `offset` is a multiple of `limit`. */
  readonly numbered?: true;
}

/** A page of the Cursor Pagination profile. */
export interface CursorPage {
  readonly kind: 'cursor';
  readonly size: number;
  /** Whether the client sent `page[size]`. */
  readonly isSized: boolean;
  readonly after?: GivenCursor;
  /** The end of the page. With `after`, the page is the range between both cursors. */
  readonly before?: GivenCursor;
}

/** A cursor as the client sent it. It can be decrypted only with the order of its collection. */
export interface GivenCursor {
  readonly parameter: string;
  readonly text: string;
}

/** URI of JSON:API's Cursor Pagination profile, as in the profile's own text. The registry's page omits the trailing slash (CP-13). */
export const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';

/** URIs of the profile's error types, for `links.type` of an error object. */
export const CURSOR_PROBLEMS = {
  /** CP-05 */
  maxSizeExceeded: `${CURSOR_PROFILE}max-size-exceeded`,
  /** CP-02 */
  unsupportedSort: `${CURSOR_PROFILE}unsupported-sort`,
} as const;

/** The filter, order and page of an included to-many relationship. They apply separately to each resource that has the relationship (PI-03). */
export interface Window {
  /** The parsed filter and sort. Only the planner reads them. */
  readonly requested: object;
  readonly isFiltered: boolean;
  /** The page of the related resources. Without pagination, an offset page whose `limit` is `Infinity`. */
  readonly page: RequestedPage;
  /** Whether the total of all related resources that match the filter is queried. */
  readonly isCounted: boolean;
  /** Query parameters that give the same result at the relationship's URL, without those of the page. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A window with the parts of the query that read its rows. */
export interface PlannedWindow extends Omit<Window, 'requested'> {
  /** Condition of the total that is counted. */
  readonly filter: Condition;
  readonly rows: Pick<ManyMember, 'where' | 'order' | 'page' | 'isWindow' | 'selection'>;
  /** Returns the rows of the page, and its cursors, from the rows that were read for one resource. */
  readonly read: (rows: readonly Row[]) => Pick<RowPage, 'rows' | 'cursors'>;
}

/**
 * Plans a window.
 *
 * @param selection what the query reads of each related resource
 */
export type PlanWindow = (window: Window, relationship: Relationship, selection: Selection) => PlannedWindow;

/**
 * The rows of the primary data, and the total of the collection if it was counted. A document of a single resource has one row, or none for
 * `null`.
 */
export interface RowPage {
  readonly rows: readonly Row[];
  readonly total?: number | undefined;
  /** Whether the rows hold ids only, because the caller cannot read the resources. The document then has identifiers and no included resources. */
  readonly areKeys?: true;
  /** Estimated number of rows, in place of a total. */
  readonly estimate?: number;
  /** Media type of the response, where it differs from the default. */
  readonly mediaType?: string;
  /** Present if the page is a page between cursors. */
  readonly cursors?: PageCursors;
}

/** The cursors of a page, and whether rows precede or follow it. */
export interface PageCursors {
  /** Returns the cursor of a row of the page. */
  readonly on: (row: Row) => string;
  /** Cursors before all rows, behind all rows, and right behind the row that the page begins after. */
  readonly start: string;
  readonly end: string;
  readonly behindAfter: string;
  /** Whether more rows follow in the direction of reading. If only `before` was sent, that direction is towards the start. */
  readonly hasMore: boolean;
  /** Whether the page begins at the start of the collection, or ends at its end. */
  readonly isAtStart: boolean;
  readonly isAtEnd: boolean;
}
