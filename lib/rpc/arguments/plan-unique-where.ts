import { type Resource, type UniqueKey } from '../../model/resource-model.js';
import { requireOperator } from './plan-operators.js';
import { filterableNames, LOGICAL, planConditions, planFieldFilter } from './plan-where.js';
import { readValue } from './read-operand.js';
import { requireAction } from './require-action.js';
import { type Spot } from './spot.js';
import { readObject } from './typed-slots.js';

/**
 * Plans the `where` of one record: a whole unique key at least, and any further conditions. Only keys whose every field is open to filtering
 * address a record (security case 3).
 */
export function planUniqueWhere(resource: Resource, value: unknown, spot: Spot): Record<string, unknown> {
  requireAction(resource, 'read', spot);
  const where = readObject(value, spot);
  const conditions = planConditions(planFieldFilter, resource);
  const planned: Record<string, unknown> = {};
  let hasKey = false;
  for (const name of Object.keys(where)) {
    const key = resource.uniqueKeys.get(name);
    hasKey ||= key !== undefined;
    if (key) planned[name] = planKey(key, where[name], spot.member(name));
    else if (resource.fields.has(name) || LOGICAL.has(name)) Object.assign(planned, conditions({ [name]: where[name] }, spot));
    else spot.member(name).refuseUnknown([...resource.uniqueKeys.keys(), ...filterableNames(resource)]);
  }
  if (!hasKey) spot.refuse(`must name one record of ${resource.model} by a unique key: ${[...resource.uniqueKeys.keys()].join(' or ')}.`);
  return planned;
}

function planKey({ name, fields }: UniqueKey, value: unknown, spot: Spot): unknown {
  spot.spendTerms(fields.length);
  const [field, ...others] = fields;
  if (field && others.length === 0 && field.name === name) return planKeyField(field, value, spot);
  const parts = readObject(value, spot);
  const names = fields.map((part) => part.name);
  const stranger = Object.keys(parts).find((part) => !names.includes(part));
  if (stranger !== undefined) spot.member(stranger).refuseUnknown(names);
  return Object.fromEntries(fields.map((part) => [part.name, planKeyField(part, parts[part.name], spot.member(part.name))]));
}

function planKeyField(field: UniqueKey['fields'][number], value: unknown, spot: Spot): unknown {
  requireOperator(field, 'equals', spot);
  return readValue(field, value, spot);
}
