/** A placeholder for the row that a write of a transaction will return. Later calls of the transaction take values from it. */
export class PendingRow {
  readonly kind = 'coming-row';
}

/** A placeholder for the value of a field of a {@link PendingRow}. It is replaced when the earlier call has returned the row. */
export class PendingValue {
  constructor(
    readonly row: PendingRow,
    /** The name of a field of the row. */
    readonly field: string,
  ) {
    Object.freeze(this);
  }
}
