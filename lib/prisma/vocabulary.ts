import type { StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { Place } from './place.js';

/**
 * The names that conditions on a model may use, and the types of their values. Clients use the exposed model with its rights. The rules of the
 * application use the whole schema.
 */
export interface Vocabulary {
  readonly model: StoredModel;
  readonly find: (name: string) => FieldWord | undefined;
  /** Returns the names that a filter may use, for suggestions. */
  readonly names: () => readonly string[];
  /**
   * The semantics of `AND`, `OR` and `NOT`.
   *
   * `prisma`: that of Prisma's client, which skips empty parts · `logical`: that of logic. `OR: []` is then false in any position, and an `AND` or
   * `NOT` with an empty list is rejected.
   */
  readonly groups: 'prisma' | 'logical';
  /**
   * Rejects all conditions on the model, if the caller may use none.
   *
   * @throws the error of {@link Place.refuse}
   */
  readonly requireReadable: (place: Place) => void;
}

export type FieldWord = AttributeWord | RelationWord;

/** A scalar or enum field, or a list of them. */
export interface AttributeWord {
  readonly kind: 'attribute';
  readonly field: StoredField;
  /**
   * Rejects the field, if conditions may not use it.
   *
   * @throws the error of {@link Place.refuse}
   */
  readonly requireFilter: (place: Place) => void;
  /**
   * Rejects an operator, if the field may not be compared by it.
   *
   * @throws the error of {@link Place.refuse}
   */
  readonly requireOperator: (operator: string, place: Place) => void;
  /**
   * Reads one value of the field's type.
   *
   * @throws for any other value, including null and undefined
   */
  readonly read: (value: unknown, place: Place) => unknown;
  /**
   * Returns the field that an operand references instead of a value (`prisma.post.fields.title`); undefined for any other operand. Only rules may use
   * references.
   */
  readonly findReference: (operand: unknown) => FieldReference | undefined;
  /** Returns the same field with the type of the result of an aggregate function. A sum may exceed the range of the field. */
  readonly ofType: (type: StoredField['type'], isSum?: boolean) => AttributeWord;
}

/** A relation in conditions. */
export interface RelationWord {
  readonly kind: 'relationship';
  readonly relation: StoredRelation;
  readonly target: () => Vocabulary;
  /**
   * Rejects the relation, if conditions may not use it.
   *
   * @throws the error of {@link Place.refuse}
   */
  readonly requireFilter: (place: Place) => void;
}

/** A reference to a field instead of a value. */
export interface FieldReference {
  /** Absent if the model has no field of that name. */
  readonly field?: StoredField;
}

/** Returns a field with the type of the result of an aggregate function. If the type differs, the field has the comparisons of the new type. */
export function fieldOfType(field: StoredField, type: StoredField['type']): StoredField {
  if (type === field.type) return field;
  const result: { -readonly [Member in keyof StoredField]: StoredField[Member] } = { ...field, type };
  delete result.lacks;
  return result;
}
