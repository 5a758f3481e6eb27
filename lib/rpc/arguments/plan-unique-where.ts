import { storedModel } from '../../model/storage/stored-model.js';
import type { Resource, UniqueKey } from '../../model/surface/surface.js';
import { and, type Condition, type KeyCondition, type UniqueCondition } from '../../query/condition.js';
import { keyCondition } from '../../query/key.js';
import { CONNECTIVES } from '../../prisma/words.js';
import { planConditions } from './plan-where.js';
import { readValue } from './read-value.js';
import { filterableNames, requireOperator } from './surface-vocabulary.js';
import { requireAction } from './require-action.js';
import type { ArgumentPath } from './argument-path.js';
import { readObject } from '../../prisma/typed-slots.js';

/**
 * Plans the `where` of one record: at least one whole unique key, and any further conditions. Each field of such a key must be filterable (security
 * case 3).
 */
export function planUniqueWhere(resource: Resource, value: unknown, path: ArgumentPath): UniqueCondition {
  requireAction(resource, 'read', path);
  const where = readObject(value, path);
  const keys: KeyCondition[] = [];
  const more: Condition[] = [];
  for (const name of Object.keys(where)) {
    const key = resource.uniqueKeys.get(name);
    if (key) keys.push(planKey(key, where[name], { resource, path: path.member(name) }));
    else if (resource.fields.has(name) || isConnective(name)) more.push(planConditions(resource, { [name]: where[name] }, path));
    else path.member(name).refuseUnknown([...resource.uniqueKeys.keys(), ...filterableNames(resource)]);
  }
  const [first, ...others] = keys;
  if (first) return Object.freeze<UniqueCondition>({ keys: [first, ...others], more: and(...more) });
  return path.refuse(`must name one record of ${resource.model} by a unique key: ${[...resource.uniqueKeys.keys()].join(' or ')}.`);
}

function isConnective(name: string): boolean {
  return CONNECTIVES.some((connective) => connective === name);
}

/** The resource of a key, and the path of its values. */
interface KeyPlace {
  readonly resource: Resource;
  readonly path: ArgumentPath;
}

/** Plans the values of a unique key. */
export function planKey(key: UniqueKey, value: unknown, { resource, path }: KeyPlace): KeyCondition {
  return keyCondition(storedModel(path.storage, resource.model), key, planKeyValues(key, value, path));
}

function planKeyValues({ name, fields }: UniqueKey, value: unknown, path: ArgumentPath): Readonly<Record<string, unknown>> {
  const [field, ...others] = fields;
  if (field && others.length === 0 && field.name === name) return { [name]: planKeyField(field, value, path) };
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
