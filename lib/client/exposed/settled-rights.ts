import type { ActionsOf, ExposableSchema, ExposedRight, FieldOptions, FieldSchema, OptionOf, VisibleModel } from './exposable-schema.js';

/**
 * The rights of every field of a model, as lib/model computes them (`exposure.ts`, `key-rights.ts`). They combine comments and options, a foreign key
 * with its relation, and the exposure of the related model.
 */
export type SettledRights<Schema extends ExposableSchema, Resources, Model extends string> = {
  readonly [Name in keyof FieldsOf<Schema, Model> & string]: FieldsOf<Schema, Model>[Name]['kind'] extends 'relation'
    ? BoundToTarget<Schema, Resources, FieldsOf<Schema, Model>[Name], UnitedRights<Schema, Resources, Model, Name>>
    : HoldsHiddenValues<Schema, Resources, Model, Name> extends true
      ? never
      : Exclude<UnitedRights<Schema, Resources, Model, Name>, WrittenByApi<Schema, Resources, Model, Name>>;
};

/** The rights to write the version field and the field of soft delete, which clients never have, because the server writes these fields. */
type WrittenByApi<Schema extends ExposableSchema, Resources, Model extends string, Name extends string> = Name extends
  VersionOf<FieldsOf<Schema, Model>, OptionOf<Resources, Model>> | MarkOf<OptionOf<Resources, Model>>
  ? 'create' | 'update'
  : never;

/** The version field. The option `version` takes precedence over the comment. */
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

/** The rights that an option grants: a preset defines all rights, an object those that it names. */
type OpenedBy<Option> = Option extends keyof PresetRights ? PresetRights[Option] : Stated<Option, true>;

type ClosedBy<Option> = Option extends keyof PresetRights ? ClosedByPreset<Option> : Stated<Option, false> | SetByServer<Option>;

/** Clients cannot write a field whose value the server sets. */
type SetByServer<Option> = Option extends { readonly value: object } ? 'create' | 'update' : never;

type Stated<Option, IsOpen extends boolean> = Option extends object
  ? { [Right in ExposedRight & keyof Option]: IsOpen extends IsOpened<Option[Right]> ? Right : never }[ExposedRight & keyof Option]
  : never;

/** Whether a right is granted; never if it is undefined. A list grants the operators that it names. */
type IsOpened<Value> = Value extends false | readonly [] ? false : Value extends undefined ? never : true;

/** The common rights of several fields. Options take precedence over comments. Among options, and among comments, a denied right takes precedence. */
type JoinedRights<Fields extends Readonly<Record<string, FieldSchema>>, Options, Names extends string> = RightsLeft<
  Names extends Names ? ClosedBy<OptionOf<Options, Names>> : never,
  Names extends Names ? OpenedBy<OptionOf<Options, Names>> : never,
  Names extends Names ? ClosedByPreset<Fields[Names]['api']> : never
>;

/** The remaining rights. Filtering and sorting reveal a value as reading does, so that without the right `read` they must be granted explicitly. */
type RightsLeft<Closed, Opened, ClosedByComment> =
  Exclude<ExposedRight, Closed | Exclude<ClosedByComment, Opened>> extends infer Open
    ? 'read' extends Open
      ? Open
      : Exclude<Open, Exclude<'filter' | 'sort', Exclude<Opened, Closed>>>
    : never;

type KeyOf<Field extends FieldSchema> = Field['foreignKey'] extends { readonly fields: readonly (infer Name extends string)[] }
  ? Name
  : never;

/** The relations whose foreign key contains a field. */
type UsersOf<Fields extends Readonly<Record<string, FieldSchema>>, Name> = {
  [Relation in keyof Fields & string]: Name extends KeyOf<Fields[Relation]> ? Relation : never;
}[keyof Fields & string];

type IsShared<Fields extends Readonly<Record<string, FieldSchema>>, Name> = IsUnion<UsersOf<Fields, Name>>;

type IsUnion<Type, Whole = Type> = [Type] extends [never] ? false : Type extends Type ? ([Whole] extends [Type] ? false : true) : never;

/** The fields of a relation's foreign key that no other relation uses. */
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

/** The rights of a relation before those of shared fields of its key are applied. */
type RelationItself<Schema extends ExposableSchema, Resources, Model extends string, Name extends string> =
  FieldsOf<Schema, Model>[Name]['type'] extends VisibleModel<Schema, Resources>
    ? JoinedRights<FieldsOf<Schema, Model>, FieldOptions<Resources, Model>, Name | OwnKeyOf<FieldsOf<Schema, Model>, Name>>
    : never;

type SharedKeyRights<Schema extends ExposableSchema, Resources, Model extends string, Names extends string> = Names extends Names
  ? SharedFieldRights<Schema, Resources, Model, Names>
  : never;

/** The rights of a foreign key field of one relation. If the related model is hidden, only an option for the field itself exposes it. */
type KeyFieldRights<Schema extends ExposableSchema, Resources, Model extends string, Name extends string, User extends string> =
  FieldsOf<Schema, Model>[User]['type'] extends VisibleModel<Schema, Resources>
    ? RelationItself<Schema, Resources, Model, User>
    : Name extends keyof FieldOptions<Resources, Model>
      ? JoinedRights<FieldsOf<Schema, Model>, FieldOptions<Resources, Model>, Name>
      : never;

/** The rights of a field in the keys of several relations. It has the rights of the relations whose only key field it is, or else of any of them. */
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

/**
 * The rights of a relation, limited by its related model. If related records may not be read, the relation can only be written. The side without the
 * foreign key can write it only if the key is writable.
 */
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

/** The rights of the foreign key on the related model; all rights if that model has no such key. */
type OppositeKey<Schema extends ExposableSchema, Resources, Field extends FieldSchema> = Field['foreignKey'] extends object
  ? ExposedRight
  : Field['opposite'] extends keyof FieldsOf<Schema, Field['type']> & string
    ? FieldsOf<Schema, Field['type']>[Field['opposite']]['foreignKey'] extends object
      ? UnitedRights<Schema, Resources, Field['type'], Field['opposite']>
      : ExposedRight
    : ExposedRight;

/**
 * Whether a field is a foreign key that references hidden fields only. Naming the field in `resources` exposes it anyway.
 *
 * @typeParam Path the fields that were visited. A key that references itself in a circle reveals nothing more
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

/** Whether there are references, and all of them are to hidden fields. */
type Judge<Shown> = [Shown] extends [never] ? false : true extends Shown ? false : true;

/**
 * Whether the fields that the key references may be read, for each relation. The result is never for a hidden model, which therefore does not count.
 */
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

/** The referenced field at the position of `Name` in the foreign key. */
type ReferenceOf<Key extends { readonly fields: readonly string[]; readonly references: readonly string[] }, Name> = {
  [Index in keyof Key['fields'] & keyof Key['references']]: Key['fields'][Index] extends Name ? Key['references'][Index] : never;
}[keyof Key['fields'] & keyof Key['references'] & `${number}`];
