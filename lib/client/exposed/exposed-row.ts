import type { Exposed, FieldsWith, Target } from './exposed-by.js';

/** The types that the generated client has for a model: the payload of its records, and its operations. */
interface ModelTypes {
  readonly payload: { readonly objects: object; readonly scalars: object };
  readonly operations: object;
}

/** {@link ModelTypes} of one model of a PrismaClient type. */
export type TypesOf<PrismaClient, Model extends string> =
  Uncapitalize<Model> extends keyof PrismaClient
    ? PrismaClient[Uncapitalize<Model>] extends Readonly<Record<symbol, { readonly types: infer Types extends ModelTypes }>>
      ? Types
      : never
    : never;

/**
 * A record as a call returns it, according to `select`, `include` and `omit`, without fields that may not be read.
 *
 * @typeParam Args the argument of the call; `true` for a relation that is selected without arguments
 */
export type ExposedRow<PrismaClient, Shown extends Exposed, Model extends string, Args> = Args extends {
  readonly select: infer Selected extends object;
}
  ? SelectedRow<PrismaClient, Shown, Model, Selected>
  : Args extends { readonly include: infer Included extends object }
    ? DefaultRow<PrismaClient, Shown, Model, Args> & SelectedRow<PrismaClient, Shown, Model, Included>
    : DefaultRow<PrismaClient, Shown, Model, Args>;

type SelectedRow<PrismaClient, Shown extends Exposed, Model extends string, Selected> = {
  [Key in keyof Selected as Selected[Key] extends false | null | undefined ? never : Key]: Key extends '_count'
    ? Counts<TypesOf<PrismaClient, Model>['payload']['objects'], Shown, Model, Selected[Key]>
    : Key extends keyof TypesOf<PrismaClient, Model>['payload']['objects']
      ? Related<
          TypesOf<PrismaClient, Model>['payload']['objects'][Key],
          ExposedRow<PrismaClient, Shown, Target<Shown, Model, Key>, Selected[Key]>
        >
      : Key extends keyof TypesOf<PrismaClient, Model>['payload']['scalars']
        ? TypesOf<PrismaClient, Model>['payload']['scalars'][Key]
        : never;
};

/** One row, null or a list of rows, by the cardinality of the relation. */
export type Related<Payload, Row> = Payload extends readonly unknown[] ? Row[] : Payload extends null ? null : Row;

type Counts<Objects, Shown extends Exposed, Model extends string, Selected> = Selected extends {
  readonly select: infer Names extends object;
}
  ? { [Name in keyof Names as Names[Name] extends false | null | undefined ? never : Name]: number }
  : {
      [
        Name in keyof Objects as Name extends FieldsWith<Shown, Model, 'read'>
          ? Objects[Name] extends readonly unknown[]
            ? Name
            : never
          : never
      ]: number;
    };

/** The row without a selection: every scalar field that may be read, without those that this call or the client's global `omit` excludes. */
type DefaultRow<PrismaClient, Shown extends Exposed, Model extends string, Args> = Args extends {
  readonly omit: infer Omitted extends object;
}
  ? Readable<PrismaClient, Shown, Model, Exclude<keyof ClientRow<PrismaClient, Model> | KeyWith<Omitted, false>, KeyWith<Omitted, true>>>
  : Readable<PrismaClient, Shown, Model, keyof ClientRow<PrismaClient, Model>>;

type Readable<PrismaClient, Shown extends Exposed, Model extends string, Names> = {
  [
    Key in keyof TypesOf<PrismaClient, Model>['payload']['scalars'] as Key extends Names & FieldsWith<Shown, Model, 'read'> ? Key : never
  ]: TypesOf<PrismaClient, Model>['payload']['scalars'][Key];
};

type KeyWith<Omitted, Value> = { [Key in keyof Omitted]: Omitted[Key] extends Value ? Key : never }[keyof Omitted];

/** The client's own row type, to which its global `omit` is applied. */
type ClientRow<PrismaClient, Model extends string> =
  Uncapitalize<Model> extends keyof PrismaClient
    ? PrismaClient[Uncapitalize<Model>] extends { findFirstOrThrow(...args: never): PromiseLike<infer Row> }
      ? Row
      : never
    : never;
