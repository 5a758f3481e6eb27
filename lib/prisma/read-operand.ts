import type { StoredField } from '../model/storage/storage.js';
import type { Place } from './place.js';
import type { AttributeWord } from './vocabulary.js';

/** The operand of an operator, and its position. */
export interface Operand {
  readonly value: unknown;
  readonly place: Place;
  /** Whether the operator takes a list of values. A list field may then replace them. */
  readonly isList?: boolean;
}

/**
 * Reads an operand: a reference to another field of the row, or a value, by the given reader.
 *
 * @throws for a field of another model or type, which Prisma would reject at the time of the query
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

/** Returns the name of a type. The database compares fields with equal names. */
function typeNameOf({ type, enumType, nativeType }: StoredField): string {
  if (enumType) return enumType.name;
  return type === 'String' && nativeType?.[0] === 'Uuid' ? 'Uuid' : type;
}

/** Reads a value, or null if the field may be null. */
export function readNullable(word: AttributeWord, value: unknown, place: Place): unknown {
  return value === null && word.field.optional ? null : readOperand(word, { value, place }, () => word.read(value, place));
}

/** Reads a list of values, e.g. the operand of `in`. */
export function readValues(word: AttributeWord, value: unknown, place: Place): readonly unknown[] {
  if (!Array.isArray(value)) place.refuse('must be a list.', 'invalid-value');
  return value.map((element, index) => readElement(word, element, place.element(index)));
}

/** Reads an element of a list. The JSON value null is a valid element, but not SQL's NULL. */
export function readElement(word: AttributeWord, value: unknown, place: Place): unknown {
  return word.field.type === 'Json' && value === null ? null : word.read(value, place);
}
