import { describe, expect, it } from '@jest/globals';
import { HttpError } from '../../../lib/admin-data/http-error.js';
import { dataOf } from '../../../lib/admin-data/records.js';
import { fieldOf, modelOf, relationOf, scopeOf } from './described-models.js';

const ID = fieldOf('Int', { name: 'id' });

describe('dataOf', () => {
  const written = (type: string, before: unknown, value: unknown, list = false): boolean => {
    const scope = scopeOf(modelOf([ID], { fields: [ID, fieldOf(type, { list })] }));
    return 'value' in dataOf({ values: { id: 1, value }, before: { id: 1, value: before }, id: 1 }, scope);
  };

  it.each<[type: string, before: unknown, value: unknown]>([
    ['String', null, 'null'],
    ['String', 'null', null],
    ['String', 'true', true],
    ['Json', 1, '1'],
    ['Json', '1', 1],
    ['Json', true, 'true'],
    ['Json', '{"a":1}', { a: 1 }],
    ['Json', { a: 1 }, '{"a":1}'],
    ['Json', 'null', null],
    ['Json', null, 'null'],
    ['Json', [1, 2], [2, 1]],
    ['Json', { a: null }, {}],
    ['Float', NaN, null],
    ['Float', null, NaN],
    ['Float', Infinity, -Infinity],
    ['Int', 7, '8'],
    ['Int', 7, '007'],
    ['Boolean', null, false],
    ['Bytes', 'AQI=', null],
    ['DateTime', '2026-01-02T00:00:00.000Z', '2026-01-02T00:00:00.001Z'],
  ])('writes a %s that was %j and is %j', (type, before, value) => {
    expect(written(type, before, value)).toBe(true);
  });

  it.each<[type: string, before: unknown, value: unknown]>([
    ['String', 'null', 'null'],
    ['String', null, null],
    ['Json', { a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 }],
    ['Json', null, null],
    ['Int', 7, '7'],
    ['BigInt', '9007199254740993', '9007199254740993'],
    ['BigInt', '7', 7],
    ['Float', 1.5, '1.5'],
    ['Float', NaN, NaN],
    ['Decimal', '2.5', 2.5],
    ['Boolean', true, 'true'],
    ['DateTime', '2026-01-02T00:00:00.000Z', '2026-01-02'],
    ['DateTime', '2026-01-02T00:00:00.000Z', new Date('2026-01-02T00:00:00.000Z')],
    ['Bytes', 'AQI=', new Uint8Array([1, 2])],
  ])('does not write a %s that was %j and is %j', (type, before, value) => {
    expect(written(type, before, value)).toBe(false);
  });

  it('compares lists by their elements', () => {
    expect(written('String', ['null'], [null], true)).toBe(true);
    expect(written('Float', [NaN], [null], true)).toBe(true);
    expect(written('Int', [1, 2], ['1', '2'], true)).toBe(false);
  });

  it('writes an id only if it is another one', () => {
    const scope = scopeOf(modelOf([ID]));
    expect(dataOf({ values: { id: '1' }, id: 1 }, scope)).toEqual({});
    expect(dataOf({ values: { id: 2 }, id: '1' }, scope)).toEqual({ id: 2 });
    expect(dataOf({ values: { id: 'null' }, id: null }, scope)).toEqual({ id: 'null' });
  });

  describe('of a relation and its foreign key', () => {
    const user = modelOf([ID], { model: 'user' });
    const fields = [ID, fieldOf('Int', { name: 'authorId' }), fieldOf('String', { name: 'taskCode' })];
    const relations = [
      relationOf({ name: 'author', model: 'user', foreignKey: ['authorId'], references: ['id'] }),
      relationOf({ name: 'task', model: 'user', foreignKey: ['taskCode'] }),
    ];
    const scope = scopeOf(modelOf([ID], { model: 'post', fields, relations }), user);

    it.each<[values: object, data: object]>([
      [{ authorId: 2, author: { id: 1 } }, { authorId: 2 }],
      [{ author: { id: 1 }, authorId: '2' }, { authorId: 2 }],
      [{ author: null, authorId: 2 }, { authorId: 2 }],
      [{ author: 1, authorId: null }, { authorId: null }],
      [{ taskCode: 'B', task: { id: 1 } }, { taskCode: 'B' }],
      [{ author: { id: 1 } }, { authorId: 1 }],
      [{ author: { id: 1 }, authorId: undefined }, { authorId: 1 }],
      [
        { authorId: 2, author: { create: {} } },
        { authorId: 2, author: { create: {} } },
      ],
    ])('makes of %j the data %j', (values, data) => {
      expect(dataOf({ values: { ...values } }, scope)).toEqual(data);
    });

    it('writes the one that has changed', () => {
      const before = { id: 1, authorId: 1, author: { id: 1, name: 'Ada' } };
      expect(dataOf({ values: { ...before, authorId: 2 }, before, id: 1 }, scope)).toEqual({ authorId: 2 });
      expect(dataOf({ values: { ...before, author: { id: 2 } }, before, id: 1 }, scope)).toEqual({ authorId: 2 });
      expect(dataOf({ values: { author: '1' }, before: { author: 1 }, id: 1 }, scope)).toEqual({});
    });

    it('completes a part of a foreign key, and overwrites none', () => {
      const key = [fieldOf('Int', { name: 'orgId' }), fieldOf('Int', { name: 'userId' })];
      const member = modelOf(key, { model: 'member' });
      const relation = { name: 'member', model: 'member', foreignKey: ['orgId', 'userId'], references: ['orgId', 'userId'] };
      const task = modelOf([ID], { model: 'task', fields: [ID, ...key], relations: [relationOf(relation)] });
      const data = { orgId: 3, userId: 2 };
      expect(dataOf({ values: { orgId: 3, member: '1_2' } }, scopeOf(task, member))).toEqual(data);
      expect(dataOf({ values: { ...data, member: '1_1' } }, scopeOf(task, member))).toEqual(data);
    });

    it('empties the optional fields of a foreign key, and disconnects where none is optional', () => {
      const dataIn = (optional: readonly boolean[], id?: number): object => {
        const key = optional.map((isOptional, index) => fieldOf('Int', { name: `k${index}`, optional: isOptional }));
        const member = modelOf(key, { model: 'member' });
        const names = key.map(({ name }) => name);
        const relations = [relationOf({ name: 'member', model: 'member', foreignKey: names, references: names })];
        const task = modelOf([ID], { model: 'task', fields: [ID, ...key], relations });
        return dataOf({ values: { member: null }, ...(id !== undefined && { id }) }, scopeOf(task, member));
      };
      expect(dataIn([true], 1)).toEqual({ k0: null });
      expect(dataIn([false, true], 1)).toEqual({ k1: null });
      expect(dataIn([false, false], 1)).toEqual({ member: { disconnect: true } });
      expect(dataIn([false])).toEqual({});
    });

    it('refuses what is no id', () => {
      expect(() => dataOf({ values: { author: '1e3' } }, scope)).toThrow(HttpError);
    });
  });
});
