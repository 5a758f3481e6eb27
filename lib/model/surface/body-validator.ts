/**
 * Validators of the host, by the action whose body they check (public API, section 3). They see plain fields by Prisma's names, with values
 * of the field's type, of every record that a request writes, at any depth. A class only checks; what a schema returns is written.
 */
export interface BodyValidators {
  /** Checks each record that is created. */
  readonly create?: BodyValidator;
  /** Checks each change of a record; it sees the given fields only. */
  readonly update?: BodyValidator;
}

/** A class-validator DTO class, or any Standard Schema (zod, valibot, arktype, …). */
export type BodyValidator = DtoClass | StandardSchema;

/** A class whose properties carry class-validator decorators. */
export type DtoClass = new () => object;

/** The part of https://standardschema.dev (version 1) that is called. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

/** What a Standard Schema answers: the value it read, or what is wrong with it. */
export type StandardResult = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
