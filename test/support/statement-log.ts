/** The SQL statements that reached the database since the last `clear()`. */
export class StatementLog {
  #statements: string[] = [];

  /** Every statement in order, transaction control included. */
  get all(): readonly string[] {
    return this.#statements;
  }

  /** The statements that read or write: all but transaction control. */
  get queries(): readonly string[] {
    return this.#statements.filter((sql) => !TRANSACTION_CONTROL.test(sql));
  }

  /** `BEGIN`, `COMMIT`, `ROLLBACK` and savepoints. */
  get transactionControl(): readonly string[] {
    return this.#statements.filter((sql) => TRANSACTION_CONTROL.test(sql));
  }

  /** The statements that change rows. */
  get writes(): readonly string[] {
    return this.#statements.filter((sql) => /^\s*(insert|update|delete|truncate|merge)\b/i.test(sql));
  }

  add(sql: string): void {
    this.#statements.push(sql);
  }

  clear(): void {
    this.#statements = [];
  }
}

const TRANSACTION_CONTROL = /^\s*(begin|commit|rollback|savepoint|release|start transaction|set transaction)\b/i;
