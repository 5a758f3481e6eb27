import type { Resource } from '../model/surface/surface.js';

/** The plain fields of one record before it is written, by Prisma's names, as validators of the application receive them. */
export type RecordValues = Readonly<Record<string, unknown>>;

/** The action of a write on a record, which selects the validator. */
export type RecordAction = 'create' | 'update';

/** One record that a request writes, at any depth. */
export interface CheckedRecord {
  readonly resource: Resource;
  readonly action: RecordAction;
  readonly values: RecordValues;
}

/** One violation that a validator of the application has found. */
export interface Fault {
  /** The path from the record: the field by Prisma's name, then the keys inside its value. Empty for the record as a whole. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The result of a check: the values to write, or the violations. */
export type Verdict = { readonly values: RecordValues } | { readonly faults: readonly Fault[] };

/** One validator of the application, independent of its library. */
export interface RecordCheck {
  readonly check: (values: RecordValues) => Verdict | Promise<Verdict>;
  /** Returns the constraints of the validator, for the OpenAPI document. */
  readonly shape: () => RecordShape;
}

/** The checks by Prisma's name of the model. All callers share them. */
export type RecordChecks = ReadonlyMap<string, Readonly<Partial<Record<RecordAction, RecordCheck>>>>;

/** The constraints of a validator on a record as JSON Schema, for the OpenAPI document. Fields have their Prisma names. */
export interface RecordShape {
  /** Keywords of draft 2020-12 that narrow a field, e.g. `{ minLength: 3 }`. */
  readonly fields: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Required fields. */
  readonly required: ReadonlySet<string>;
}

/** The shape of a validator that JSON Schema cannot express. */
export const UNKNOWN_SHAPE: RecordShape = { fields: new Map(), required: new Set() };
