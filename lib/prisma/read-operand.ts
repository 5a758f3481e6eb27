import type { StoredField } from '../model/storage/storage.js';
import type { Place } from './place.js';
import type { AttributeWord } from './vocabulary.js';

/** What an operator compares a field with. */
export interface Operand {
  readonly value: unknown;
  readonly place: Place;
  /** Whether it is a list of values. A list of the row is then compared in place of them. */
  readonly isList?: boolean;
}

/**
 * Reads what a field is compared with: another field of the row, else what the reader makes of it.
 *
 * @throws for a field of another model or type, which Prisma would reject when the query runs
 */
export function readOperand(word: AttributeWord, { value, place, isList = false }: Operand, read: () => unknown): unknown {
  const reference = word.findReference(value);
  if (!reference) return read();
  const type = typeNameOf(word.field);
  const { field } = reference;
  if (field?.list !== isList || typeNameOf(field) !== type)
    place.refuse(`must be a value, or a field of the same model and of type ${type}${isList ? '[]' : ''}.`, 'invalid-value');
  return value;
}

/** Names the types that the database compares with each other. */
function typeNameOf({ type, enumType, nativeType }: StoredField): string {
  if (enumType) return enumType.name;
  return type === 'String' && nativeType?.[0] === 'Uuid' ? 'Uuid' : type;
}

/** A value, or null where the field may be null. */
export function readNullable(word: AttributeWord, value: unknown, place: Place): unknown {
  return value === null && word.field.optional ? null : readOperand(word, { value, place }, () => word.read(value, place));
}

/** A list of values, e.g. the operand of `in`. */
export function readValues(word: AttributeWord, value: unknown, place: Place): readonly unknown[] {
  if (!Array.isArray(value)) place.refuse('must be a list.', 'invalid-value');
  return value.map((element, index) => readElement(word, element, place.element(index)));
}

/** An element of a list: the JSON value null is one, SQL's NULL is none. */
export function readElement(word: AttributeWord, value: unknown, place: Place): unknown {
  return word.field.type === 'Json' && value === null ? null : word.read(value, place);
}
