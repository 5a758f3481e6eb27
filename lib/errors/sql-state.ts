/** Whether a code is a SQLSTATE: five characters with a digit. Node's codes, e.g. `EPIPE`, have no digit. Prisma's begin with `P1` to `P6`. */
export function isSqlState(code: unknown): code is string {
  return typeof code === 'string' && SQL_STATE.test(code);
}

/** Whether PostgreSQL closes the connection or has lost it. Such a code does not say whether the statement was executed. */
export function endsConnection(code: unknown): boolean {
  return isSqlState(code) && /^(?:08|57P)/.test(code);
}

const SQL_STATE = /^(?!P[1-9])(?=.*\d)[0-9A-Z]{5}$/;
