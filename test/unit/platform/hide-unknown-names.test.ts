import { ApiError } from '../../../lib/errors/api-error.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { hideUnknownNames } from '../../../lib/platform/hide-unknown-names.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const { model } = buildResourceModel(resourceSchema);
const refusal = (detail: string, callIndex?: number) =>
  new ApiError('query-error', detail, { orm: { code: 'x' }, ...(callIndex !== undefined && { callIndex }) });

describe('hideUnknownNames', () => {
  it.each([
    'Argument `passwordHash` is missing.',
    'Argument `where` needs at least one of `id`, `email` or `recoveryCode` arguments.',
    'Invalid input: expected string, received undefined at "data.passwordHash"',
    "Unknown field 'tokens'.",
  ])('takes back %s', (detail) => {
    const { problems, orm } = hideUnknownNames(refusal(detail), model);
    expect(problems).toEqual([{ code: 'query-error', detail: 'The data layer refused the query.' }]);
    expect(orm).toEqual({ code: 'x' });
  });

  it.each(['Argument `title` is missing.', 'Argument `where` is missing.', 'The data layer refused the query.'])('keeps %s', (detail) => {
    const error = refusal(detail);
    expect(hideUnknownNames(error, model)).toBe(error);
  });

  it('keeps our own errors, which quote what the client wrote', () => {
    const error = new ApiError('query-error', 'There is no `passwordHash`.');
    expect(hideUnknownNames(error, model)).toBe(error);
  });

  it('still tells which operation of a batch failed', () => {
    expect(hideUnknownNames(refusal('Argument `passwordHash` is missing.', 2), model).callIndex).toBe(2);
  });
});
