import { ApiError } from '../../../lib/errors/api-error.js';

describe('ApiError', () => {
  it('takes its status from the catalogue', () => {
    expect(new ApiError('unique-conflict', 'x').status).toBe(409);
  });

  it('keeps every problem, and the status that they share', () => {
    const error = ApiError.of([
      { code: 'invalid-sort', detail: 'One.', source: { parameter: 'sort' } },
      { code: 'invalid-page', detail: 'Two.' },
    ]);
    expect(error).toMatchObject({ status: 400, message: 'One.' });
    expect(error.problems).toEqual([
      { code: 'invalid-sort', detail: 'One.', source: { parameter: 'sort' } },
      { code: 'invalid-page', detail: 'Two.' },
    ]);
  });

  it.each([
    [['not-found', 'type-conflict'], 400],
    [['not-found', 'unknown-error'], 500],
    [['not-found', 'not-found'], 404],
  ] as const)('answers %p with the most general status, %d', (codes, status) => {
    expect(ApiError.of(codes.map((code) => ({ code, detail: code }))).status).toBe(status);
  });

  it('keeps one of several equal problems, and at most 20', () => {
    const problem = { code: 'not-found', detail: 'There is no tag with id 7.', source: { pointer: '/data/0' } } as const;
    const other = { ...problem, source: { pointer: '/data/1' } };
    expect(ApiError.of([problem, other, { ...problem }]).problems).toEqual([problem, other]);
    const many = Array.from({ length: 50 }, (_, index) => ({ code: 'not-found' as const, detail: `${index >> 1}` }));
    expect(ApiError.of(many).problems).toHaveLength(20);
  });

  it('leaves out a source whose pointer is too long', () => {
    const at = (length: number): object => new ApiError('not-found', 'x', { source: { pointer: `/${'x'.repeat(length)}` } }).problems[0];
    expect(at(200)).toHaveProperty('source');
    expect(at(300)).not.toHaveProperty('source');
  });

  it('requires a problem', () => {
    expect(() => ApiError.of([])).toThrow(TypeError);
  });
});
