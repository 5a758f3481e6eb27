import type { BlogApp } from './blog-app.js';
import type { VisibleRows } from './visible-rows.js';

/** A running blog with enforced policies. */
export interface PolicedBlog {
  readonly app: BlogApp;
  /** Every row, as text: two of them are equal exactly when nothing was written in between. */
  readonly dump: () => Promise<string>;
  /** Brings the sample's own rows back. */
  readonly reset: () => Promise<void>;
  /** Returns the rows that a caller may read, from queries that do not use the API. */
  readonly visibleTo: (callerId: number | undefined) => Promise<VisibleRows>;
  readonly close: () => Promise<void>;
}
