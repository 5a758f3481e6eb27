import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../../lib/errors/api-error.js';
import { renderErrors } from '../../../../lib/rest/render/render-errors.js';

describe('renderErrors', () => {
  it('gives each problem its code, status, title and detail', () => {
    const error = ApiError.of([
      { code: 'invalid-sort', detail: "There is no field 'titel'.", source: { parameter: 'sort' } },
      { code: 'not-found', detail: 'There is no post with id 7.' },
    ]);
    expect(renderErrors(error, false)).toEqual({
      errors: [
        { code: 'invalid-sort', status: 400, title: 'Invalid sort', detail: "There is no field 'titel'.", source: { parameter: 'sort' } },
        { code: 'not-found', status: 404, title: 'Resource not found', detail: 'There is no post with id 7.' },
      ],
    });
  });

  it('writes the status as a string in strict mode (ER-02)', () => {
    expect(renderErrors(new ApiError('forbidden', 'No.'), true).errors).toEqual([
      { code: 'forbidden', status: '403', title: 'Forbidden', detail: 'No.' },
    ]);
  });

  it('carries the code of the data layer as a member, in strict mode in meta (ER-05)', () => {
    const error = new ApiError('unique-conflict', 'Taken.', { orm: { code: 'P2002' } });
    expect(renderErrors(error, false).errors[0]).toEqual(expect.objectContaining({ ormCode: 'P2002' }));
    expect(renderErrors(error, false).errors[0]).not.toHaveProperty('meta');
    expect(renderErrors(error, true).errors[0]).toEqual(expect.objectContaining({ meta: { ormCode: 'P2002' } }));
    expect(renderErrors(error, true).errors[0]).not.toHaveProperty('ormCode');
  });

  it('leaves the code out when the data layer threw without one', () => {
    expect(renderErrors(new ApiError('query-error', 'No.', { orm: {} }), false).errors[0]).not.toHaveProperty('ormCode');
  });

  it('names the occurrence and the reason', () => {
    const error = new ApiError('forbidden', 'Saved.', { reason: 'RESULT_NOT_READABLE', orm: { code: 'P2004' } });
    expect(renderErrors(error, true, 'e-1').errors[0]).toEqual(
      expect.objectContaining({ id: 'e-1', meta: { reason: 'RESULT_NOT_READABLE', ormCode: 'P2004' } }),
    );
  });

  it('keeps status, code and title of an HTTP exception of the application', () => {
    const error = new ApiError('unknown-error', 'Slow down.', {
      http: { status: 429, code: 'too-many-requests', title: 'Too Many Requests' },
    });
    expect(renderErrors(error, false).errors).toEqual([
      { code: 'too-many-requests', status: 429, title: 'Too Many Requests', detail: 'Slow down.' },
    ]);
  });

  it('omits the cause and the stack', () => {
    const error = new ApiError('unknown-error', 'Something went wrong.', { cause: new Error('SELECT secret') });
    expect(JSON.stringify(renderErrors(error, false))).not.toContain('secret');
  });
});
