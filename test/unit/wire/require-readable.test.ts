import { describe, expect, it } from '@jest/globals';
import { requireReadable, requireReadableResult } from '../../../lib/wire/require-readable.js';
import { attributeOf } from '../model/attribute-of.js';

const invalid = new Date(Number.NaN);
const field = attributeOf('DateTime');
const [id, string] = [attributeOf('Int'), attributeOf('String')];

describe('a date that JavaScript cannot represent', () => {
  it.each([
    [
      'with the values of the key',
      { int: 1, string: 'a', datetime: invalid },
      { name: 'int_string', fields: [id, string] },
      'the row 1, a',
    ],
    ['without them, if the row lacks one', { int: 1, datetime: invalid }, { name: 'int_string', fields: [id, string] }, 'a row'],
    ['without them, if the model has no key', { int: 1, datetime: invalid }, undefined, 'a row'],
    ['in a list', { int: 1, datetime: [new Date(0), invalid] }, { name: 'int', fields: [id] }, 'the row 1'],
  ])('names its row %s', (_, row, key, name) => {
    expect(() => {
      requireReadable(row, field, key);
    }).toThrow(`'Model.datetime' of ${name} is a date that JSON and JavaScript cannot represent`);
  });

  it.each([
    ['a valid date', new Date(0), field],
    ['a list of valid dates', [new Date(0)], field],
    ['null', null, field],
    ['a field of another type', invalid, { ...field, type: 'Json' as const }],
    ['a name that is no field', invalid, undefined],
  ])('is not %s', (_, datetime, of) => {
    expect(() => {
      requireReadable({ datetime }, of, undefined);
    }).not.toThrow();
  });

  it('is rejected as a result of an aggregate function', () => {
    expect(() => {
      requireReadableResult(invalid);
    }).toThrow('A result is a date');
    expect(() => {
      requireReadableResult(new Date(0));
    }).not.toThrow();
  });
});
