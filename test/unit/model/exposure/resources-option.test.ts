import { expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import type { ResourceSchema } from '../../../../lib/model/schema/resource-schema.js';
import type { ResourcesOption } from '../../../../lib/model/exposure/resources-option.js';

const SCHEMA = {
  version: 2,
  provider: 'postgresql',
  enums: {},
  models: {
    Post: {
      fields: { id: { kind: 'scalar', type: 'Int' }, title: { kind: 'scalar', type: 'String' } },
      primaryKey: { name: 'id', fields: ['id'] },
      uniqueKeys: [],
    },
  },
} as const satisfies ResourceSchema;

type Resources = ResourcesOption<typeof SCHEMA>;

it('accepts the names of a generated schema, and no others, in the types as at boot', () => {
  const right: Resources = { '*': 'hidden', 'Post': { actions: ['read'], fields: { title: { filter: ['equals'] } } } };
  expect(() => buildResourceModel(SCHEMA, { resources: right })).not.toThrow();

  // @ts-expect-error There is no such model.
  const model: Resources = { Pots: 'hidden' };
  // @ts-expect-error There is no such field.
  const field: Resources = { Post: { fields: { titel: 'hidden' } } };
  // @ts-expect-error There is no such preset.
  const preset: Resources = { Post: { fields: { title: 'secret' } } };
  // @ts-expect-error There is no such operator.
  const operator: Resources = { Post: { fields: { title: { filter: ['eq'] } } } };
  // @ts-expect-error There is no such action.
  const action: Resources = { Post: { actions: ['list'] } };
  for (const resources of [model, field, preset, operator, action]) {
    expect(() => buildResourceModel(SCHEMA, { resources })).toThrow('resources');
  }
});
