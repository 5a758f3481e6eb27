import { describe, expect, it } from '@jest/globals';
import { missingGrant, refusedParameter, refusedParameterText } from '../../../lib/errors/database-messages.js';
import { FailedCallError } from '../../../lib/errors/failed-call-error.js';

/** An error of Prisma that wraps what the database reported. */
const byPrisma = (originalCode: string, originalMessage: string): Error =>
  Object.assign(new Error('Database error.'), { meta: { driverAdapterError: { cause: { originalCode, originalMessage } } } });

describe('missingGrant', () => {
  it('returns the message that names the missing privilege, also of a failed call of a transaction', () => {
    expect(missingGrant(byPrisma('42501', 'permission denied for table Tag'))).toBe('permission denied for table Tag');
    expect(missingGrant(new FailedCallError(1, byPrisma('42501', 'permission denied for sequence Tag_id_seq')))).toMatch(/sequence/);
  });

  it('returns undefined for a refusal by a policy, and for any other error', () => {
    expect(missingGrant(byPrisma('42501', 'new row violates row-level security policy for table "Tag"'))).toBeUndefined();
    expect(missingGrant(undefined)).toBeUndefined();
  });
});

describe('refusedParameter', () => {
  it.each([
    ['unsupported startup parameter: statement_timeout', 'statement_timeout'],
    ['unsupported startup parameter in options: lock_timeout', 'lock_timeout'],
    ["Feature not supported: RDS Proxy currently doesn't support command-line options.", 'options'],
  ])('finds it in %j, of the driver or of Prisma', (message, parameter) => {
    expect(refusedParameter(new Error(message))).toBe(parameter);
    expect(refusedParameter(byPrisma('08P01', message))).toBe(parameter);
  });

  it('returns undefined for other errors', () => {
    expect(refusedParameter(byPrisma('08P01', 'unrecognized configuration parameter "x"'))).toBeUndefined();
    expect(refusedParameter(undefined)).toBeUndefined();
  });

  it('returns undefined for a message that quotes a value of a request', () => {
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
