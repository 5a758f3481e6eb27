import { givenEntries } from '../../model/given-entries.js';
import { type Attribute, type Resource } from '../../model/resource-model.js';
import { type Aggregate, AGGREGATE } from './aggregates.js';
import { type ArgumentPlanner } from './argument-planner.js';
import { type Spot } from './spot.js';
import { readBoolean, readObject } from './typed-slots.js';

/** Plans `_avg`, `_sum`, `_min` and `_max`: fields that the function takes and that may be read. */
export function planAggregate(aggregate: Aggregate): ArgumentPlanner {
  return (resource, value, spot) => planFields(resource, value, { spot, aggregate });
}

/** Plans `_count`, and the `select` of `count`: `true` counts rows, an object the values of fields and, by `_all`, rows. */
export const planCountAggregate: ArgumentPlanner = (resource, value, spot) => {
  if (typeof value === 'boolean') return value;
  return planFields(resource, value, { spot, aggregate: AGGREGATE._count, all: ALL });
};

/** The key that counts rows, whatever is null in them. */
export const ALL = '_all';

interface Aggregated {
  readonly spot: Spot;
  readonly aggregate: Aggregate;
  readonly all?: string;
}

function planFields(resource: Resource, value: unknown, { spot, aggregate, all }: Aggregated): Record<string, boolean> {
  const takes = (attribute: Attribute): boolean => aggregate.takes(attribute) && attribute.rights.read;
  const names = resource.attributes.filter(takes).map(({ name }) => name);
  const known = new Set(all === undefined ? names : [...names, all]);
  return Object.fromEntries(
    givenEntries(readObject(value, spot)).map(([key, wanted]) => {
      const place = spot.member(key);
      if (!known.has(key)) place.refuseUnknown(known);
      return [key, readBoolean(wanted, place)];
    }),
  );
}
