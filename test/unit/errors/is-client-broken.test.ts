import { describe, expect, it } from '@jest/globals';
import { FailedCallError } from '../../../lib/errors/failed-call-error.js';
import { isClientBroken } from '../../../lib/errors/is-client-broken.js';
import { toApiError } from '../../../lib/errors/to-api-error.js';

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

const BROKEN = [
  named('PrismaClientRustPanicError', 'entered unreachable code'),
  named('PrismaClientUnknownRequestError', 'Invalid `prisma.post.findMany()` invocation:\n\n\nmemory access out of bounds'),
  named('RuntimeError', 'memory access out of bounds'),
  named('RuntimeError', 'unreachable'),
  new FailedCallError(1, named('RuntimeError', 'unreachable')),
];

const OTHERS = [
  named('PrismaClientUnknownRequestError', 'where: { title: "memory access out of bounds" }\n\nNo such column'),
  named('Error', 'unreachable'),
  Object.assign(named('PrismaClientKnownRequestError', 'unreachable'), { code: 'P2002' }),
  undefined,
  'unreachable',
];

describe('a broken client', () => {
  it.each(BROKEN)('is recognized by %s, and answered with status 503', (error) => {
    expect(isClientBroken(error)).toBe(true);
    expect(toApiError(error)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' }, orm: {} });
  });

  it.each(OTHERS)('is not recognized in %s', (error) => {
    expect(isClientBroken(error)).toBe(false);
  });

  it('is not recognized in an error that is its own cause', () => {
    const error = new Error('x');
    error.cause = error;
    expect(isClientBroken(error)).toBe(false);
  });
});
