/** A record as the data client gives it: its selected fields by Prisma's names. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of the primary data, and the total of the collection where it was counted. A document of one resource has one row, or none for null. */
export interface RowPage {
  readonly rows: readonly Row[];
  readonly total?: number | undefined;
}
