import type { BlogApp } from './blog-app.js';
import type { VisibleRows } from './visible-rows.js';

/** A running blog with enforced policies. */
export interface PolicedBlog {
  readonly app: BlogApp;
  /** Returns all rows as a text, which is equal before and after a request that writes nothing. */
  readonly dump: () => Promise<string>;
  /** Restores the seed of the sample. */
  readonly reset: () => Promise<void>;
  /** Returns the rows that a caller may read, from queries that do not use the API. */
  readonly visibleTo: (callerId: number | undefined) => Promise<VisibleRows>;
  readonly close: () => Promise<void>;
}
