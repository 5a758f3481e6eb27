import { describe, expect, it } from '@jest/globals';
import { FailedCallError } from '../../../lib/errors/failed-call-error.js';
import { missingGrant } from '../../../lib/errors/missing-grant.js';

const refusal = (originalMessage: string): Error =>
  Object.assign(new Error('Database error.'), { meta: { driverAdapterError: { cause: { originalCode: '42501', originalMessage } } } });

describe('missingGrant', () => {
  it('tells what a role lacks, in a transaction too', () => {
    expect(missingGrant(refusal('permission denied for table Tag'))).toBe('permission denied for table Tag');
    expect(missingGrant(new FailedCallError(1, refusal('permission denied for sequence Tag_id_seq')))).toMatch(/sequence/);
  });

  it('is silent of a refusal by a policy, and of anything else', () => {
    expect(missingGrant(refusal('new row violates row-level security policy for table "Tag"'))).toBeUndefined();
    expect(missingGrant(undefined)).toBeUndefined();
  });
});
