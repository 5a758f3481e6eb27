import { BadRequestException, ForbiddenException, HttpException, UnauthorizedException } from '@nestjs/common';
import { AccessDeniedError } from '../../../lib/errors/access-denied-error.js';
import { ApiError } from '../../../lib/errors/api-error.js';
import { FailedCallError } from '../../../lib/errors/failed-call-error.js';
import { toApiError } from '../../../lib/errors/to-api-error.js';

/** An error as the Prisma client throws it. Its name and members identify it, since each generated client has separate classes. */
function prismaError(name: string, members: object = {}, message = 'Invalid `prisma.user.create()` invocation: secret'): Error {
  return Object.assign(new Error(message), { name, ...members });
}
const knownError = (code: string, meta: object = {}): Error => prismaError('PrismaClientKnownRequestError', { code, meta });

describe('toApiError', () => {
  it.each([
    ['P2025', 'not-found', 404],
    ['P2002', 'unique-conflict', 409],
    ['P2003', 'reference-conflict', 409],
    ['P2014', 'reference-conflict', 409],
    ['P2000', 'invalid-value', 400],
    ['P2020', 'invalid-value', 400],
    ['P2024', 'unavailable', 503],
    ['P2028', 'unavailable', 503],
    ['P2034', 'unavailable', 503],
    ['P1001', 'unavailable', 503],
    ['P2022', 'unknown-error', 500],
    ['P2999', 'query-error', 400],
    ['P2023', 'unknown-error', 500],
    ['ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG', 'unknown-error', 500],
  ])('maps Prisma %s to %s', (code, expected, status) => {
    const error = toApiError(knownError(code));
    expect(error).toMatchObject({ status, orm: { code }, problems: [{ code: expected }] });
    expect(error.message).not.toContain('secret');
  });

  it('answers with status 503 and Retry-After while the database cannot be reached', () => {
    for (const text of ['timeout exceeded when trying to connect', 'Connection terminated unexpectedly', 'Query read timeout']) {
      expect(toApiError(new Error(text))).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    }
    const mariadb = knownError('P2039', {
      driverAdapterError: { cause: { originalMessage: 'pool timeout: failed to retrieve a connection from pool' } },
    });
    expect([toApiError(mariadb).status, toApiError(knownError('P1003')).status, toApiError(knownError('P1010')).status]).toEqual([
      503, 503, 503,
    ]);
    const lost = new Error('Client has encountered a connection error and is not queryable');
    expect(toApiError(lost)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(toApiError(knownError('P2024')).headers).toEqual({ 'Retry-After': '1' });
    expect(toApiError(prismaError('PrismaClientInitializationError', { errorCode: 'P1001' })).status).toBe(503);
    expect(toApiError(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })).status).toBe(503);
  });

  it.each(['ConnectionClosed', 'SocketTimeout', 'DatabaseNotReachable'])(
    'answers with status 503 for the adapter error %s, which Prisma throws without a code',
    (kind) => {
      // As Prisma throws it where it makes a savepoint in the application's transaction.
      const error = Object.assign(new Error(kind), { name: 'DriverAdapterError', cause: { kind } });
      expect(toApiError(error)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    },
  );

  it.each([
    ['a CHECK of SQLite', '275', 'validation-error', 422],
    ['a CHECK of MySQL', '3819', 'validation-error', 422],
    ['a CHECK of MariaDB', '4025', 'validation-error', 422],
    ['a text that the character set of a MariaDB column lacks', '1366', 'invalid-value', 400],
    ['a lock that MariaDB did not grant in time', '1205', 'unavailable', 503],
  ])('maps %s by the error code of the driver', (_, originalCode, code, status) => {
    const error = toApiError(knownError('P2039', { driverAdapterError: { cause: { originalCode } } }));
    expect(error).toMatchObject({ status, problems: [{ code }] });
  });

  it.each([
    ['a transaction that is aborted', '25P02', 'unknown-error', 500],
    ['a transaction that may not write', '25006', 'unavailable', 503],
    ['a connection that fails', '08006', 'unavailable', 503],
    ['a full disk', '53100', 'unavailable', 503],
    ['a server that shuts down', '57P02', 'unavailable', 503],
    ['a file that cannot be read', '58030', 'unknown-error', 500],
    ['an internal error', 'XX000', 'unknown-error', 500],
  ])('maps %s to an error of the server, through Prisma and from the driver', (_, state, code, status) => {
    const driver = Object.assign(new Error('secret'), { name: 'DriverAdapterError', cause: { originalCode: state } });
    for (const error of [
      knownError('P2039', { driverAdapterError: driver }),
      driver,
      Object.assign(new Error('secret'), { code: state }),
    ]) {
      expect(toApiError(error)).toMatchObject({ status, problems: [{ code }] });
    }
  });

  it.each([
    ['PostgreSQL through a driver adapter', knownError('P2039', { driverAdapterError: { cause: { originalCode: '42501' } } })],
    ['PostgreSQL in a raw query', Object.assign(new Error('permission denied'), { code: '42501' })],
    ['ZenStack 2', knownError('P2004', { reason: 'ACCESS_POLICY_VIOLATION' })],
    ['ZenStack 3', prismaError('ORMError', { reason: 'rejected-by-policy' })],
    [
      'ZenStack 3.9, whose error is called Error',
      prismaError('Error', { reason: 'rejected-by-policy', rejectedByPolicyReason: 'no-access' }),
    ],
  ])('answers a refusal of %s with status 403 and rejectedByPolicy', (_, error) => {
    expect(toApiError(error)).toMatchObject({ status: 403, rejectedByPolicy: true, orm: {}, problems: [{ code: 'forbidden' }] });
  });

  it.each(['ERR_MODULE_NOT_FOUND', 'ENOENT', 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING'])(
    "maps a code of Prisma's error that is not Prisma's to status 500: %s",
    (code) => {
      expect(toApiError(knownError(code))).toMatchObject({ status: 500, problems: [{ code: 'unknown-error' }] });
    },
  );

  it('keeps the reason of a write that succeeded and cannot be read back', () => {
    expect(toApiError(knownError('P2004', { reason: 'RESULT_NOT_READABLE' })).reason).toBe('RESULT_NOT_READABLE');
  });

  it("answers an unknown argument with status 400 and the last paragraph of Prisma's message, without the code frame", () => {
    const message =
      '\nInvalid `client.post.findMany()` invocation in\n/srv/app/post.ts:3:4\n\n  1 x\n\nUnknown argument `relationLoadStrategy`. Available\noptions are marked with ?.';
    const error = toApiError(prismaError('PrismaClientValidationError', {}, message));
    expect(error.message).toBe('Unknown argument `relationLoadStrategy`. Available options are marked with ?.');
    expect(error.status).toBe(400);
  });

  it.each([
    'Unknown field `x` for select statement on model `Post`.',
    'Unknown argument `x`. Available options are marked with ?.',
    'Argument `passwordHash` is missing.',
    'Invalid value for argument `role`. Expected Role.',
  ])('maps any other error to status 500: %s', (paragraph) => {
    const message = `Invalid \`prisma.post.findMany()\` invocation:\n\n{ select: { x: true } }\n\n${paragraph}`;
    const error = toApiError(prismaError('PrismaClientValidationError', {}, message));
    expect(error).toMatchObject({ status: 500, orm: {}, problems: [{ code: 'unknown-error' }] });
    expect(error.message).not.toContain(paragraph);
  });

  it.each([
    [new ForbiddenException('No.'), 403, 'forbidden', 'No.'],
    [new BadRequestException('No body.'), 400, 'bad-request', 'No body.'],
    [
      Object.assign(new Error('request entity too large'), { status: 413 }),
      413,
      'payload-too-large',
      'The request body is larger than this API accepts.',
    ],
  ])('keeps status and text of %p', (thrown, status, code, message) => {
    expect(toApiError(thrown)).toMatchObject({ status, message, problems: expect.arrayContaining([expect.objectContaining({ code })]) });
  });

  it("has a problem for each message of Nest's ValidationPipe", () => {
    const problems = [
      { code: 'bad-request', detail: 'name is short.' },
      { code: 'bad-request', detail: 'age is low.' },
    ];
    expect(toApiError(new BadRequestException(['name is short', 'age is low'])).problems).toEqual(problems);
  });

  it('keeps a status that the catalogue does not have', () => {
    expect(toApiError(new UnauthorizedException())).toMatchObject({
      status: 401,
      http: { status: 401, code: 'unauthorized', title: 'Unauthorized' },
    });
    expect(toApiError(new HttpException('slow down', 429))).toMatchObject({
      status: 429,
      http: { code: 'too-many-requests' },
      message: 'slow down.',
    });
    expect(toApiError(new HttpException({ message: ['one', 'two'] }, 409)).problems).toMatchObject([
      { detail: 'one.' },
      { detail: 'two.' },
    ]);
  });

  it.each([new Error('SELECT secret'), 'a string', undefined, null, { status: 'x' }])(
    'answers with status 500, and hides the message of an unexpected %p',
    (thrown) => {
      expect(toApiError(thrown)).toMatchObject({ status: 500, message: 'An unexpected error occurred.', cause: thrown });
    },
  );

  it('uses the result of mapError, and its own mapping where mapError returns undefined', () => {
    const mine = new AccessDeniedError('Mine.');
    const mapError = (error: unknown): ApiError | undefined => (error instanceof RangeError ? mine : undefined);
    expect(toApiError(new RangeError(), mapError)).toBe(mine);
    expect(toApiError(knownError('P2025'), mapError).status).toBe(404);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('My own fault.');
      },
    ],
    ['is async', () => Promise.resolve(new ApiError('forbidden', 'Mine.'))],
    ['is async and fails', () => Promise.reject(new Error('My own fault.'))],
    ['gives what it got', (error: unknown) => error],
  ])('answers with status 500 where mapError %s', async (_, mapError) => {
    const error = toApiError(knownError('P2025'), mapError as () => undefined);
    expect(error).toMatchObject({ status: 500, problems: [{ code: 'unknown-error', detail: 'An unexpected error occurred.' }] });
    expect(String(error.cause)).toMatch(/My own fault|not a promise/);
    await new Promise(setImmediate);
  });

  it('returns an ApiError that mapError throws', () => {
    const mine = new ApiError('forbidden', 'Mine.');
    expect(
      toApiError(knownError('P2025'), () => {
        throw mine;
      }),
    ).toBe(mine);
  });

  it('returns an ApiError unchanged', () => {
    const error = new ApiError('invalid-sort', 'x');
    expect(toApiError(error, () => new AccessDeniedError())).toBe(error);
  });

  it('has the index of the operation of a batch that failed', () => {
    const error = toApiError(new FailedCallError(2, knownError('P2002')));
    expect(error).toMatchObject({ callIndex: 2, status: 409, orm: { code: 'P2002' } });
  });
});
