/** As many keys as a statement takes on every database. */
const MOST_KEYS = 500;

/** Rows in groups of as many as one statement can name by their keys. */
export function keyChunks<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const count = Math.ceil(rows.length / MOST_KEYS);
  return Array.from({ length: count }, (_, index) => rows.slice(index * MOST_KEYS, (index + 1) * MOST_KEYS));
}
