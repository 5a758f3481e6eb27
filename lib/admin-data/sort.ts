import type { DescribedApi, DescribedModel } from './described-api.js';
import { isIdOf, type Row } from './ids.js';

/** One criterion of an order. */
export interface Sorter {
  /** A field, `id`, or a path over relations: `author.name`. A path that ends with a relation to many sorts by the number of records. */
  readonly field: string;
  readonly order: 'asc' | 'desc';
}

/** Returns `orderBy`. The key of the model ends it, so that pages do not overlap. */
export function orderOf(sorters: readonly Sorter[], model: DescribedModel, api: DescribedApi): readonly Row[] {
  const given = sorters.flatMap(({ field, order }) => termsOf(field.split('.'), order, { model, api }));
  const sorted = new Set(given.flatMap(Object.keys));
  const rest = sortableKey(model).filter((name) => !sorted.has(name));
  return [...given, ...rest.map((name) => ({ [name]: 'asc' }))];
}

/** The model whose records are sorted, and the description that has the models of its relations. */
interface SortedModel {
  readonly model: DescribedModel;
  readonly api: DescribedApi;
}

function termsOf([name = '', ...further]: readonly string[], order: Sorter['order'], { model, api }: SortedModel): readonly Row[] {
  const relation = model.relationOf(name);
  const target = relation && api.models.get(relation.model);
  if (further.length > 0) {
    const below = target ? termsOf(further, order, { model: target, api }) : [nest(further, order)];
    return below.map((term) => ({ [name]: term }));
  }
  if (isIdOf(name, model)) return sortableKey(model).map((field) => ({ [field]: order }));
  return [{ [name]: relation?.list ? { _count: order } : order }];
}

/** Returns the order of a path that the description lacks, which the server refuses by its name. */
function nest([name = '', ...further]: readonly string[], order: Sorter['order']): Row {
  return { [name]: further.length > 0 ? nest(further, order) : order };
}

function sortableKey({ idFields }: DescribedModel): readonly string[] {
  return idFields.flatMap(({ name, rights }) => (rights.includes('sort') ? [name] : []));
}
