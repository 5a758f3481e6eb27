import type { Storage } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { Condition, Where } from './rules-option.js';

/**
 * A rule's condition in a form that finds the same rows wherever it stands.
 *
 * Prisma takes `{ OR: [] }` for no row, and for every row once it stands within `AND`; and it leaves empty objects out. Here `OR: []` is no row
 * at any depth, `true` is a condition that says nothing, and what is left has no empty parts.
 */
export function normalize(storage: Storage, model: string, condition: Condition): Condition {
  return typeof condition === 'boolean' ? condition : normalizeWhere({ storage, model }, condition);
}

/** A `where` that finds no row of a model, wherever it stands. */
export function noRow(storage: Storage, model: string): Where {
  const { primaryKey, uniqueKeys, fields } = storedModel(storage, model);
  const [name = ''] = (primaryKey ?? uniqueKeys[0])?.fields ?? [...fields.keys()];
  return { [name]: { in: [] } };
}

interface Place {
  readonly storage: Storage;
  readonly model: string;
}

function normalizeWhere(place: Place, where: Where): Condition {
  const members: Where[] = [];
  for (const [key, value] of Object.entries(where)) {
    const member = normalizeMember(place, key, value);
    if (member === false) return false;
    if (member !== true) members.push(member);
  }
  const [only, ...others] = members;
  if (only === undefined) return true;
  return others.length === 0 ? only : { AND: members };
}

function normalizeMember(place: Place, key: string, value: unknown): Condition {
  switch (key) {
    case 'AND':
      return all(partsOf(place, value));
    case 'OR':
      return any(partsOf(place, value));
    case 'NOT':
      // An empty object is left out, as Prisma does: it denies nothing.
      return all(partsOf(place, value).map((part) => (typeof part === 'boolean' ? true : { NOT: part })));
    default:
      return normalizeField(place, key, value);
  }
}

function partsOf(place: Place, value: unknown): readonly Condition[] {
  return ([value].flat() as readonly Where[]).map((part) => normalizeWhere(place, part));
}

function all(parts: readonly Condition[]): Condition {
  if (parts.includes(false)) return false;
  const wheres = parts.filter((part) => typeof part !== 'boolean');
  const [only, ...others] = wheres;
  if (only === undefined) return true;
  return others.length === 0 ? only : { AND: wheres };
}

/** Prisma leaves out what is empty, and finds nothing where nothing is left. */
function any(parts: readonly Condition[]): Condition {
  const wheres = parts.filter((part) => typeof part !== 'boolean');
  const [only, ...others] = wheres;
  if (only === undefined) return false;
  return others.length === 0 ? only : { OR: wheres };
}

const RELATION_OPERATORS: ReadonlySet<string> = new Set(['some', 'every', 'none', 'is', 'isNot']);

function normalizeField({ storage, model }: Place, key: string, value: unknown): Condition {
  const relation = storedModel(storage, model).relations.get(key);
  if (!isPlainObject(value)) return { [key]: value };
  if (!relation) return Object.keys(value).every((name) => name === 'mode') || { [key]: value };
  const place = { storage, model: relation.target };
  const operators = Object.entries(value);
  const isOperated = operators.length > 0 && operators.every(([name]) => RELATION_OPERATORS.has(name));
  if (!isOperated && !relation.many) return { [key]: { is: filterOf(place, value) } };
  return { [key]: Object.fromEntries(operators.map(([name, filter]) => [name, isPlainObject(filter) ? filterOf(place, filter) : filter])) };
}

function filterOf(place: Place, filter: Where): Where {
  const condition = normalizeWhere(place, filter);
  if (condition === true) return {};
  return condition === false ? noRow(place.storage, place.model) : condition;
}
