import { describe, expect, it } from '@jest/globals';
import { buildStorage } from '../../../../../lib/model/storage/build-storage.js';
import { storedModel } from '../../../../../lib/model/storage/stored-model.js';
import { DB_NULL, JSON_NULL } from '../../../../../lib/model/values/json-value.js';
import { makeServerValue } from '../../../../../lib/run/stages/server-values/make-server-value.js';
import { enumeration, ID, modelOf, scalar, schemaOf } from '../../../model/schema-builder.js';

const storage = buildStorage(
  schemaOf(
    {
      Task: modelOf({
        id: ID,
        title: scalar('String'),
        key: scalar('String', { nativeType: ['Uuid', []] }),
        points: scalar('Int', { optional: true }),
        size: scalar('BigInt'),
        cost: scalar('Decimal'),
        at: scalar('DateTime'),
        done: scalar('Boolean'),
        data: scalar('Json'),
        more: scalar('Json', { optional: true }),
        tags: scalar('String', { list: true }),
        state: enumeration('State'),
      }),
    },
    { State: ['OPEN', 'DONE'] },
  ),
);

function make(name: string, given: unknown): Promise<unknown> {
  const field = storedModel(storage, 'Task').fields.get(name);
  if (!field) throw new Error(name);
  return makeServerValue({ field, action: 'create', make: () => given, place: 'here' }, {});
}

describe('a value of the server', () => {
  const NOON = new Date('2026-01-01T12:00:00Z');
  it.each<[name: string, given: unknown, value: unknown]>([
    ['title', 'text', 'text'],
    ['title', Promise.resolve('later'), 'later'],
    ['points', 3, 3],
    ['points', null, null],
    ['size', 3, 3n],
    ['cost', '1.50', '1.50'],
    ['at', NOON, NOON],
    ['at', '2026-01-01T12:00:00Z', NOON],
    ['done', false, false],
    ['data', { any: ['thing', null] }, { any: ['thing', null] }],
    ['data', null, JSON_NULL],
    ['more', null, DB_NULL],
    ['tags', ['a', 'b'], ['a', 'b']],
    ['state', 'DONE', 'DONE'],
  ])('is one of the type of its field: %s: %p', async (name, given, value) => {
    expect(await make(name, given)).toEqual(value);
  });

  it.each<[name: string, given: unknown, problem: string]>([
    ['title', undefined, 'here gave undefined'],
    ['title', 5, 'here gave a number: expected a string'],
    ['title', null, 'here gave null: the field is required.'],
    ['key', 'secret', 'here gave a string: expected a UUID.'],
    ['points', 2 ** 31, 'here gave a number: expected an integer between'],
    ['points', Number.NaN, 'here gave a number'],
    ['at', new Date(Number.NaN), 'here gave an object'],
    ['tags', 'a', 'here gave a string: the field is a list.'],
    ['tags', [null], 'here gave null'],
    ['tags', null, 'here gave null: the field is required.'],
    ['state', 'GONE', "here gave a string: expected one of 'OPEN', 'DONE'."],
  ])('is an error of the server where it has another type: %s: %p', async (name, given, problem) => {
    await expect(make(name, given)).rejects.toThrow(problem);
  });
});
