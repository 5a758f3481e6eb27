/** How the total of a collection is found: not at all, exactly up to a number and by the planner's guess beyond it, or exactly. */
export type CountMode = 'exact' | 'estimated' | 'none';

/** The options of the REST style with their defaults filled in, frozen at boot. */
export interface RestSettings {
  /** Base of every link, without a trailing slash. */
  readonly endpoint: string;
  /** Rows of a page when the request names no size; `Infinity` turns pagination off. */
  readonly pageSize: number;
  /** Largest `page[limit]` and `page[size]`. */
  readonly maxPageSize: number;
  /** JSON:API to the letter: decisions D1 to D20. */
  readonly strict: boolean;
  /** Joins the parts of a compound id. */
  readonly idDivider: string;
  /** How collections count their total, unless a request prefers otherwise. */
  readonly count: CountMode;
  /** The most that a request may ask for by `Prefer: count=…`. @default that of `count` */
  readonly mostCount?: CountMode;
  /** Whether `If-Match` takes tags that a proxy has weakened. */
  readonly acceptWeakTags?: boolean;
  /** Up to how many rows an estimated total is exact. @default {@link EXACT_UP_TO} */
  readonly exactUpTo?: number;
  /** What cursors are encrypted by, the current key first; absent where it is random. */
  readonly cursorKeys?: readonly string[];
  /** Absent where the endpoint of atomic operations is off. */
  readonly operations?: OperationsSettings;
  /** Absent where there are no exports. */
  readonly export?: ExportSettings;
}

/** The forms of an export. */
export type ExportFormat = 'ndjson' | 'csv';

/** How collections are exported. */
export interface ExportSettings {
  readonly csv: {
    /** Whether texts that a spreadsheet would take for formulas get an apostrophe before them. */
    readonly escapeFormulas: boolean;
    /** Whether tables begin with a byte order mark. */
    readonly bom: boolean;
  };
  /** Absent where exports are from no snapshot. */
  readonly snapshot?: SnapshotSettings;
}

/** Exports from a snapshot. */
export interface SnapshotSettings {
  /** Milliseconds that one may take. */
  readonly maxDuration: number;
  /** How many there may be at once. */
  readonly max: number;
}

/** The endpoint of atomic operations. */
export interface OperationsSettings {
  /** Its path below the prefix, one segment. */
  readonly path: string;
  readonly maxOperations: number;
  /** Milliseconds that one request of it may take. */
  readonly timeout: number;
}

/** An index is read that far in a few milliseconds. */
export const EXACT_UP_TO = 10_000;

/** What is told once where cursors are encrypted by a random key. */
export const RANDOM_KEYS =
  'rest.cursorKeys is not set: cursors of pages are encrypted by a random key, so they end with this process, and other instances cannot read them.';
