/**
 * The metadata that travels beside JSON as `meta.serialization`, in superjson's own form (specification, section 2, "Serialization
 * of data types"), e.g. `{ values: { 'data.0.createdAt': ['Date'], 'data.0.price': [['custom', 'Decimal']] } }`.
 *
 * superjson 1.13 and 2.2 both read it. `referentialEqualities` is never written: rows share no references.
 */
export interface Serialization {
  /** By path, dots and backslashes in a key escaped by a backslash; the bare annotation where the whole value is one scalar. */
  readonly values: Annotation | Readonly<Record<string, Annotation>>;
  /** Written only where a path holds an escaped backslash, which superjson 2.2 reads as such only with it. */
  readonly v?: 1;
}

/** What superjson writes about one value: its type in a list of one. */
export type Annotation = readonly [WireType];

/** The types that JSON lacks and this codec carries. */
export type WireType =
  | 'Date'
  | 'bigint'
  | 'number'
  | 'undefined'
  | readonly ['custom', 'Decimal']
  | readonly ['custom', 'Bytes']
  | readonly ['typed-array', 'Uint8Array'];
