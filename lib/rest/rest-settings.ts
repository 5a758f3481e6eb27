/** The options of the REST style with their defaults filled in, frozen at boot. */
export interface RestSettings {
  /** Base of every link, without a trailing slash. */
  readonly endpoint: string;
  /** Rows of a page when `page[limit]` is absent; `Infinity` turns pagination off. */
  readonly pageSize: number;
  /** Largest `page[limit]`. */
  readonly maxPageSize: number;
  /** JSON:API to the letter: decisions D1 to D20. */
  readonly strict: boolean;
  /** Joins the parts of a compound id. */
  readonly idDivider: string;
  /** Whether collections count their total. */
  readonly count: 'exact' | 'none';
}
