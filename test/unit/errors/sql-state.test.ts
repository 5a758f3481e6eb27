import { isSqlState } from '../../../lib/errors/sql-state.js';

describe('a SQLSTATE', () => {
  it.each(['42501', '57P01', '22P02', 'P0001', 'HV00L', 'XX000'])('is %s', (code) => {
    expect(isSqlState(code)).toBe(true);
  });

  it.each(['EPIPE', 'P1017', 'P2002', 'ECONNRESET', '4250', '425011', '42501\n', 'abc12', '', 42501, undefined, null])(
    'is not %j',
    (code) => {
      expect(isSqlState(code)).toBe(false);
    },
  );
});
