import type { Resource } from '../model/surface/surface.js';

/** The plain fields of one record that is about to be written, by Prisma's names, as validators of the host see them. */
export type RecordValues = Readonly<Record<string, unknown>>;

/** What is done to a record: which of its validators sees it. */
export type RecordAction = 'create' | 'update';

/** One record that a request writes, at any depth. */
export interface WrittenRecord {
  readonly resource: Resource;
  readonly action: RecordAction;
  readonly values: RecordValues;
}

/** One thing that a validator of the host found. */
export interface Fault {
  /** From the record: a field by Prisma's name, then what is inside its value. Empty for the record as a whole. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What a check finds: the values to write, or what is wrong with them. */
export type Verdict = { readonly values: RecordValues } | { readonly faults: readonly Fault[] };

/** One validator of the host, whatever library it is of. */
export interface RecordCheck {
  readonly check: (values: RecordValues) => Verdict | Promise<Verdict>;
  /** What it checks, for documents of the API. */
  readonly shape: () => RecordShape;
}

/** The checks of each model that has any, by Prisma's name: they are the same for all callers. */
export type RecordChecks = ReadonlyMap<string, Readonly<Partial<Record<RecordAction, RecordCheck>>>>;

/** What a validator of the host requires of a record, as JSON Schema, for the OpenAPI document. Fields have their Prisma names. */
export interface RecordShape {
  /** Keywords of draft 2020-12 that narrow a field, e.g. `{ minLength: 3 }`. */
  readonly fields: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Fields that must be given. */
  readonly required: ReadonlySet<string>;
}

/** Of a validator that cannot be expressed in JSON Schema. */
export const UNKNOWN_SHAPE: RecordShape = { fields: new Map(), required: new Set() };
