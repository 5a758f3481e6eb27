/** The row that a write of a transaction returns, for calls after it whose values are its own. */
export class ComingRow {
  readonly kind = 'coming-row';
}

/** In place of a value: that of a field of a row which is there once an earlier write of the transaction has returned it. */
export class LaterValue {
  constructor(
    readonly row: ComingRow,
    /** The name of the field. */
    readonly field: string,
  ) {
    Object.freeze(this);
  }
}
