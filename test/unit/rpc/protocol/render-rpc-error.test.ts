import { describe, expect, it } from '@jest/globals';
import { AccessDeniedError } from '../../../../lib/errors/access-denied-error.js';
import { ApiError, type ApiErrorOptions } from '../../../../lib/errors/api-error.js';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../../lib/errors/error-catalogue.js';
import { renderRpcError, rpcStatus } from '../../../../lib/rpc/protocol/render-rpc-error.js';

describe('renderRpcError', () => {
  it.each<[string, ApiErrorOptions, object]>([
    ['a bad request', {}, {}],
    ['a data-layer error without a code', { orm: {} }, { orm: true }],
    ['a data-layer error with its code', { orm: { code: 'P2002' } }, { orm: true, code: 'P2002' }],
    ['a refusal by policy', { orm: { code: '42501' }, rejectedByPolicy: true }, { orm: true, code: '42501', rejectedByPolicy: true }],
  ])('renders %s flat, and the same under `error`', (_, options, members) => {
    const flat = { message: 'It failed.', ...members };
    expect(renderRpcError(new ApiError('query-error', 'It failed.', options))).toEqual({ ...flat, error: flat });
  });

  it.each(['P2002', '23505', '23P01', undefined])('has the reason unique-conflict, with any code of the data layer: %s', (code) => {
    const flat = { message: 'It is taken.', orm: true, ...(code && { code }), reason: 'unique-conflict' };
    const orm = code === undefined ? {} : { code };
    expect(renderRpcError(new ApiError('unique-conflict', 'It is taken.', { orm }))).toEqual({ ...flat, error: flat });
  });

  it('has the rejectReason cannot-read-back where a result cannot be read back', () => {
    const error = new ApiError('forbidden', 'Not readable.', { rejectedByPolicy: true, reason: 'RESULT_NOT_READABLE' });
    const flat = { message: 'Not readable.', rejectedByPolicy: true, reason: 'RESULT_NOT_READABLE' };
    expect(renderRpcError(error)).toEqual({ ...flat, error: { ...flat, rejectReason: 'cannot-read-back' } });
  });

  it('marks an AccessDeniedError as rejected by policy', () => {
    expect(renderRpcError(new AccessDeniedError('Admins only.'))).toMatchObject({ message: 'Admins only.', rejectedByPolicy: true });
  });

  it('has the details of all problems as one message', () => {
    const error = new ApiError('validation-error', 'title is too short.', {
      others: [{ code: 'validation-error', detail: 'email is none.' }],
    });
    expect(renderRpcError(error).message).toBe('title is too short. email is none.');
  });

  it('names the operation of a batch that failed', () => {
    expect(renderRpcError(new ApiError('not-found', 'It is gone.', { callIndex: 2 })).message).toBe('operations[2]: It is gone.');
  });

  it('hides the cause', () => {
    const error = new ApiError('unknown-error', 'Something went wrong.', { cause: new Error('SELECT secret FROM /etc/passwd') });
    expect(JSON.stringify(renderRpcError(error))).not.toContain('secret');
  });
});

describe('rpcStatus', () => {
  const own: Partial<Record<ErrorCode, number>> = {
    'not-found': 404,
    'forbidden': 403,
    'client-id-forbidden': 403,
    'payload-too-large': 413,
    'unsupported-media-type': 415,
    'precondition-failed': 412,
    'precondition-required': 428,
    'idempotency-key-reused': 422,
    'idempotency-in-progress': 409,
    'outcome-unknown': 500,
    'unavailable': 503,
    'unknown-error': 500,
  };

  it.each((Object.keys(ERROR_CATALOGUE) as ErrorCode[]).map((code) => [code, own[code] ?? 400] as const))(
    'answers %s with %i',
    (code, status) => {
      expect(rpcStatus(new ApiError(code, 'x'))).toBe(status);
    },
  );

  it('keeps the status of an HTTP exception of the application', () => {
    expect(rpcStatus(new ApiError('unknown-error', 'x', { http: { status: 429, code: 'slow-down', title: 'Slow down' } }))).toBe(429);
  });

  it('returns the most general status of several problems', () => {
    expect(
      rpcStatus(
        ApiError.of([
          { code: 'not-found', detail: 'a' },
          { code: 'invalid-value', detail: 'b' },
        ]),
      ),
    ).toBe(400);
    expect(
      rpcStatus(
        ApiError.of([
          { code: 'unknown-error', detail: 'a' },
          { code: 'invalid-value', detail: 'b' },
        ]),
      ),
    ).toBe(500);
  });
});
