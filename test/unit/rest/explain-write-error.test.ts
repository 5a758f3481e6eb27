import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../lib/errors/api-error.js';
import { ExplainedError } from '../../../lib/errors/explained-error.js';
import { FailedCallError } from '../../../lib/errors/failed-call-error.js';
import { toApiError } from '../../../lib/errors/to-api-error.js';
import { explainWriteError } from '../../../lib/rest/explain-write-error.js';
import { create, POST, update, user } from './parse/parse-document-helpers.js';
import { STORAGE } from './write-fixture.js';

/** An error as Prisma 7 throws it. */
function prismaError(code: string, meta: object = {}): Error {
  return Object.assign(new Error('secret text'), { name: 'PrismaClientKnownRequestError', code, meta });
}

function uniqueError(...fields: readonly string[]): Error {
  return prismaError('P2002', { driverAdapterError: { cause: { constraint: { fields } } } });
}

/** Returns the error that the service throws, mapped like any other. */
function explain(cause: unknown, intent = create({ data: POST }), mapError?: (error: unknown) => ApiError | undefined): ApiError {
  return toApiError(new ExplainedError((error) => explainWriteError(error, intent, STORAGE), new FailedCallError(1, cause)), mapError);
}

describe('explainWriteError', () => {
  it('names the record that does not exist, by its URL', () => {
    const error = explain(prismaError('P2025'), update({ data: { type: 'post' } }));
    expect(error.problems).toEqual([{ code: 'not-found', detail: 'There is no post with id 7.' }]);
    expect(error.orm).toEqual({ code: 'P2025' });
  });

  it('keeps the text for a create, which names no record', () => {
    expect(explain(prismaError('P2025')).message).toBe('A record that this request depends on does not exist.');
  });

  it.each([
    ['an attribute', uniqueError('slug'), '/data/attributes/slug'],
    ['a column in quotes', uniqueError('"authorId"'), '/data/attributes/authorId'],
    ['the first given of several', uniqueError('year', 'title'), '/data/attributes/title'],
    ['what older releases of Prisma name', prismaError('P2002', { target: ['slug'] }), '/data/attributes/slug'],
  ])('points at the fields of a violated unique constraint: %s (CR-12)', (_, cause, pointer) => {
    expect(explain(cause).problems).toMatchObject([{ code: 'unique-conflict', source: { pointer } }]);
  });

  it('points at the relationship whose foreign key violates a unique constraint', () => {
    const intent = create({ data: { type: 'profile', relationships: { user: { data: user(1) } } } }, { type: 'profile' });
    expect(explain(uniqueError('userId'), intent).problems).toMatchObject([{ source: { pointer: '/data/relationships/user/data' } }]);
  });

  it('points at the id that exists already (CR-03)', () => {
    const intent = create({ data: { type: 'country', id: 'FR', attributes: { name: 'x' } } }, { type: 'country' });
    expect(explain(uniqueError('code'), intent).problems).toMatchObject([{ source: { pointer: '/data/id' } }]);
  });

  it.each([
    ['a column that was not given', uniqueError('passwordHash')],
    ['a constraint by its name alone, as older releases have it', prismaError('P2002', { target: 'Post_slug_key' })],
    ['no constraint at all', prismaError('P2002')],
  ])('points nowhere for %s', (_, cause) => {
    expect(explain(cause).problems[0]).not.toHaveProperty('source');
  });

  it('hides the message of the data layer about its arguments, which may name a hidden field', () => {
    const cause = Object.assign(new Error('Argument `passwordHash` is missing.'), { name: 'PrismaClientValidationError' });
    const error = explain(cause);
    expect(error.status).toBe(500);
    expect(error.message).not.toContain('passwordHash');
  });

  it('returns any other error, and the result of mapError, unchanged', () => {
    const own = new ApiError('forbidden', 'Not on Sundays.');
    expect(explain(prismaError('P2025'), update({ data: { type: 'post' } }), () => own)).toMatchObject({ message: 'Not on Sundays.' });
    expect(explain(new TypeError('x'))).toMatchObject({ status: 500, message: 'An unexpected error occurred.' });
    expect(explain(prismaError('P2024'))).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
  });
});
