import { invalidValues } from '../../../lib/errors/invalid-values.js';

type Issue = Readonly<Record<string, unknown>>;

const refused = (...issues: readonly Issue[]): Error => {
  return Object.assign(new Error('x'), { reason: 'invalid-input', cause: { name: 'ZodError', issues } });
};
const short = (...path: readonly (string | number)[]): Issue => ({ code: 'too_small', path, message: 'Too small' });
const missing = (...path: readonly (string | number)[]): Issue => ({ code: 'invalid_type', path, message: 'Invalid input' });
const union = (path: readonly string[], ...errors: readonly (readonly Issue[])[]): Issue => ({ code: 'invalid_union', path, errors });

describe('invalidValues', () => {
  it.each(['too_small', 'too_big', 'invalid_format', 'custom'])('returns the path and the message of an issue %s', (code) => {
    const error = refused({ ...short('data', 1, 'name'), code });
    expect(invalidValues(error)).toEqual([{ path: ['data', 1, 'name'], message: 'Too small' }]);
  });

  it('returns the issues of the member of a union that has wrong values alone', () => {
    const form = union(['data'], [short('name'), missing('author')], [short('name'), short('slug')]);
    expect(invalidValues(refused(form)).map(({ path }) => path.join('.'))).toEqual(['data.name', 'data.slug']);
    const inner = union(['data'], [union(['posts'], [missing('create')], [short('create', 'slug')])]);
    expect(invalidValues(refused(inner)).map(({ path }) => path.join('.'))).toEqual(['data.posts.create.slug']);
  });

  it.each([
    ['a value of another type', refused(short('data', 'name'), missing('data', 'slug'))],
    ['a form that no branch has', refused(union(['data'], [missing('name')], [missing('author')]))],
    ['a union without branches', refused(union(['data']))],
    ['a filter', refused(short('where', 'id'))],
    ['an unknown key', refused({ code: 'unrecognized_keys', path: ['data'], message: 'Unrecognized key' })],
    ['another reason', Object.assign(refused(short('data', 'name')), { reason: 'not-found' })],
    ['no cause', Object.assign(new Error('x'), { reason: 'invalid-input' })],
    ['anything else', undefined],
  ])('returns nothing for %s', (_, error) => {
    expect(invalidValues(error)).toEqual([]);
  });
});
