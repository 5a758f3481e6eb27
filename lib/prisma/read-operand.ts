import type { AttributeWord } from './vocabulary.js';
import type { Place } from './place.js';

/** What a field is compared with: another field of the row, else what the reader makes of it. */
export function readOperand(word: AttributeWord, operand: unknown, read: () => unknown): unknown {
  return word.isReference(operand) ? operand : read();
}

/** A value, or null where the field may be null. */
export function readNullable(word: AttributeWord, value: unknown, place: Place): unknown {
  return value === null && word.field.optional ? null : readOperand(word, value, () => word.read(value, place));
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
