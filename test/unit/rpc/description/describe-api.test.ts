import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import type { ModelDescription } from '../../../../lib/client/index.js';
import { delegateOf } from '../../../../lib/model/schema/delegate-of.js';
import type { ResourcesOption } from '../../../../lib/index.js';
import { describeApi } from '../../../../lib/rpc/description/describe-api.js';
import { resourceSchema } from '../../../support/generated/resource-schema.js';

const MODELS = Object.entries(resourceSchema.models).map(([model, { fields, primaryKey }]) => ({
  model,
  fields: Object.keys(fields).filter((field) => !primaryKey.fields.includes(field as never)),
}));

/** Which models and fields are hidden, at random. */
const hiding = fc.record(
  Object.fromEntries(
    MODELS.map(({ model, fields }) => [
      model,
      fc.oneof({ weight: 1, arbitrary: fc.constant('hidden' as const) }, { weight: 4, arbitrary: fc.subarray(fields) }),
    ]),
  ),
);

it('omits every hidden model and field, for any choice of hidden ones', () => {
  let described = 0;
  fc.assert(
    fc.property(hiding, (hidden) => {
      const resources = Object.entries(hidden).map(([model, fields]) => [
        model,
        fields === 'hidden' ? fields : { fields: Object.fromEntries(fields.map((field) => [field, 'hidden'])) },
      ]);
      const model = modelOf(Object.fromEntries(resources) as ResourcesOption<typeof resourceSchema>);
      if (!model) return;
      const { models } = describeApi(model.resources, {
        surface: model,
        limits: { maxTake: 1, maxBatchSize: 1, maxFilterTerms: 1 },
        rest: undefined,
        bodyOf: () => undefined,
      });
      described += models.length;
      for (const [name, fields] of Object.entries(hidden)) expect(hiddenNamesIn(models, delegateOf(name), fields)).toEqual([]);
    }),
    { numRuns: 40 },
  );
  expect(described).toBeGreaterThan(50);
});

/** The hidden names that a description has. */
function hiddenNamesIn(models: readonly ModelDescription[], hidden: string, fields: 'hidden' | readonly string[]): readonly string[] {
  const targets = models.flatMap(({ model, relations }) => [model, ...relations.map((relation) => relation.model)]);
  if (fields === 'hidden') return targets.filter((name) => name === hidden);
  return models
    .filter(({ model }) => model === hidden)
    .flatMap(namesIn)
    .filter((name) => fields.includes(name));
}

function namesIn({ fields, relations, keys, version, softDelete }: ModelDescription): readonly string[] {
  return [
    ...fields.map(({ name }) => name),
    ...relations.flatMap(({ name, foreignKey = [] }) => [name, ...foreignKey]),
    ...keys.flatMap((key) => key.fields),
    ...(version === undefined ? [] : [version]),
    ...(softDelete ? [softDelete.field] : []),
  ];
}

/** Undefined where what is hidden would leave a model that cannot be served. */
function modelOf(resources: ResourcesOption<typeof resourceSchema>) {
  try {
    return buildResourceModel(resourceSchema, { resources }).model;
  } catch {
    return undefined;
  }
}
