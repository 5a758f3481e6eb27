import type { Resource } from '../model/surface/surface.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { WEIGHTS } from './cost.js';
import { searchTerms } from './measure-where.js';
import type { Meter } from './meter.js';

/** Measures an `orderBy`: one key or a list of them. */
export function measureOrder(resource: Resource, orderBy: unknown, meter: Meter): void {
  for (const key of [orderBy].flat()) {
    meter.terms(1);
    measureKey(resource, key, { depth: 1, factor: 1, meter });
  }
}

interface Walk {
  readonly depth: number;
  readonly factor: number;
  readonly meter: Meter;
}

function measureKey(resource: Resource, key: unknown, { depth, factor, meter }: Walk): void {
  if (!isPlainObject(key)) return;
  meter.depth(depth);
  for (const [name, value] of Object.entries(key)) {
    const field = resource.fields.get(name);
    if (name === '_relevance') measureRelevance(value, meter);
    if (field?.kind !== 'relationship') continue;
    meter.terms(1);
    meter.joins(factor * (field.many ? WEIGHTS.toMany : WEIGHTS.toOne));
    measureKey(field.target, value, { depth: depth + 1, factor: field.many ? factor * WEIGHTS.below : factor, meter });
  }
}

/** A search in each of the fields. */
function measureRelevance(value: unknown, meter: Meter): void {
  if (isPlainObject(value)) meter.terms([value['fields']].flat().length * searchTerms(value['search']));
}
