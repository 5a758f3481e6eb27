import { expect, it } from '@jest/globals';
import { granted } from '../../../lib/model/exposure/granted.js';
import type { ResourcesOption } from '../../../lib/model/exposure/resources-option.js';
import { buildGrantedModels } from '../../../lib/model/granted-models.js';
import type { ResourceModel } from '../../../lib/model/resource-model.js';
import type { ResourceSchema } from '../../../lib/model/schema/resource-schema.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';

const ID = { kind: 'scalar', type: 'Int' } as const;
const KEYS = { primaryKey: { name: 'id', fields: ['id'] }, uniqueKeys: [] } as const;
const SCHEMA = {
  version: 2,
  provider: 'postgresql',
  enums: {},
  models: {
    Post: { fields: { id: ID, title: { kind: 'scalar', type: 'String' } }, ...KEYS },
    Tag: {
      fields: { id: ID, changes: { kind: 'scalar', type: 'Int', default: { kind: 'value', value: 1 }, version: true } },
      ...KEYS,
    },
  },
} as const satisfies ResourceSchema;

function build(resources: ResourcesOption): ReturnType<typeof buildGrantedModels> {
  return buildGrantedModels(SCHEMA, { resources });
}

function modelOf(model: ResourceModel, ...held: readonly string[]): ResourceModel | undefined {
  return model.grants?.of(held);
}

const STAFF_TAGS: ResourcesOption = { Post: { fields: { title: { read: granted('hr') } } }, Tag: { actions: { read: granted('staff') } } };

it('shares one storage among all callers, with the version fields of models that are hidden from some callers', () => {
  const { widest, served } = build(STAFF_TAGS);
  const none = served().model;
  expect(none.byModel.has('Tag')).toBe(false);
  for (const model of [none, modelOf(none, 'hr'), modelOf(none, 'staff'), modelOf(none, 'staff', 'hr')]) {
    expect(model?.storage).toBe(widest.model.storage);
  }
  expect(storedModel(none.storage, 'Tag').version?.name).toBe('changes');
});

it.each([
  ['the option', { Post: { version: 'id' } }, { id: { filter: granted('staff') } }, 'Post'],
  ['the comment', {}, { changes: { read: granted('staff') } }, 'Tag'],
] as const)('refuses a version by %s that requires a grant', (_, options, fields, model) => {
  const own = { ...((options as ResourcesOption)[model] as object), fields };
  expect(() => build({ [model]: own })).toThrow(/resources\.(Post\.fields\.id|Tag\.fields\.changes) takes a grant, and is the version/);
});

it('keeps 64 models of sets of grants beside those of none and of all', () => {
  const names = Array.from({ length: 7 }, (_, index) => `g${index}`);
  const { served } = build({ Post: { fields: { title: { read: granted(...(names as [string, ...string[]])) } } } });
  const none = served().model;
  const sets = Array.from({ length: 65 }, (_, index) => names.filter((_name, bit) => (((index + 1) >> bit) & 1) === 1));
  const [first = [], second = []] = sets;
  const kept = sets.slice(0, 64).map((held) => modelOf(none, ...held));
  expect(modelOf(none, ...first)).toBe(kept[0]);
  modelOf(none, ...(sets[64] ?? []));
  expect(modelOf(none, ...first)).toBe(kept[0]);
  expect(modelOf(none, ...second)).not.toBe(kept[1]);
  expect(modelOf(none)).toBe(modelOf(none));
  expect(modelOf(none, ...names)).toBe(modelOf(none, ...[...names].reverse()));
});

it.each([
  ['a whole field', { Post: { fields: { title: granted('hr') } } }],
  ['all actions', { Post: { actions: granted('hr') } }],
] as const)('refuses a grant for %s, because a grant is for a single right', (_, resources) => {
  expect(() => build(resources as ResourcesOption)).toThrow(/resources\.Post\.(fields\.title|actions) names '~grants'/);
});
