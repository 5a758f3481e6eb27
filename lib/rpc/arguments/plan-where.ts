import type { Attribute, Field, Relationship, Resource, UniqueKey } from '../../model/surface/surface.js';
import { readHaving } from '../../prisma/read-having.js';
import { readConditions, readScalarWhere, readWhere } from '../../prisma/read-where.js';
import { and, type Condition, type KeyCondition, type UniqueCondition } from '../../query/condition.js';
import type { ArgumentPath } from './argument-path.js';
import type { Storage, StoredKey } from '../../model/storage/storage.js';
import { storedField, storedHop, storedModel } from '../../model/storage/stored-model.js';
import { SUM } from '../../model/values/scalar-types.js';
import { mayFilter } from '../../model/surface/rights.js';
import { isNumeric } from '../../prisma/aggregates.js';
import type { Place } from '../../prisma/place.js';
import { type AttributeWord, fieldOfType, type FieldWord, type RelationWord, type Vocabulary } from '../../prisma/vocabulary.js';
import { readWrittenKey } from '../../model/values/read-written.js';
import { readValue } from './read-value.js';
import { requireAction } from './require-action.js';
import { keyCondition } from '../../query/key.js';
import { CONNECTIVES } from '../../prisma/words.js';
import { readObject } from '../../prisma/typed-slots.js';

/** Plans a `where`. Every field must be exposed and filterable by the rights of its own model, also across relations. */
export function planWhere(resource: Resource, value: unknown, path: ArgumentPath): Condition {
  return readWhere(vocabularyOf(resource, path.storage), value, path);
}

/** Plans the `where` of a nested `updateMany` or `deleteMany`, which accepts no relations. */
export function planScalarWhere(resource: Resource, value: unknown, path: ArgumentPath): Condition {
  return readScalarWhere(vocabularyOf(resource, path.storage), value, path);
}

/** Plans the `having` of a `groupBy`. */
export function planHaving(resource: Resource, value: unknown, path: ArgumentPath): Condition {
  return readHaving(vocabularyOf(resource, path.storage), value, path);
}

const KNOWN = new WeakMap<Resource, Vocabulary>();

/** Returns the names that a client may use in conditions: the fields of the exposed model, with a check of their rights. */
function vocabularyOf(resource: Resource, storage: Storage): Vocabulary {
  let vocabulary = KNOWN.get(resource);
  if (!vocabulary) {
    vocabulary = makeVocabulary(resource, storage);
    KNOWN.set(resource, vocabulary);
  }
  return vocabulary;
}

function makeVocabulary(resource: Resource, storage: Storage): Vocabulary {
  const words = new Map<string, FieldWord>();
  return Object.freeze<Vocabulary>({
    model: storedModel(storage, resource.model),
    find: (name) => {
      const field = resource.fields.get(name);
      if (!field || words.has(name)) return words.get(name);
      const word = field.kind === 'attribute' ? attributeWord(field, storage) : relationWord(field, storage);
      words.set(name, word);
      return word;
    },
    names: () => filterableNames(resource),
    groups: 'prisma',
    requireReadable: (place) => {
      requireAction(resource, 'read', place);
    },
  });
}

/** Returns the filterable fields, for suggestions. */
function filterableNames({ fields }: Resource): readonly string[] {
  return [...fields.values()].filter(({ rights }) => rights.filter !== false).map(({ name }) => name);
}

function attributeWord(attribute: Attribute, storage: Storage): AttributeWord {
  return {
    kind: 'attribute',
    // A computed field has no stored field and cannot be used in a filter.
    field: attribute.computed ? COMPUTED : storedField(storage, attribute),
    requireFilter: (place) => {
      requireFilter(attribute, place);
    },
    requireOperator: (operator, place) => {
      requireOperator(attribute, operator, place);
    },
    read: (value, place) => readValue(attribute, value, place),
    findReference: () => undefined,
    ofType: (type, isSum = false) => {
      const { nativeType, ...others } = attribute;
      const ofSum = isSum ? { nativeType: [SUM, []] as const } : {};
      const narrow = nativeType && !isNumeric(attribute) ? { nativeType } : ofSum;
      const word = attributeWord({ ...others, ...narrow, type }, storage);
      return { ...word, field: fieldOfType(word.field, type) };
    },
  };
}

