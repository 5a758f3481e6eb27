import { ApiError } from '../../../lib/errors/api-error.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { hideUnknownNames } from '../../../lib/platform/hide-unknown-names.js';
import { RPC_STYLE } from '../../../lib/rpc/rpc-style.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const words = RPC_STYLE.words;
const { model } = buildResourceModel(resourceSchema);
const refusal = (detail: string, callIndex?: number) =>
  new ApiError('query-error', detail, { orm: { code: 'x' }, ...(callIndex !== undefined && { callIndex }) });

describe('hideUnknownNames', () => {
  it.each([
    'Argument `passwordHash` is missing.',
    'Argument `where` needs at least one of `id`, `email` or `recoveryCode` arguments.',
    'Invalid input: expected string, received undefined at "data.passwordHash"',
    'Invalid input: expected string, received undefined at "data.posts.create[1].passwordHash"',
    "Unknown field 'tokens'.",
  ])('replaces the detail %s', (detail) => {
    const { problems, orm } = hideUnknownNames(refusal(detail), model, words);
    expect(problems).toEqual([{ code: 'query-error', detail: 'The data layer refused the query.' }]);
    expect(orm).toEqual({ code: 'x' });
  });

  it.each([
    'Argument `title` is missing.',
    'Argument `where` is missing.',
    'The data layer refused the query.',
    'Invalid at "data[0].title"',
  ])('keeps %s', (detail) => {
    const error = refusal(detail);
    expect(hideUnknownNames(error, model, words)).toBe(error);
  });

  it('replaces the issues of the value of a hidden field', () => {
    const issue = (name: string) => ({ code: 'too_small', message: 'Too small', path: ['data', 1, name] });
    const refused = (...names: readonly string[]) => {
      const cause = Object.assign(new Error('x'), { reason: 'invalid-input', cause: { issues: names.map(issue) } });
      return new ApiError('validation-error', 'data.1.title: Too small.', { orm: {}, cause });
    };
    const shown = refused('title');
    expect(hideUnknownNames(shown, model, words)).toBe(shown);
    const { problems } = hideUnknownNames(refused('title', 'passwordHash'), model, words);
    expect(problems).toEqual([{ code: 'validation-error', detail: 'The data layer refused these values.' }]);
    const check = new ApiError('validation-error', 'A value violates a constraint of the database.', { orm: {}, cause: new Error('x') });
    expect(hideUnknownNames(check, model, words)).toBe(check);
  });

  it('keeps errors of this package, which quote the request', () => {
    const error = new ApiError('query-error', 'There is no `passwordHash`.');
    expect(hideUnknownNames(error, model, words)).toBe(error);
  });

  it('keeps the index of the operation of a batch that failed', () => {
    expect(hideUnknownNames(refusal('Argument `passwordHash` is missing.', 2), model, words).callIndex).toBe(2);
  });
});
