/** The SQL statements that reached the database since the last `clear()`. */
export class StatementLog {
  #statements: string[] = [];
  #mayHaveWritten = true;

  /** Every statement in order, transaction control included. */
  get all(): readonly string[] {
    return this.#statements;
  }

  /** The statements that read or write: all but transaction control and the limit of time that comes first in a transaction. */
  get queries(): readonly string[] {
    return this.#statements.filter((sql) => !TRANSACTION_CONTROL.test(sql) && !LIMIT_OF_TIME.test(sql));
  }

  /** `BEGIN`, `COMMIT`, `ROLLBACK` and savepoints. */
  get transactionControl(): readonly string[] {
    return this.#statements.filter((sql) => TRANSACTION_CONTROL.test(sql));
  }

  /** The statements that change rows. */
  get writes(): readonly string[] {
    return this.#statements.filter((sql) => /^\s*(insert|update|delete|truncate|merge)\b/i.test(sql));
  }

  /** Whether there has been anything but reads since the last `restored()`; `clear()` forgets no write. */
  get mayHaveWritten(): boolean {
    return this.#mayHaveWritten;
  }

  /** Marks the rows as restored to the seed. */
  restored(): void {
    this.#mayHaveWritten = false;
  }

  add(sql: string): void {
    // The check of session settings at start may end while a test runs.
    if (SESSION_SETTINGS.test(sql)) return;
    this.#statements.push(sql);
    if (!TRANSACTION_CONTROL.test(sql) && !READ.test(sql)) this.#mayHaveWritten = true;
  }

  clear(): void {
    this.#statements = [];
  }
}

const TRANSACTION_CONTROL = /^\s*(begin|commit|rollback|savepoint|release|start transaction|set transaction)\b/i;

/** Sequences are moved by a SELECT, too. */
const READ = /^\s*select\b(?![^]*\b(?:setval|nextval)\b)/i;

/** Statements that set a `statement_timeout`, and that read it. */
const LIMIT_OF_TIME = /^select (?:set_config\('statement_timeout'|extract\(epoch from current_setting\('statement_timeout'\))/i;

const SESSION_SETTINGS = /^select '\w+'::text as "name", current_setting\(/i;
