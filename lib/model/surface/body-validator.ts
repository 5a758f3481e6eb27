/**
 * Validators of the application, by the action whose body they check (public API, section 3). They receive every record that a request
 * writes, at any depth.
 * A record has its plain fields under Prisma's names, with values of the field's type. A class only validates; the output of a schema is
 * written.
 */
export interface BodyValidators {
  /** Validates each record that is created. */
  readonly create?: BodyValidator;
  /** Validates each change of a record. It receives only the fields that the request contains. */
  readonly update?: BodyValidator;
}

/** A class-validator DTO class, or any Standard Schema (zod, valibot, arktype, …). */
export type BodyValidator = DtoClass | StandardSchema;

/** A class whose properties carry class-validator decorators. */
export type DtoClass = new () => object;

/** The part of https://standardschema.dev (version 1) that the package calls. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

/** The result of a Standard Schema: the parsed value, or the issues. */
export type StandardResult = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
