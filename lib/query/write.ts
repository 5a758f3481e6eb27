import type { StoredField, StoredForeignKey, StoredJoinTable, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { Condition, UniqueCondition } from './condition.js';
import type { LoadStrategy, Selection } from './selection.js';

/** A query that changes rows of one model, and related rows through nested writes. */
export type Write = Create | CreateMany | Update | UpdateMany | Upsert | Delete | DeleteMany;

export interface Create {
  readonly kind: 'create';
  readonly model: StoredModel;
  readonly record: WrittenRecord;
  readonly selection: Selection;
  readonly loadStrategy?: LoadStrategy;
}

export interface CreateMany {
  readonly kind: 'create-many';
  readonly model: StoredModel;
  /** Records without nested writes. */
  readonly records: readonly WrittenRecord[];
  readonly skipDuplicates?: boolean;
  /** Absent if the result is only the number of rows. */
  readonly selection?: Selection;
}

export interface Update {
  readonly kind: 'update';
  readonly model: StoredModel;
  readonly where: UniqueCondition;
  readonly record: WrittenRecord;
  readonly selection: Selection;
  readonly loadStrategy?: LoadStrategy;
}

export interface UpdateMany {
  readonly kind: 'update-many';
  readonly model: StoredModel;
  readonly where: Condition;
  /** A record without nested writes. */
  readonly record: WrittenRecord;
  readonly limit?: number;
  /** Absent if the result is only the number of rows. */
  readonly selection?: Selection;
}

export interface Upsert {
  readonly kind: 'upsert';
  readonly model: StoredModel;
  readonly where: UniqueCondition;
  readonly create: WrittenRecord;
  readonly update: WrittenRecord;
  readonly selection: Selection;
  readonly loadStrategy?: LoadStrategy;
}

export interface Delete {
  readonly kind: 'delete';
  readonly model: StoredModel;
  readonly where: UniqueCondition;
  readonly selection: Selection;
  readonly loadStrategy?: LoadStrategy;
}

export interface DeleteMany {
  readonly kind: 'delete-many';
  readonly model: StoredModel;
  readonly where: Condition;
  readonly limit?: number;
}

/** A write that returns rows. */
export type ReturningWrite = Create | Update | Upsert | Delete | Answering<CreateMany> | Answering<UpdateMany>;

type Answering<Many extends CreateMany | UpdateMany> = Many & { readonly selection: Selection };

/** A write that returns the number of rows that it has changed. */
export type CountedWrite = (CreateMany & { readonly selection?: never }) | (UpdateMany & { readonly selection?: never }) | DeleteMany;

/** Whether a write returns rows. */
export function returnsResult(write: Write): write is ReturningWrite {
  return 'selection' in write;
}

/** The values that a write sets in one new or existing row, and the nested writes of its relations. */
export interface WrittenRecord {
  readonly kind: 'record';
  readonly model: StoredModel;
  readonly action: 'create' | 'update';
  readonly fields: readonly WrittenField[];
  readonly relations: readonly WrittenRelation[];
  /** The path of the record in the client's input, e.g. `['data', 'posts', 'create', 0]`. */
  readonly at: readonly (string | number)[];
}

export const FIELD_OPERATIONS = Object.freeze(['set', 'push', 'increment', 'decrement', 'multiply', 'divide'] as const);

/** An operation on the value of a field. */
export type FieldOperation = (typeof FIELD_OPERATIONS)[number];

export interface WrittenField {
  readonly field: StoredField;
  readonly operation: FieldOperation;
  /** A value of the field's type, or null. */
  readonly value: unknown;
  /** Whether the value does not come from the client: the application sets it, or it is the key of a linked row. */
  readonly isSettled?: true;
}

export interface WrittenRelation {
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  /** In the order of the request. */
  readonly verbs: readonly Verb[];
}

/** A nested write of a relation. */
export type Verb =
  | CreateVerb
  | CreateManyVerb
  | ConnectVerb
  | ConnectOrCreateVerb
  | DisconnectVerb
  | SetVerb
  | UpdateVerb
  | UpdateManyVerb
  | UpsertVerb
  | DeleteVerb
  | DeleteManyVerb;

/** A nested write that creates a row and links it. */
export interface CreateVerb {
  readonly kind: 'create-related';
  readonly record: WrittenRecord;
}

export interface CreateManyVerb {
  readonly kind: 'create-many-related';
  readonly records: readonly WrittenRecord[];
  readonly skipDuplicates?: boolean;
}

export interface ConnectVerb {
  readonly kind: 'connect';
  readonly row: UniqueCondition;
}

export interface ConnectOrCreateVerb {
  readonly kind: 'connect-or-create';
  readonly row: UniqueCondition;
  readonly record: WrittenRecord;
}

/** The linked row that a verb writes. A key names it in a to-many relation. In a to-one relation it is the only row, if it meets the condition. */
export type LinkedRow = UniqueCondition | Condition;

export interface DisconnectVerb {
  readonly kind: 'disconnect';
  readonly row: LinkedRow;
}

/** A nested write that links exactly these rows, and unlinks all others. */
export interface SetVerb {
  readonly kind: 'set';
  readonly rows: readonly UniqueCondition[];
}

export interface UpdateVerb {
  readonly kind: 'update-related';
  readonly row: LinkedRow;
  readonly record: WrittenRecord;
}

export interface UpdateManyVerb {
  readonly kind: 'update-many-related';
  readonly where: Condition;
  readonly record: WrittenRecord;
}

export interface UpsertVerb {
  readonly kind: 'upsert-related';
  readonly row: LinkedRow;
  readonly create: WrittenRecord;
  readonly update: WrittenRecord;
}

export interface DeleteVerb {
  readonly kind: 'delete-related';
  readonly row: LinkedRow;
}

export interface DeleteManyVerb {
  readonly kind: 'delete-many-related';
  readonly where: Condition;
}

/**
 * Where a relation stores its links: in columns of the row itself (`own`), in columns of the target rows, or in a join table. A row is written after
 * the rows that its own columns reference, and before all other rows that it is linked to.
 */
export type KeyPlace =
  | { readonly kind: 'own'; readonly key: StoredForeignKey }
  | { readonly kind: 'target'; readonly key: StoredForeignKey }
  | { readonly kind: 'join-table'; readonly joinTable: StoredJoinTable };

export function keyPlaceOf({ name, foreignKey, referredBy, joinTable }: StoredRelation): KeyPlace {
  if (foreignKey) return { kind: 'own', key: foreignKey };
  if (joinTable) return { kind: 'join-table', joinTable };
  if (referredBy) return { kind: 'target', key: referredBy };
  throw new TypeError(`The schema has neither a foreign key nor a join table for the relation '${name}'.`);
}

/** Whether a verb takes the linked row away from another row, whose foreign key it clears: the record has the key of a one-to-one relation. */
export function takesAway({ relation, target }: WrittenRelation, verb: Verb): verb is ConnectVerb | ConnectOrCreateVerb {
  if (verb.kind !== 'connect' && verb.kind !== 'connect-or-create') return false;
  return relation.foreignKey !== undefined && target.relations.get(relation.opposite ?? '')?.many === false;
}

/** Returns the values that a record sets, by the names of their fields. */
export function setValues({ fields }: WrittenRecord): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { field, operation, value } of fields) if (operation === 'set') values[field.name] = value;
  return values;
}

/** Whether a key names the linked row. */
export function isUnique(row: LinkedRow): row is UniqueCondition {
  return 'keys' in row;
}