const COMPUTED = Object.freeze({ name: '', column: '', type: 'String', list: false, optional: true, ignored: true });

function relationWord(relationship: Relationship, storage: Storage): RelationWord {
  return {
    kind: 'relationship',
    relation: storedHop(storage, relationship).relation,
    target: () => vocabularyOf(relationship.target, storage),
    requireFilter: (place) => {
      requireFilter(relationship, place);
    },
  };
}

function requireFilter({ rights }: Field, place: Place): void {
  if (rights.filter === false) place.refuse('may not be used to filter.', 'invalid-filter');
}

/** Rejects a filter on a field that may not be filtered by, or only by other operators (security case 5). */
export function requireOperator({ rights }: Pick<Attribute, 'rights'>, operator: string, place: Place): void {
  if (mayFilter(rights, operator)) return;
  const open = typeof rights.filter === 'boolean' ? '' : `; the field is open to ${[...rights.filter].join(', ')}`;
  place.refuse(`may not be used to filter${open}.`, 'invalid-filter');
}

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
    else if (resource.fields.has(name) || isConnective(name))
      more.push(readConditions(vocabularyOf(resource, path.storage), { value: { [name]: where[name] }, place: path }));
    else path.member(name).refuseUnknown([...resource.uniqueKeys.keys(), ...filterableNames(resource)]);
  }
  const [first, ...others] = keys;
  if (first) return Object.freeze<UniqueCondition>({ keys: [first, ...others], more: and(...more) });
  return refuseKeyless(resource, path);
}

/**
 * Plans the `where` of an upsert. A key that its column would round is rejected: the row that the upsert writes would have another key, so that it is
 * not found by this one.
 */
export function planUpsertWhere(resource: Resource, value: unknown, path: ArgumentPath): UniqueCondition {
  const where = planUniqueWhere(resource, value, path);
  for (const { key, values } of where.keys) {
    const place = path.member(key.name);
    for (const [index, field] of keyFields(key, resource).entries()) {
      const reading = readWrittenKey(field, values[index]);
      if ('value' in reading) continue;
      (key.name === field.name ? place : place.member(field.name)).refuse(`must be ${reading.expected}.`, 'invalid-value');
    }
  }
  return where;
}

function keyFields({ name }: StoredKey, { uniqueKeys }: Resource): readonly Attribute[] {
  return uniqueKeys.get(name)?.fields ?? [];
}

function isConnective(name: string): boolean {
  return CONNECTIVES.some((connective) => connective === name);
}

/** The resource of a key, and the path of its values. */
interface KeyPlace {
  readonly resource: Resource;
  readonly path: ArgumentPath;
}

/**
 * Plans a `cursor`, which accepts values of unique keys only.
 *
 * Prisma's types accept a whole `WhereUniqueInput`. But its query compiler panics at a filter in a cursor, and the client cannot be used after a
 * panic.
 */
export function planCursor(resource: Resource, value: unknown, path: ArgumentPath): readonly KeyCondition[] {
  requireAction(resource, 'read', path);
  const planned = Object.entries(readObject(value, path)).map(([name, given]) => {
    const place = path.member(name);
    const key = resource.uniqueKeys.get(name) ?? place.refuseUnknown(resource.uniqueKeys.keys());
    return planKey(key, given, { resource, path: place });
  });
  return planned.length > 0 ? planned : refuseKeyless(resource, path);
}

function refuseKeyless({ model, uniqueKeys }: Resource, path: ArgumentPath): never {
  path.refuse(`must name one record of ${model} by a unique key: ${[...uniqueKeys.keys()].join(' or ')}.`);
}

/** Plans the values of a unique key. */
function planKey(key: UniqueKey, value: unknown, { resource, path }: KeyPlace): KeyCondition {
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
