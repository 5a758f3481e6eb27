/** What a validator of the host requires of a record, as JSON Schema, for the OpenAPI document. Fields have their Prisma names. */
export interface RecordShape {
  /** Keywords of draft 2020-12 that narrow a field, e.g. `{ minLength: 3 }`. */
  readonly fields: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Fields that must be given. */
  readonly required: ReadonlySet<string>;
}

/** Of a validator that cannot be expressed in JSON Schema. */
export const UNKNOWN_SHAPE: RecordShape = { fields: new Map(), required: new Set() };
