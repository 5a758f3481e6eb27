import type { ActionsOf, ExposableSchema, ExposedRight, FieldOptions, FieldSchema, OptionOf, VisibleModel } from './exposable-schema.js';

/**
 * The rights of every field of a model, as lib/model settles them (`exposure.ts`, `key-rights.ts`): comments and options, a foreign key and
 * its relation as one, and what the related model closes.
 */
export type SettledRights<Schema extends ExposableSchema, Resources, Model extends string> = {
  readonly [Name in keyof FieldsOf<Schema, Model> & string]: FieldsOf<Schema, Model>[Name]['kind'] extends 'relation'
    ? BoundToTarget<Schema, Resources, FieldsOf<Schema, Model>[Name], UnitedRights<Schema, Resources, Model, Name>>
    : HoldsHiddenValues<Schema, Resources, Model, Name> extends true
      ? never
      : Exclude<UnitedRights<Schema, Resources, Model, Name>, WrittenByApi<Schema, Resources, Model, Name>>;
};

/** The version of a row is counted, and when it was deleted is set by deleting it: neither is for clients to write. */
type WrittenByApi<Schema extends ExposableSchema, Resources, Model extends string, Name extends string> = Name extends
  VersionOf<FieldsOf<Schema, Model>, OptionOf<Resources, Model>> | MarkOf<OptionOf<Resources, Model>>
  ? 'create' | 'update'
  : never;

/** The option `version` wins over the comment. */
type VersionOf<Fields extends Readonly<Record<string, FieldSchema>>, Options> = Options extends { readonly version: infer Name }
  ? Name
  : { [Name in keyof Fields]: Fields[Name] extends { readonly version: true } ? Name : never }[keyof Fields];

type MarkOf<Options> = Options extends { readonly softDelete: infer SoftDelete }
  ? SoftDelete extends { readonly field: infer Name }
    ? Name
    : SoftDelete
  : never;

type FieldsOf<Schema extends ExposableSchema, Model extends string> = Schema['models'][Model]['fields'];

interface PresetRights {
  readonly hidden: never;
  readonly readOnly: 'read' | 'filter' | 'sort';
  readonly writeOnly: 'create' | 'update';
  readonly immutable: 'read' | 'filter' | 'sort' | 'create';
}

type ClosedByPreset<Preset> = Preset extends keyof PresetRights ? Exclude<ExposedRight, PresetRights[Preset]> : never;

/** The rights that an option opens: a preset speaks of all, an object of those that it names. */
type OpenedBy<Option> = Option extends keyof PresetRights ? PresetRights[Option] : Stated<Option, true>;

type ClosedBy<Option> = Option extends keyof PresetRights ? ClosedByPreset<Option> : Stated<Option, false> | SetByServer<Option>;

/** What the server sets is not for clients to write. */
type SetByServer<Option> = Option extends { readonly value: object } ? 'create' | 'update' : never;

type Stated<Option, IsOpen extends boolean> = Option extends object
  ? { [Right in ExposedRight & keyof Option]: IsOpen extends IsOpened<Option[Right]> ? Right : never }[ExposedRight & keyof Option]
  : never;

/** A list names the operators that are open; undefined says nothing. */
type IsOpened<Value> = Value extends false | readonly [] ? false : Value extends undefined ? never : true;

/** One right for all of these fields: options win over comments, among equals the closed one wins. */
type JoinedRights<Fields extends Readonly<Record<string, FieldSchema>>, Options, Names extends string> = RightsLeft<
  Names extends Names ? ClosedBy<OptionOf<Options, Names>> : never,
  Names extends Names ? OpenedBy<OptionOf<Options, Names>> : never,
  Names extends Names ? ClosedByPreset<Fields[Names]['api']> : never
>;

/** Filtering and sorting tell a value as surely as reading it: without that they need to be stated themselves. */
type RightsLeft<Closed, Opened, ClosedByComment> =
  Exclude<ExposedRight, Closed | Exclude<ClosedByComment, Opened>> extends infer Open
    ? 'read' extends Open
      ? Open
      : Exclude<Open, Exclude<'filter' | 'sort', Exclude<Opened, Closed>>>
    : never;

