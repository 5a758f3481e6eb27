import type { StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { Place } from './place.js';

/**
 * The names that conditions on a model may use, and the values that its fields take. A client has that of the exposed model, with its rights; the
 * rules of a host have that of the whole schema.
 */
export interface Vocabulary {
  readonly model: StoredModel;
  readonly find: (name: string) => FieldWord | undefined;
  /** For suggestions: what a filter may name. */
  readonly names: () => readonly string[];
  /**
   * How `AND`, `OR` and `NOT` are read. `prisma`: as Prisma's client does, which leaves out empty parts · `logical`: by logic. `OR: []` is then true of no row
   * wherever it is, and an `AND` or `NOT` of no parts is rejected.
   */
  readonly groups: 'prisma' | 'logical';
  /** @throws where conditions on the model's rows may not be asked at all */
  readonly requireReadable: (place: Place) => void;
}

export type FieldWord = AttributeWord | RelationWord;

/** A scalar or enum field, or a list of them. */
export interface AttributeWord {
  readonly kind: 'attribute';
  readonly field: StoredField;
  /** @throws where the field may not be compared at all */
  readonly requireFilter: (place: Place) => void;
  /** @throws where it may not be compared by this operator */
  readonly requireOperator: (operator: string, place: Place) => void;
  /**
   * Reads one value of the field's type. Null and undefined are no values.
   *
   * @throws for anything else
   */
  readonly read: (value: unknown, place: Place) => unknown;
  /** Reads an operand that references a field in place of a value (`prisma.post.fields.title`), in rules alone; undefined for any other. */
  readonly findReference: (operand: unknown) => FieldReference | undefined;
  /** The same field where a value of another type is compared: what an aggregate function makes of it. A sum may be beyond the range of the field. */
  readonly ofType: (type: StoredField['type'], isSum?: boolean) => AttributeWord;
}

/** A relation. */
export interface RelationWord {
  readonly kind: 'relationship';
  readonly relation: StoredRelation;
  readonly target: () => Vocabulary;
  /** @throws where it may not be used in conditions */
  readonly requireFilter: (place: Place) => void;
}

/** A field in place of a value. */
export interface FieldReference {
  /** Absent where the name is of no field of the model. */
  readonly field?: StoredField;
}

/** Returns a field as the result of an aggregate function has it: a result of another type has the comparisons of that type. */
export function fieldOfType(field: StoredField, type: StoredField['type']): StoredField {
  if (type === field.type) return field;
  const result: { -readonly [Member in keyof StoredField]: StoredField[Member] } = { ...field, type };
  delete result.lacks;
  return result;
}
