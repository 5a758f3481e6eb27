import { type Resource } from '../../model/resource-model.js';
import { type Spot } from './spot.js';
import { oneOrMany, readInteger } from './typed-slots.js';

const MAX_INT = 2 ** 31 - 1;

/** Plans `take`: rows from the front, or with a minus from the back, within `limits.maxTake`. */
export function planTake(_: Resource, value: unknown, spot: Spot): number {
  const take = readInteger(value, spot, [-MAX_INT, MAX_INT]);
  requireRows(Math.abs(take), spot);
  return take;
}

/** Plans `skip` and `limit`: a count from 0. */
export function planCount(_: Resource, value: unknown, spot: Spot): number {
  return readInteger(value, spot, [0, MAX_INT]);
}

/** Plans the `limit` of a write that returns its rows: a count within `limits.maxTake`. */
export function planReturnedCount(resource: Resource, value: unknown, spot: Spot): number {
  const count = planCount(resource, value, spot);
  requireRows(count, spot);
  return count;
}

/** Refuses a result of so many rows where `limits.maxTake` is less. */
export function requireRows(count: number, spot: Spot): void {
  if (count > spot.maxTake) spot.exceed('asks for more rows', 'maxTake');
}

/** Plans `distinct` and `by`: names of fields that may be read, for both tell which rows share a value. */
export function planFieldNames(resource: Resource, value: unknown, spot: Spot): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0) spot.refuse('must name at least one field.');
    spot.spendTerms(value.length);
  }
  return oneOrMany(value, spot, (name, place) => readFieldName(resource, name, place));
}

function readFieldName(resource: Resource, name: unknown, spot: Spot): string {
  if (typeof name !== 'string') return spot.refuse(`must be the name of a field of ${resource.model}.`, 'invalid-value');
  const field = resource.fields.get(name);
  if (field?.kind !== 'attribute') return spot.member(name).refuseUnknown(readableNames(resource));
  if (!field.rights.read) spot.member(name).refuse('may not be read.', 'invalid-fields');
  return name;
}

/** For suggestions: the plain fields that may be read. */
function readableNames({ attributes }: Resource): readonly string[] {
  return attributes.filter(({ rights }) => rights.read).map(({ name }) => name);
}
