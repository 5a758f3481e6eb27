import { describe, expect, it } from '@jest/globals';
import { readDatamodel } from '../../../lib/generator/read-datamodel.js';
import { sample } from '../../support/sample.js';
import { describeSchema, EVERYTHING, manyModels, readSchema, schemaText } from './describe-schema.js';

const { schema } = EVERYTHING;
const MODELS = sample.choose(60, 300);

describe('readDatamodel', () => {
  it('keeps the version, the provider, and the order of the models', () => {
    expect(schema).toMatchObject({ version: 2, provider: 'postgresql' });
    expect(Object.keys(schema.models).slice(0, 4)).toEqual(['Scalars', 'Defaults', 'NativeTypes', 'Keys']);
  });

  it("has enum values by Prisma's names, with the database's beside them", () => {
    expect(schema.enums).toMatchObject({ Color: { values: ['RED', 'GREEN'] } });
  });

  it("has the name of a table that differs from its model's", () => {
    const { models } = readSchema(schemaText('model User {\n  id Int @id\n  @@map("users")\n}\nmodel Post {\n  id Int @id\n}'));
    expect(models['User']?.table).toBe('users');
    expect(models['Post']).not.toHaveProperty('table');
  });

  it('returns plain data, which JSON can express', () => {
    expect(JSON.parse(JSON.stringify(schema))).toStrictEqual(schema);
  });

  describe('actions', () => {
    it.each([
      ['Scalars', undefined],
      ['NeverCreated', ['read', 'update', 'delete']],
      ['Report', ['read']],
      ['KeylessReport', ['read']],
    ])('lists the actions that the client has for %s', (model, actions) => {
      expect(schema.models[model]?.actions).toEqual(actions);
    });
  });

  describe('exposure', () => {
    it.each([
      ['id', undefined],
      ['hash', 'hidden'],
      ['createdAt', 'readOnly'],
      ['pin', 'writeOnly'],
      ['owner', 'immutable'],
      ['color', 'hidden'],
      ['open', undefined],
      ['parentId', 'readOnly'],
      ['parent', 'hidden'],
      ['children', undefined],
    ])('reads the comment of Exposure.%s', (name, api) => {
      expect(schema.models['Exposure']?.fields[name]?.api).toBe(api);
    });

    it('reads the comment of a model', () => {
      expect(schema.models['Secret']?.api).toEqual({ hidden: true });
      expect(schema.models['Exposure']).not.toHaveProperty('api');
    });

    it.each([
      ['id Int @id\nhash String /// @api.hiden', 'User.hash has @api.hiden'],
      ['id Int @id /// @api.readOnly @api.hidden', 'User.id has @api.readOnly, @api.hidden, which contradict each other.'],
    ])('refuses the comment in %j', (lines, message) => {
      expect(() => readSchema(schemaText(`model User {\n${lines}\n}`))).toThrow(message);
    });

    it('refuses a comment on a model that only fields may have', () => {
      const text = schemaText('/// @api.immutable\nmodel User {\n  id Int @id\n}');

      expect(() => readSchema(text)).toThrow('User has @api.immutable, which means nothing there. Known: @api.hidden.');
    });
  });

  it(`reads ${MODELS} models`, () => {
    const document = describeSchema(manyModels(MODELS));
    const { models } = readDatamodel(document, 'postgresql');

    expect(Object.keys(models)).toHaveLength(MODELS);
    expect(models[`Model${MODELS - 1}`]?.fields['next']).toMatchObject({ type: 'Model0', opposite: 'previous' });
  });
});
