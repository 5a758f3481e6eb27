import { describe, expect, it } from '@jest/globals';
import { JSON_NULL } from '../../../../lib/model/values/json-value.js';
import { isUpdateEnvelope, openNestedWrites } from '../../../../lib/rpc/arguments/nested-writes.js';
import { planned, refusal, resource } from '../publisher.js';

describe('nested writes', () => {
  it.each([
    ['post.author', 'create', 'create connectOrCreate connect'],
    ['post.author', 'update', 'create connectOrCreate connect update upsert'],
    ['post.reviewer', 'update', 'create connectOrCreate connect disconnect update upsert delete'],
    ['post.tags', 'create', 'create connectOrCreate connect'],
    ['post.tags', 'update', 'create connectOrCreate connect disconnect set update updateMany upsert delete deleteMany'],
    ['user.profile', 'update', 'create connectOrCreate connect disconnect update upsert delete'],
    ['user.posts', 'create', 'create createMany connectOrCreate connect'],
    ['user.posts', 'update', 'create createMany connectOrCreate connect disconnect set update updateMany upsert delete deleteMany'],
    ['post.comments', 'create', 'create createMany'],
    ['post.comments', 'update', 'create createMany update updateMany upsert delete deleteMany'],
    ['user.comments', 'update', 'create createMany connectOrCreate connect disconnect set update updateMany upsert delete deleteMany'],
    ['user.letters', 'create', 'create createMany'],
    ['user.letters', 'update', 'create createMany'],
    ['user.seals', 'create', ''],
    ['user.seals', 'update', ''],
  ] as const)('of %s in a %s', (path, mode, expected) => {
    const [name = '', member = ''] = path.split('.');
    const field = resource(name).fields.get(member);
    expect(field?.kind === 'relationship' ? openNestedWrites(field, mode).join(' ') : undefined).toBe(expected);
  });
});

describe('an update through a to-one relation', () => {
  const update = (operand: unknown): Record<string, unknown> => ({ where: { id: 1 }, data: { author: { update: operand } } });

  it.each([
    [{ name: 'x' }, { name: 'x' }],
    [{ data: { name: 'x' } }, { name: 'x' }],
    [
      { where: { name: 'y' }, data: { name: 'x' } },
      { where: { name: 'y' }, data: { name: 'x' } },
    ],
  ])('takes %j', (operand, expected) => {
    expect(planned('post.update', update(operand))).toMatchObject({ data: { author: { update: expected } } });
  });

  it.each([
    [null, 'data.author.update must be an object.'],
    [{ data: 'x' }, 'Unknown argument data.author.update.data.'],
    [{ where: { name: 'y' }, data: { name: 'x' }, other: 1 }, 'Unknown argument data.author.update.where.'],
  ])('refuses %j', (operand, problem) => {
    expect(refusal('post.update', update(operand))).toBe(`400 ${problem}`);
  });

  it.each([
    [{ data: {} }, true],
    [{ data: {}, where: {} }, true],
    [{ where: {} }, false],
    [{ data: {}, name: 'x' }, false],
    [{ data: [] }, false],
    [{ data: JSON_NULL }, false],
    ['data', false],
    [null, false],
  ])('is recognized by the form { where, data }: %p', (operand, expected) => {
    expect(isUpdateEnvelope(operand)).toBe(expected);
  });
});
