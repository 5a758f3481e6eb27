import type { Exposed, FieldsWith, Target } from './exposed-by.js';

/** What the generated client knows of a model: the payload of its records, and the types of its operations. */
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
 * A record as a call returns it: what `select`, `include` and `omit` say, as with Prisma, without fields that may not be read.
 *
 * @typeParam Args what the call was given; `true` for a relation that is selected as it is
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

/** As many as the relation leads to. */
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

/** Without a selection: every scalar field that may be read, but for what this call or the whole client omits. */
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

/** The client's own record, its global `omit` applied. */
type ClientRow<PrismaClient, Model extends string> =
  Uncapitalize<Model> extends keyof PrismaClient
    ? PrismaClient[Uncapitalize<Model>] extends { findFirstOrThrow(...args: never): PromiseLike<infer Row> }
      ? Row
      : never
    : never;
