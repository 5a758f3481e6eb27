import { givenEntries } from '../../model/given-entries.js';
import { mayCombine } from '../../model/surface/rights.js';
import type { Attribute, Resource } from '../../model/surface/surface.js';
import { type Aggregate, AGGREGATE } from './aggregates.js';
import type { ArgumentPlanner } from './argument-planner.js';
import type { ArgumentPath } from './argument-path.js';
import { readBoolean, readObject } from './typed-slots.js';

/** Plans `_avg`, `_sum`, `_min` and `_max`: fields that the function takes and that may be read. */
export function planAggregate(aggregate: Aggregate): ArgumentPlanner {
  return (resource, value, path) => planFields(resource, value, { path, aggregate });
}

/** Plans the `select` of `count`: like `_count`, and `false` counts rows, too. */
export const planCountSelect: ArgumentPlanner = (resource, value, path) =>
  typeof value === 'boolean' ? value : planCountAggregate(resource, value, path);

/** Plans `_count`: `true` counts rows, an object the values of fields and, by `_all`, rows. */
export const planCountAggregate: ArgumentPlanner = (resource, value, path) => {
  if (value === true) return value;
  return planFields(resource, value, { path, aggregate: AGGREGATE._count, all: ALL });
};

/** The key that counts rows, whatever is null in them. */
export const ALL = '_all';

interface Aggregated {
  readonly path: ArgumentPath;
  readonly aggregate: Aggregate;
  readonly all?: string;
}

function planFields(resource: Resource, value: unknown, { path, aggregate, all }: Aggregated): Record<string, boolean> {
  const takes = (attribute: Attribute): boolean => aggregate.takes(attribute) && mayCombine(attribute);
  const names = resource.attributes.filter(takes).map(({ name }) => name);
  const known = new Set(all === undefined ? names : [...names, all]);
  const wanted = givenEntries(readObject(value, path)).map(([key, isWanted]) => {
    const place = path.member(key);
    if (!known.has(key)) place.refuseUnknown(known);
    return [key, readBoolean(isWanted, place)] as const;
  });
  if (!wanted.some(([, isWanted]) => isWanted)) path.refuse('must name at least one field.', 'invalid-fields');
  return Object.fromEntries(wanted);
}
