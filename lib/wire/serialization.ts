/**
 * superjson's metadata in `meta.serialization` (specification, section 2, "Serialization of data types"), e.g. `{ values: {
 * 'data.0.createdAt': ['Date'], 'data.0.price': [['custom', 'Decimal']] } }`.
 *
 * superjson 1.13 and 2.2 both read it. `referentialEqualities` is never written, because rows share no references.
 */
export interface Serialization {
  /** Annotations by path; dots and backslashes in keys are escaped by a backslash. A single annotation where the whole value is one scalar. */
  readonly values: Annotation | Readonly<Record<string, Annotation>>;
  /** Written only if a path contains an escaped backslash, because superjson 2.2 parses it only with `v: 1`. */
  readonly v?: 1;
}

/** superjson's annotation of one value: its type in an array of one. */
export type Annotation = readonly [WireType];

/** The types that JSON lacks and that this encoding supports. */
export type WireType =
  | 'Date'
  | 'bigint'
  | 'number'
  | 'undefined'
  | readonly ['custom', 'Decimal']
  | readonly ['custom', 'Bytes']
  | readonly ['typed-array', 'Uint8Array'];