type KeyOf<Field extends FieldSchema> = Field['foreignKey'] extends { readonly fields: readonly (infer Name extends string)[] }
  ? Name
  : never;

/** The relations whose foreign key a field belongs to. */
type UsersOf<Fields extends Readonly<Record<string, FieldSchema>>, Name> = {
  [Relation in keyof Fields & string]: Name extends KeyOf<Fields[Relation]> ? Relation : never;
}[keyof Fields & string];

type IsShared<Fields extends Readonly<Record<string, FieldSchema>>, Name> = IsUnion<UsersOf<Fields, Name>>;

type IsUnion<Type, Whole = Type> = [Type] extends [never] ? false : Type extends Type ? ([Whole] extends [Type] ? false : true) : never;

/** The fields of a relation's key that no other relation uses. */
type OwnKeyOf<Fields extends Readonly<Record<string, FieldSchema>>, Relation extends string> =
  KeyOf<Fields[Relation]> extends infer Name ? (Name extends string ? (IsShared<Fields, Name> extends true ? never : Name) : never) : never;

type UnitedRights<
  Schema extends ExposableSchema,
  Resources,
  Model extends string,
  Name extends string,
  Fields extends Readonly<Record<string, FieldSchema>> = FieldsOf<Schema, Model>,
> = Fields[Name]['kind'] extends 'relation'
  ? RelationRights<Schema, Resources, Model, Name>
  : IsShared<Fields, Name> extends true
    ? SharedFieldRights<Schema, Resources, Model, Name>
    : UsersOf<Fields, Name> extends infer User extends string
      ? [User] extends [never]
        ? JoinedRights<Fields, FieldOptions<Resources, Model>, Name>
        : KeyFieldRights<Schema, Resources, Model, Name, User>
      : never;

type RelationRights<
  Schema extends ExposableSchema,
  Resources,
  Model extends string,
  Name extends string,
  Fields extends Readonly<Record<string, FieldSchema>> = FieldsOf<Schema, Model>,
> = [KeyOf<Fields[Name]>] extends [never]
  ? RelationItself<Schema, Resources, Model, Name>
  : [OwnKeyOf<Fields, Name>] extends [never]
    ? RelationItself<Schema, Resources, Model, Name> & SharedKeyRights<Schema, Resources, Model, KeyOf<Fields[Name]>>
    : RelationItself<Schema, Resources, Model, Name>;

/** Before what its shared key says. */
type RelationItself<Schema extends ExposableSchema, Resources, Model extends string, Name extends string> =
  FieldsOf<Schema, Model>[Name]['type'] extends VisibleModel<Schema, Resources>
    ? JoinedRights<FieldsOf<Schema, Model>, FieldOptions<Resources, Model>, Name | OwnKeyOf<FieldsOf<Schema, Model>, Name>>
    : never;

type SharedKeyRights<Schema extends ExposableSchema, Resources, Model extends string, Names extends string> = Names extends Names
  ? SharedFieldRights<Schema, Resources, Model, Names>
  : never;

/** The key of one relation. Where the related model is hidden, only an option for the field itself opens it. */
type KeyFieldRights<Schema extends ExposableSchema, Resources, Model extends string, Name extends string, User extends string> =
  FieldsOf<Schema, Model>[User]['type'] extends VisibleModel<Schema, Resources>
    ? RelationItself<Schema, Resources, Model, User>
    : Name extends keyof FieldOptions<Resources, Model>
      ? JoinedRights<FieldsOf<Schema, Model>, FieldOptions<Resources, Model>, Name>
      : never;

/** As open as the relations whose whole key it is, or else as any that use it. */
type SharedFieldRights<
  Schema extends ExposableSchema,
  Resources,
  Model extends string,
  Name extends string,
  Fields extends Readonly<Record<string, FieldSchema>> = FieldsOf<Schema, Model>,
