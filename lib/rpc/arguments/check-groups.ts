import type { Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { AGGREGATES } from './aggregates.js';
import { LOGICAL } from './plan-where.js';
import { isOrdered } from './is-ordered.js';
import type { ArgumentPath } from './argument-path.js';

/** The arguments of a `groupBy`, planned. */
type GroupArguments = Readonly<Record<string, unknown>>;

/**
 * Checks that the `having` and the `orderBy` of a `groupBy` name fields of its `by`, or aggregates: a group has no other values. And that a part
 * of the groups is asked for in an order, without which it would be any part.
 *
 * @throws ApiError `invalid-filter` or `invalid-sort` with the path of the field
 */
export function checkGroups(resource: Resource, { by, having, orderBy, ...page }: GroupArguments, path: ArgumentPath): void {
  const grouped = new Set([by].flat());
  const isStrange = (name: string): boolean => resource.fields.has(name) && !grouped.has(name);
  checkHaving(having, { resource, path: path.member('having'), isStrange });
  checkOrder(orderBy, path.member('orderBy'), isStrange);
  const cut = ['take', 'skip'].find((name) => page[name] !== undefined);
  if (cut !== undefined && !isOrdered(orderBy))
    path.member('orderBy').refuse(`is missing: '${cut}' needs an order of the groups.`, 'invalid-sort');
}

interface HavingCheck {
  readonly resource: Resource;
  readonly path: ArgumentPath;
  readonly isStrange: (name: string) => boolean;
}

function checkHaving(conditions: unknown, { resource, path, isStrange }: HavingCheck): void {
  for (const [key, condition] of Object.entries(conditions ?? {})) {
    const place = path.member(key);
    if (isStrange(key)) {
      if (comparesValue(condition, isJson(resource, key))) place.refuse(NOT_GROUPED, 'invalid-filter');
    } else if (LOGICAL.has(key)) {
      for (const part of [condition].flat()) checkHaving(part, { resource, path: place, isStrange });
    }
  }
}

/** Whether a filter has any other comparison than those of aggregates. */
function comparesValue(filter: unknown, isJsonField: boolean): boolean {
  if (!isPlainObject(filter)) return true;
  return Object.entries(filter).some(([key, operand]) => {
    if (AGGREGATES.has(key) || key === 'mode') return false;
    return key !== 'not' || isJsonField || comparesValue(operand, isJsonField);
  });
}

/** An object behind the `not` of a Json field is a value. */
function isJson({ fields }: Resource, name: string): boolean {
  const field = fields.get(name);
  return field?.kind === 'attribute' && field.type === 'Json';
}

function checkOrder(orderBy: unknown, path: ArgumentPath, isStrange: HavingCheck['isStrange']): void {
  for (const term of [orderBy].flat()) {
    for (const key of Object.keys(term ?? {})) {
      if (isStrange(key)) path.member(key).refuse(NOT_GROUPED, 'invalid-sort');
    }
  }
}

const NOT_GROUPED = "is not among the fields of 'by': only those and aggregates have a value for each group.";
