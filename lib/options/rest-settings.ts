/**
 * How a collection counts its total. `'none'`: not at all. `'exact'`: exactly. `'estimated'`: exactly up to a number of rows, and as an
 * estimate of the query planner beyond.
 */
export type CountMode = 'exact' | 'estimated' | 'none';

/** The options of the REST style with their defaults filled in, frozen at boot. */
export interface RestSettings {
  /** Base URL of every link, without a trailing slash. */
  readonly endpoint: string;
  /** Page size of requests that name none; `Infinity` turns pagination off. */
  readonly pageSize: number;
  /** Largest `page[limit]` and `page[size]`. */
  readonly maxPageSize: number;
  /** Whether responses follow JSON:API to the letter. */
  readonly strict: boolean;
  /** Joins the parts of a compound id. */
  readonly idDivider: string;
  /** How collections count their total, for requests that prefer no other mode. */
  readonly count: CountMode;
  /** The most expensive mode that a request can choose by `Prefer: count=…`. @default that of `count` */
  readonly mostCount?: CountMode;
  /** Whether `If-Match` accepts tags that a proxy has weakened. */
  readonly acceptWeakTags?: boolean;
  /** The number of rows up to which an estimated total is exact. @default {@link EXACT_UP_TO} */
  readonly exactUpTo?: number;
  /** The keys that encrypt cursors, the current one first. Absent if the process uses a random key. */
  readonly cursorKeys?: readonly string[];
  /** Absent if the endpoint of atomic operations is off. */
  readonly operations?: OperationsSettings;
  /** Absent if exports are off. */
  readonly export?: ExportSettings;
}

/** The forms of an export. */
export type ExportFormat = 'ndjson' | 'csv';

/** Settings of exports. */
export interface ExportSettings {
  readonly csv: {
    /** Whether texts that a spreadsheet would run as formulas are prefixed with an apostrophe. */
    readonly escapeFormulas: boolean;
    /** Whether CSV files begin with a byte order mark. */
    readonly bom: boolean;
  };
  /** Absent if exports from a snapshot are off. */
  readonly snapshot?: SnapshotSettings;
}

/** Settings of exports from a snapshot. */
export interface SnapshotSettings {
  /** The deadline of one export, in milliseconds. */
  readonly maxDuration: number;
  /** The maximum number of concurrent exports from a snapshot. */
  readonly max: number;
}

/** Settings of the endpoint of atomic operations. */
export interface OperationsSettings {
  /** The path of the endpoint below the prefix, one segment. */
  readonly path: string;
  readonly maxOperations: number;
  /** The deadline of one request, in milliseconds. */
  readonly timeout: number;
}

/** The default of `exactUpTo`. A count that reads an index up to this row takes a few milliseconds. */
export const EXACT_UP_TO = 10_000;

/** The warning that is logged once if cursors are encrypted with a random key. */
export const RANDOM_KEYS =
  'rest.cursorKeys is not set: cursors of pages are encrypted by a random key, so they end with this process, and other instances cannot read them.';