> = Name extends keyof FieldOptions<Resources, Model>
  ? JoinedRights<Fields, FieldOptions<Resources, Model>, Name>
  : JoinedRights<Fields, FieldOptions<Resources, Model>, Name> &
      AnyRelation<Schema, Resources, Model, Deciding<Fields, UsersOf<Fields, Name>>>;

type Deciding<Fields extends Readonly<Record<string, FieldSchema>>, Users extends string> = [AloneIn<Fields, Users>] extends [never]
  ? Users
  : AloneIn<Fields, Users>;

type AloneIn<Fields extends Readonly<Record<string, FieldSchema>>, Users extends string> = Users extends Users
  ? Fields[Users]['foreignKey'] extends { readonly fields: readonly [string] }
    ? Users
    : never
  : never;

type AnyRelation<Schema extends ExposableSchema, Resources, Model extends string, Names extends string> = Names extends Names
  ? RelationItself<Schema, Resources, Model, Names>
  : never;

/** Related records that may not be read are written at most; and the side without the key writes it only where it is open. */
type BoundToTarget<Schema extends ExposableSchema, Resources, Field extends FieldSchema, Rights> =
  Field['type'] extends VisibleModel<Schema, Resources>
    ? (
        'read' extends ActionsOf<Schema, Resources, Field['type']> ? Rights : Exclude<Rights, 'read' | 'filter' | 'sort'>
      ) extends infer Readable
      ? [OppositeKey<Schema, Resources, Field> & ('create' | 'update')] extends [never]
        ? Exclude<Readable, 'create' | 'update'>
        : Readable
      : never
    : never;

/** The rights of the key that the side without one writes; all of them where there is no such key. */
type OppositeKey<Schema extends ExposableSchema, Resources, Field extends FieldSchema> = Field['foreignKey'] extends object
  ? ExposedRight
  : Field['opposite'] extends keyof FieldsOf<Schema, Field['type']> & string
    ? FieldsOf<Schema, Field['type']>[Field['opposite']]['foreignKey'] extends object
      ? UnitedRights<Schema, Resources, Field['type'], Field['opposite']>
      : ExposedRight
    : ExposedRight;

/**
 * Whether a field is a foreign key to nothing but fields that the API does not show. Naming it in `resources` opens it all the same.
 *
 * @typeParam Path the keys that led here: one that leads back to itself shows no more than it does
 */
type HoldsHiddenValues<
  Schema extends ExposableSchema,
  Resources,
  Model extends string,
  Name extends string,
  Path extends string = never,
> = Name extends keyof FieldOptions<Resources, Model>
  ? false
  : `${Model}.${Name}` extends Path
    ? false
    : Judge<ShownBy<Schema, Resources, Model, Name, UsersOf<FieldsOf<Schema, Model>, Name>, Path | `${Model}.${Name}`>>;

/** No reference at all is never. */
type Judge<Shown> = [Shown] extends [never] ? false : true extends Shown ? false : true;

/** Whether what the field refers to by each of its relations may be read; never for a hidden model, which counts for nothing. */
type ShownBy<
  Schema extends ExposableSchema,
  Resources,
  Model extends string,
  Name extends string,
  Users extends string,
  Path extends string,
> = Users extends Users ? ShowsReference<Schema, Resources, FieldsOf<Schema, Model>[Users], Name, Path> : never;

type ShowsReference<Schema extends ExposableSchema, Resources, Relation extends FieldSchema, Name, Path extends string> =
  Relation['type'] extends VisibleModel<Schema, Resources>
    ? ReferenceOf<NonNullable<Relation['foreignKey']>, Name> extends infer Reference extends string
      ? 'read' extends UnitedRights<Schema, Resources, Relation['type'], Reference>
        ? HoldsHiddenValues<Schema, Resources, Relation['type'], Reference, Path> extends true
          ? false
          : true
        : false
      : never
    : never;

/** The field at the place of `Name` in the key. */
type ReferenceOf<Key extends { readonly fields: readonly string[]; readonly references: readonly string[] }, Name> = {
  [Index in keyof Key['fields'] & keyof Key['references']]: Key['fields'][Index] extends Name ? Key['references'][Index] : never;
}[keyof Key['fields'] & keyof Key['references'] & `${number}`];
