import { mayGroup } from '../../model/surface/rights.js';
import { describeType } from '../../model/surface/lacked-comparisons.js';
import type { StoredField } from '../../model/storage/storage.js';
import { storedField } from '../../model/storage/stored-model.js';
import type { Resource } from '../../model/surface/surface.js';
import type { ArgumentPath } from './argument-path.js';
import { listOfOneOrMany, readInteger } from '../../prisma/typed-slots.js';

const MAX_INT = 2 ** 31 - 1;

/** Plans `take`, at most `limits.maxTake` rows. A negative number takes rows from the end. */
export function planTake(_: Resource, value: unknown, path: ArgumentPath): number {
  const take = readInteger(value, path, [-MAX_INT, MAX_INT]);
  requireRows(Math.abs(take), path);
  return take;
}

/** Plans the `take` of a `findFirst`, which returns one record. */
export function planFirstTake(_: Resource, value: unknown, path: ArgumentPath): number {
  const take = readInteger(value, path, [-MAX_INT, MAX_INT]);
  return Math.abs(take) === 1 ? take : path.refuse('must be 1, or -1 for the last record: the operation returns one.', 'invalid-value');
}

/** Plans `skip` and `limit`: a count from 0. */
export function planCount(_: Resource, value: unknown, path: ArgumentPath): number {
  return readInteger(value, path, [0, MAX_INT]);
}

/** Plans the `limit` of a write that returns its rows: a count within `limits.maxTake`. */
export function planReturnedCount(resource: Resource, value: unknown, path: ArgumentPath): number {
  const count = planCount(resource, value, path);
  requireRows(count, path);
  return count;
}

/** Rejects a number of rows above `limits.maxTake`. */
export function requireRows(count: number, path: ArgumentPath): void {
  if (count > path.maxTake) path.exceed('asks for more rows', 'maxTake');
}

/** Plans `distinct` and `by`: names of stored fields. They must be readable, because the result reveals which rows share a value. */
export function planFieldNames(resource: Resource, value: unknown, path: ArgumentPath): readonly StoredField[] {
  if (Array.isArray(value)) {
    if (value.length === 0) path.refuse('must name at least one field.');
    path.spendTerms(value.length);
  }
  return listOfOneOrMany(value, path, (name, place) => readFieldName(resource, name, place));
}

function readFieldName(resource: Resource, name: unknown, path: ArgumentPath): StoredField {
  if (typeof name !== 'string') return path.refuse(`must be the name of a field of ${resource.model}.`, 'invalid-value');
  const field = resource.fields.get(name);
  if (field?.kind !== 'attribute') return path.member(name).refuseUnknown(readableNames(resource));
  if (field.computed) path.member(name).refuse('is computed, and the database does not know it.', 'invalid-fields');
  if (!field.rights.read) path.member(name).refuse('may not be read.', 'invalid-fields');
  if (field.lacks?.has('equality'))
    path.member(name).refuse(`has the type ${describeType(field)}, which has no equality.`, 'invalid-fields');
  return storedField(path.storage, field);
}

/** Returns the plain fields by which rows may be grouped, for suggestions. */
function readableNames({ attributes }: Resource): readonly string[] {
  return attributes.filter(mayGroup).map(({ name }) => name);
}
