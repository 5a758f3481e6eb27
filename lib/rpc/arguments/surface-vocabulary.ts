import type { Storage } from '../../model/storage/storage.js';
import { storedField, storedHop, storedModel } from '../../model/storage/stored-model.js';
import { SUM } from '../../model/values/scalar-types.js';
import { mayFilter } from '../../model/surface/rights.js';
import type { Attribute, Field, Relationship, Resource } from '../../model/surface/surface.js';
import { isNumeric } from '../../prisma/aggregates.js';
import type { Place } from '../../prisma/place.js';
import { type AttributeWord, fieldOfType, type FieldWord, type RelationWord, type Vocabulary } from '../../prisma/vocabulary.js';
import { readValue } from './read-value.js';
import { requireAction } from './require-action.js';

const KNOWN = new WeakMap<Resource, Vocabulary>();

/** Returns the names that a client may use in conditions: the fields of the exposed model, with a check of their rights. */
export function vocabularyOf(resource: Resource, storage: Storage): Vocabulary {
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
export function filterableNames({ fields }: Resource): readonly string[] {
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
