import { describe, expect, it } from '@jest/globals';
import { refusedParameter, refusedParameterText } from '../../../lib/errors/refused-parameter.js';

const byPrisma = (originalMessage: string): Error =>
  Object.assign(new Error('Database error.'), { meta: { driverAdapterError: { cause: { originalCode: '08P01', originalMessage } } } });

describe('refusedParameter', () => {
  it.each([
    ['unsupported startup parameter: statement_timeout', 'statement_timeout'],
    ['unsupported startup parameter in options: lock_timeout', 'lock_timeout'],
    ["Feature not supported: RDS Proxy currently doesn't support command-line options.", 'options'],
  ])('finds it in %j, of the driver or of Prisma', (message, parameter) => {
    expect(refusedParameter(new Error(message))).toBe(parameter);
    expect(refusedParameter(byPrisma(message))).toBe(parameter);
  });

  it('finds none in other errors', () => {
    expect(refusedParameter(byPrisma('unrecognized configuration parameter "x"'))).toBeUndefined();
    expect(refusedParameter(undefined)).toBeUndefined();
  });

  it('finds none in a message that quotes a value of a request', () => {
    const value = 'unsupported startup parameter: statement_timeout';
    expect(refusedParameter(new Error(`Unknown argument 'search' in { title: '${value}' }`))).toBeUndefined();
  });
});

describe('refusedParameterText', () => {
  it('names the setting, but for options, which have several', () => {
    expect(refusedParameterText('lock_timeout')).toContain("ALTER ROLE … SET lock_timeout = '…'");
    expect(refusedParameterText('options')).toContain("ALTER ROLE … SET <setting> = '…'");
  });
});
