import type { Resource } from '../../model/surface/surface.js';
import { readHaving } from '../../prisma/read-having.js';
import { readFieldFilter, readConditions, readScalarWhere, readWhere } from '../../prisma/read-where.js';
import type { Condition } from '../../query/condition.js';
import type { ArgumentPath } from './argument-path.js';
import { vocabularyOf } from './surface-vocabulary.js';

/** Plans a `where`. Every field must be exposed and filterable by the rights of its own model, also across relations. */
export function planWhere(resource: Resource, value: unknown, path: ArgumentPath): Condition {
  return readWhere(vocabularyOf(resource, path.storage), value, path);
}

/** Plans the `where` of a nested `updateMany` or `deleteMany`, which accepts no relations. */
export function planScalarWhere(resource: Resource, value: unknown, path: ArgumentPath): Condition {
  return readScalarWhere(vocabularyOf(resource, path.storage), value, path);
}

/** Plans the conditions on one record beside its keys. */
export function planConditions(resource: Resource, value: unknown, path: ArgumentPath): Condition {
  return readConditions(vocabularyOf(resource, path.storage), readFieldFilter)(value, path);
}

/** Plans the `having` of a `groupBy`. */
export function planHaving(resource: Resource, value: unknown, path: ArgumentPath): Condition {
  return readHaving(vocabularyOf(resource, path.storage), value, path);
}
