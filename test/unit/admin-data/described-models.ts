import type { DescribedModel } from '../../../lib/admin-data/described-api.js';
import type { FilterScope } from '../../../lib/admin-data/filter.js';
import type { FieldDescription, RelationDescription } from '../../../lib/rpc/protocol/api-description.js';

/** Returns a field of a type, with all rights. */
export function fieldOf(type: string, more: Partial<FieldDescription> = {}): FieldDescription {
  const rights = ['read', 'filter', 'sort', 'create', 'update'] as const;
  return { name: 'value', type, list: false, optional: true, hasDefault: false, unique: false, rights, ...more };
}

/** Returns a model whose key is these fields. */
export function modelOf(idFields: readonly FieldDescription[], more: Partial<DescribedModel> = {}): DescribedModel {
  const { fields = idFields, relations = [] } = more;
  return {
    ...{ model: 'record', operations: [], keys: [], actions: [], idFields, idKey: idFields.map(({ name }) => name).join('_') },
    ...more,
    ...{ fields, relations },
    fieldOf: (name) => fields.find((field) => field.name === name),
    relationOf: (name) => relations.find((relation) => relation.name === name),
  };
}

/** Returns the position of a filter or a record of a model. */
export function scopeOf(model: DescribedModel, ...others: readonly DescribedModel[]): FilterScope {
  const models = new Map([model, ...others].map((each) => [each.model, each]));
  return { model, api: { models, limits: { maxTake: 100, maxBatchSize: 100, maxFilterTerms: 100 } } };
}

/** Returns a relation to one record. */
export function relationOf(more: Partial<RelationDescription> & Pick<RelationDescription, 'name' | 'model'>): RelationDescription {
  return { list: false, optional: true, rights: ['read', 'create', 'update'], ...more };
}
