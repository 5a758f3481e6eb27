import type { Resource, UniqueKey } from '../../model/surface/surface.js';
import { requireOperator } from './plan-operators.js';
import { filterableNames, LOGICAL, planConditions, planFieldFilter } from './plan-where.js';
import { readValue } from './read-operand.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { readObject } from './typed-slots.js';

/**
 * Plans the `where` of one record: a whole unique key at least, and any further conditions. Only keys whose every field is open to filtering
 * address a record (security case 3).
 */
export function planUniqueWhere(resource: Resource, value: unknown, path: ArgumentPath): Record<string, unknown> {
  requireAction(resource, 'read', path);
  const where = readObject(value, path);
  const conditions = planConditions(planFieldFilter, resource);
  const planned: Record<string, unknown> = {};
  let hasKey = false;
  for (const name of Object.keys(where)) {
    const key = resource.uniqueKeys.get(name);
    hasKey ||= key !== undefined;
    if (key) planned[name] = planKey(key, where[name], path.member(name));
    else if (resource.fields.has(name) || LOGICAL.has(name)) Object.assign(planned, conditions({ [name]: where[name] }, path));
    else path.member(name).refuseUnknown([...resource.uniqueKeys.keys(), ...filterableNames(resource)]);
  }
  if (!hasKey) path.refuse(`must name one record of ${resource.model} by a unique key: ${[...resource.uniqueKeys.keys()].join(' or ')}.`);
  return planned;
}

/** Plans the values of a unique key. */
export function planKey({ name, fields }: UniqueKey, value: unknown, path: ArgumentPath): unknown {
  const [field, ...others] = fields;
  if (field && others.length === 0 && field.name === name) return planKeyField(field, value, path);
  const parts = readObject(value, path);
  const names = fields.map((part) => part.name);
  const stranger = Object.keys(parts).find((part) => !names.includes(part));
  if (stranger !== undefined) path.member(stranger).refuseUnknown(names);
  return Object.fromEntries(fields.map((part) => [part.name, planKeyField(part, parts[part.name], path.member(part.name))]));
}

function planKeyField(field: UniqueKey['fields'][number], value: unknown, path: ArgumentPath): unknown {
  requireOperator(field, 'equals', path);
  return readValue(field, value, path);
}
