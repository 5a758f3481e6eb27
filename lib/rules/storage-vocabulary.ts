import type { Storage, StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import { isConnectiveName } from '../model/surface/prisma-operators.js';
import { isPrismaNull, isStorableJson } from '../model/values/json-value.js';
import { readJson } from '../model/values/scalar-types.js';
import { storedModel } from '../model/storage/stored-model.js';
import type { Place } from '../prisma/place.js';
import { isFieldReference } from '../prisma/is-field-reference.js';
import {
  type AttributeWord,
  fieldOfType,
  type FieldReference,
  type FieldWord,
  type RelationWord,
  type Vocabulary,
} from '../prisma/vocabulary.js';

/** Returns the names that the application may use in conditions: all members that the Prisma client exposes, including those hidden from the API. */
export function storageVocabulary(storage: Storage, name: string): Vocabulary {
  const model = storedModel(storage, name);
  return {
    model,
    find: (member) => {
      const word = wordOf(storage, model, member);
      // Prisma always treats the name as a connective, and SQL as the member.
      return word && isConnectiveName(member) ? { ...word, requireFilter: refuseConnective } : word;
    },
    names: () => [...model.fields.values(), ...model.relations.values()].filter(({ ignored }) => !ignored).map((one): string => one.name),
    groups: 'logical',
    requireReadable: () => undefined,
  };
}

function wordOf(storage: Storage, model: StoredModel, name: string): FieldWord | undefined {
  const { fields, relations } = model;
  const field = fields.get(name);
  if (field) return field.ignored ? undefined : attributeWord(field, model);
  const relation = relations.get(name);
  return relation && !relation.ignored ? relationWord(storage, relation) : undefined;
}

function refuseConnective(place: Place): never {
  return place.refuse('is a connective, and a member of the model as well: neither can be asked for there.', 'invalid-filter');
}

function attributeWord(field: StoredField, model: StoredModel): FieldWord & AttributeWord {
  return {
    kind: 'attribute',
    field,
    requireFilter: () => undefined,
    requireOperator: () => undefined,
    read: (value, place) => readStoredValue(field, value, place),
    findReference: (operand) => (isFieldReference(operand) ? referencedField(operand, model) : undefined),
    ofType: (type) => attributeWord(fieldOfType(field, type), model),
  };
}

function relationWord(storage: Storage, relation: StoredRelation): RelationWord {
  return {
    kind: 'relationship',
    relation,
    target: () => storageVocabulary(storage, relation.target),
    requireFilter: () => undefined,
  };
}

function referencedField(reference: object, { model, fields }: StoredModel): FieldReference {
  const field = Reflect.get(reference, 'modelName') === model ? fields.get(String(Reflect.get(reference, 'name'))) : undefined;
  return { ...(field && !field.ignored && { field }) };
}

/**
 * Reads a value that Prisma accepts for the field, and returns it unchanged. Rejects a value that the column cannot store, because the caller would
 * receive the error of the database.
 */
function readStoredValue(field: StoredField, value: unknown, place: Place): unknown {
  const { fits, expected } = VALUES[field.type];
  if (!fits(value, field)) place.refuse(`must be ${expected}.`, 'invalid-value');
  const held = toHeld(field, value);
  if (held !== undefined) {
    const reading = readJson(field, held);
    if ('expected' in reading) place.refuse(`must be ${reading.expected}.`, 'invalid-value');
  }
  return value;
}

/** Returns the value as a client would send it; undefined for a value that every column of the type can store. */
function toHeld({ type }: StoredField, value: unknown): unknown {
  if (type === 'Int') return Number(value);
  return type === 'BigInt' || (TEXTS.has(type) && typeof value === 'string') ? value : undefined;
}

/** Types whose text values are checked. */
const TEXTS: ReadonlySet<StoredField['type']> = new Set(['String', 'Decimal', 'DateTime']);

interface Values {
  readonly fits: (value: unknown, field: StoredField) => boolean;
  readonly expected: string;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';
/** Whether a value is a Decimal of any library with `toFixed`. */
const isDecimal = (value: unknown): boolean => typeof value === 'object' && value !== null && 'toFixed' in value;

const VALUES: Readonly<Record<StoredField['type'], Values>> = {
  String: { fits: isText, expected: 'a string' },
  Boolean: { fits: (value) => typeof value === 'boolean', expected: 'true or false' },
  Int: { fits: isNumber, expected: 'a number' },
  BigInt: { fits: isNumber, expected: 'a bigint or a number' },
  Float: { fits: isNumber, expected: 'a number' },
  Decimal: { fits: (value) => isNumber(value) || isText(value) || isDecimal(value), expected: 'a Decimal, a number or a string' },
  DateTime: { fits: (value) => isText(value) || isTagged(value, 'Date'), expected: 'a Date or a string' },
  Bytes: { fits: (value) => ArrayBuffer.isView(value), expected: 'a Uint8Array' },
  Enum: {
    fits: (value, { enumType }) => typeof value === 'string' && enumType?.values.has(value) === true,
    expected: 'a value of the enum',
  },
  Json: { fits: isJson, expected: 'a JSON value' },
};

/** Whether a value has this class tag. Unlike `instanceof`, this accepts objects of any realm. */
function isTagged(value: unknown, tag: string): boolean {
  return Object.prototype.toString.call(value) === `[object ${tag}]`;
}

/**
 * Whether a value is JSON, or a null of Prisma in its place. Within JSON, Prisma would write its nulls and field references as objects, and compare
 * with these.
 */
function isJson(value: unknown): boolean {
  if (value === null || value === undefined || !isStorableJson(value)) return false;
  return isPrismaNull(value) || !holdsNoJson(value);
}

function holdsNoJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return isPrismaNull(value) || isFieldReference(value) || Object.values(value).some(holdsNoJson);
}
