import type {
  ActionsOf,
  ExposableKey,
  ExposableModel,
  ExposableSchema,
  ExposedAction,
  ExposedRight,
  FieldSchema,
  OptionOf,
  VisibleModel,
} from './exposable-schema.js';
import type { SettledRights } from './settled-rights.js';

/** The exposed models of an API by Prisma's names, and what is exposed of each. */
export type Exposed = Readonly<Record<string, ExposedModel>>;

/** The exposed actions, fields and keys of one model. */
export interface ExposedModel {
  readonly actions: ExposedAction;
  /** The rights of each field. Hidden fields are included and have no right. */
  readonly fields: Readonly<Record<string, ExposedRight>>;
  /** The related model of each relation field. */
  readonly relations: Readonly<Record<string, string>>;
  /** The fields of each compound key, by its name in a `where`. */
  readonly keys: Readonly<Record<string, string>>;
  /** Whether the model has soft delete, by the option `softDelete`. */
  readonly restores?: boolean;
}

/**
 * The models, fields and rights that a server with this schema and these `resources` exposes, for {@link RpcClient}. These types follow the rules by
 * which the server builds its model.
 *
 * @typeParam Schema `typeof resourceSchema`
 * @typeParam Resources `typeof resources`, an object `as const satisfies ResourcesOption<typeof resourceSchema>`; without it the comments of the
 * Prisma schema decide
 * @example
 * const resources = { Tag: 'hidden' } as const;
 * const api = createRpcClient<PrismaClient, ExposedBy<typeof resourceSchema, typeof resources>>({ endpoint: '/api/rpc' });
 */
export type ExposedBy<Schema extends ExposableSchema, Resources extends object = object> = {
  readonly [Model in VisibleModel<Schema, Resources>]: {
    readonly actions: ActionsOf<Schema, Resources, Model>;
    readonly fields: SettledRights<Schema, Resources, Model> & ComputedRights<OptionOf<Resources, Model>>;
    readonly relations: RelationsOf<Schema['models'][Model]['fields']>;
    readonly keys: KeysOf<Schema['models'][Model]>;
    readonly restores: OptionOf<Resources, Model> extends { readonly softDelete: unknown } ? true : false;
  };
};

/** Computed fields have the right `read` only. */
type ComputedRights<Options> =
  OptionOf<Options, 'computed'> extends infer Computed extends object ? Readonly<Record<keyof Computed & string, 'read'>> : unknown;

type RelationsOf<Fields extends Readonly<Record<string, FieldSchema>>> = {
  readonly [Name in keyof Fields as Fields[Name]['kind'] extends 'relation' ? Name : never]: Fields[Name]['type'];
};

type KeysOf<Model extends ExposableModel> = {
  readonly [
    Key in Extract<NonNullable<Model['primaryKey']> | Model['uniqueKeys'][number], ExposableKey> as Key['name']
  ]: Key['fields'][number];
};

/** The fields of a model that have a right. */
export type FieldsWith<Shown extends Exposed, Model extends string, Right extends ExposedRight> = {
  [Name in keyof Shown[Model]['fields']]: Right extends Shown[Model]['fields'][Name] ? Name : never;
}[keyof Shown[Model]['fields']];

/** The keys that a `where` may have: filterable fields, and compound keys of filterable fields only. */
export type FilterKey<Shown extends Exposed, Model extends string> =
  | FieldsWith<Shown, Model, 'filter'>
  | {
      [Key in keyof Shown[Model]['keys']]: [Exclude<Shown[Model]['keys'][Key], FieldsWith<Shown, Model, 'filter'>>] extends [never]
        ? Key
        : never;
    }[keyof Shown[Model]['keys']];

/** The related model of a relation; never for any other field. */
export type Target<Shown extends Exposed, Model extends string, Name> = Name extends keyof Shown[Model]['relations']
  ? Shown[Model]['relations'][Name]
  : never;

/** Whether all of these actions are exposed on a model. */
export type Allows<Shown extends Exposed, Model extends string, Actions extends ExposedAction> = [Actions] extends [Shown[Model]['actions']]
  ? true
  : false;
