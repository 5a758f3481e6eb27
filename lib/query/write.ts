import type { StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { Condition, UniqueCondition } from './condition.js';
import type { LoadStrategy, Selection } from './selection.js';

/** A query that changes rows of one model, and others through their relations. */
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
  /** Without relations. */
  readonly records: readonly WrittenRecord[];
  readonly skipDuplicates?: boolean;
  /** Absent where only their number is asked for. */
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
  /** Without relations. */
  readonly record: WrittenRecord;
  readonly limit?: number;
  /** Absent where only their number is asked for. */
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

/** A write that answers rows. */
export type AnsweredWrite = Create | Update | Upsert | Delete | Answering<CreateMany> | Answering<UpdateMany>;

type Answering<Many extends CreateMany | UpdateMany> = Many & { readonly selection: Selection };

/** A write that answers how many rows it has changed. */
export type CountedWrite = (CreateMany & { readonly selection?: never }) | (UpdateMany & { readonly selection?: never }) | DeleteMany;

/** Whether a write answers rows. */
export function isAnswered(write: Write): write is AnsweredWrite {
  return 'selection' in write;
}

/** What is written into one row, new or not, and through its relations. */
export interface WrittenRecord {
  readonly kind: 'record';
  readonly model: StoredModel;
  readonly action: 'create' | 'update';
  readonly fields: readonly WrittenField[];
  readonly relations: readonly WrittenRelation[];
  /** Its place in what the client sent, e.g. `['data', 'posts', 'create', 0]`. */
  readonly at: readonly (string | number)[];
}

export const FIELD_OPERATIONS = Object.freeze(['set', 'push', 'increment', 'decrement', 'multiply', 'divide'] as const);

/** What is done to the value of a field. */
export type FieldOperation = (typeof FIELD_OPERATIONS)[number];

export interface WrittenField {
  readonly field: StoredField;
  readonly operation: FieldOperation;
  /** Of the field's type; null empties it. */
  readonly value: unknown;
  /** Whether the client has no say in it: the host sets it, or it is the key of a row that is linked. */
  readonly isSettled?: true;
}

export interface WrittenRelation {
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  /** In the order in which they were given. */
  readonly verbs: readonly Verb[];
}

/** What is done through a relation. */
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

/** Creates a row and links it. */
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

/** Which of the linked rows a verb is about: of a to-many relation the one with a key, of a to-one relation the only one, if it meets a condition. */
export type LinkedRow = UniqueCondition | Condition;

export interface DisconnectVerb {
  readonly kind: 'disconnect';
  readonly row: LinkedRow;
}

/** Links exactly these rows. */
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

/** The values that a record sets. */
export function setValues({ fields }: WrittenRecord): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.flatMap(({ field, operation, value }) => (operation === 'set' ? [[field.name, value]] : [])));
}

/** Whether a row is named by a key of it. */
export function isUnique(row: LinkedRow): row is UniqueCondition {
  return 'keys' in row;
}
