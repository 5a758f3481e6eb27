import type { BodyValidators } from '../surface/body-validator.js';
import type { PrismaOperator } from '../surface/prisma-operators.js';
import type { Action, ClientIds } from '../surface/surface.js';
import type { FieldPreset, ResourceSchema, ScalarTypeName, SchemaModel } from '../schema/resource-schema.js';
import type { Granted } from './granted.js';

/**
 * The models and fields that the API exposes, by Prisma's model names (public API, section 3). By default, everything is exposed.
 * The option takes precedence over the `/// @api.…` comments of the Prisma schema.
 *
 * - `Model: 'hidden'`: neither style exposes the model, nor any relation to it.
 * - `Model: { … }`: its name, actions, id and fields. It exposes a model that `'*'` or a comment hides, unless it contains only `fields`
 *   and `softDelete`.
 * - `'*': 'hidden'`: every model that is not named here is hidden.
 *
 * @example
 * resources: { '*': 'hidden', Post: { actions: ['read'], fields: { content: 'hidden', slug: { filter: ['equals'] } } } }
 */
export type ResourcesOption<Schema extends ResourceSchema = ResourceSchema, Right = Granted> = {
  /** Hides every model that is not named. */
  readonly '*'?: 'hidden';
} & {
  readonly [Model in keyof Schema['models']]?: ResourceOptions<Schema['models'][Model], Right> | 'hidden';
};

/** A {@link ResourcesOption} after grants have been resolved: it contains no `granted(…)`. */
export type SettledResources = ResourcesOption<ResourceSchema, never>;

/**
 * Exposure and naming of one model.
 *
 * @typeParam Right the values of a right other than true and false
 */
export interface ResourceOptions<Model extends SchemaModel = SchemaModel, Right = Granted> {
  /** JSON:API type, in paths and in `type` members. @default the model's name with a lower-case first letter */
  readonly type?: string;
  /**
   * The actions that clients may perform; the others return 403. A list of allowed actions, or an object with `true` or `granted(…)` for
   * each of them. An action that is omitted is denied.
   * For a caller whose grants allow no action, the model does not exist.
   *
   * @default all four
   */
  readonly actions?: readonly Action[] | ActionsOption<Right>;
  /** A unique key of required fields, single or compound (`a_b`), that REST uses as the id. @default the primary key */
  readonly externalId?: string;
  /**
   * Whether a create may or must contain the id. The default applies to REST, as JSON:API defines it. RPC writes the fields of the id like
   * other fields, unless the value is explicitly `'forbidden'`.
   *
   * @default 'forbidden' when every field of the id has a default, else 'allowed'
   */
  readonly clientIds?: ClientIds;
  /** Exposure and names of the fields, including relations. @default everything open */
  readonly fields?: { readonly [Field in keyof Model['fields']]?: FieldOption<Right> };
  /**
   * The Int or BigInt field that counts the changes of a record, for `ETag` and `If-Match`. It is read-only, and every write through the
   * API adds 1.
   *
   * @default the field with the comment `/// @api.version`
   */
  readonly version?: Extract<keyof Model['fields'], string>;
  /**
   * Whether writes may or must name the version that they change. For a model without a version field, REST then uses a hash of the row as
   * its ETag.
   *
   * @default 'offered' with a version
   */
  readonly concurrency?: 'offered' | 'required';
  /**
   * The pagination of REST when a request does not choose one: by offset, or by the Cursor Pagination profile.
   *
   * @default 'offset'
   */
  readonly pagination?: 'offset' | 'cursor';
  /**
   * The nullable DateTime field that holds the time of deletion. Every delete of a record sets the field, and soft-deleted rows are hidden
   * from clients.
   * Clients cannot write the field. The model gets the action `restore`.
   *
   * @default none: what is deleted is gone
   */
  readonly softDelete?: FieldName<Model> | SoftDeleteOption<FieldName<Model>, Right>;
  /**
   * Fields that the data client computes (`$extends({ result })`), each with its type. Clients can read them, but not filter, sort or write
   * by them.
   *
   * @default none
   * @example
   * resources: { User: { computed: { fullName: 'String', age: 'Int?' } } }
   */
  readonly computed?: ComputedFields;
  /** Validators that check each record of a body before it is written, at any depth. @default none */
  readonly validate?: BodyValidators;
}

type FieldName<Model extends SchemaModel> = Extract<keyof Model['fields'], string>;

/** {@link ResourceOptions.softDelete} with further settings. */
export interface SoftDeleteOption<Name extends string = string, Right = Granted> {
  /** The nullable DateTime field. */
  readonly field: Name;
  /** Relations whose records are deleted and restored together with the record; their models need `softDelete` as well. @default none */
  readonly cascade?: readonly Name[];
  /** The grant (option `grants`) whose holders can read and filter soft-deleted records. @default nobody */
  readonly show?: [Right] extends [never] ? boolean : string;
}

/** Computed fields by name. */
export type ComputedFields = Readonly<Record<string, ComputedType>>;

/** The type of a computed field, in the notation of the Prisma schema: `'String'`, `'String?'` where it may be null, `'String[]'` for a list. */
export type ComputedType = ScalarTypeName | `${ScalarTypeName}?` | `${ScalarTypeName}[]`;

/** The allowed actions, as an object. */
export type ActionsOption<Right = Granted> = [Right] extends [never] ? never : Readonly<Partial<Record<Action, boolean | Right>>>;

/** A preset, which sets all five rights, or single rights and a name. */
export type FieldOption<Right = Granted> = FieldPreset | FieldRightsOption<Right>;

/**
 * Single rights of one field. A foreign key and its relation share one right: denying it on either denies it on both.
 *
 * A right that is omitted follows the field's comment in the Prisma schema, and is allowed without one. Where `read` is `granted(…)`, the
 * omitted rights are denied to callers without the grant. For these callers the field does not exist, unless another right is allowed to
 * them.
 */
export interface FieldRightsOption<Right = Granted> {
  /** The field's name in REST documents and parameters; RPC uses Prisma's name. @default the field's name */
  readonly name?: string;
  readonly read?: boolean | Right;
  /** Either a right, or a list of the allowed operators, e.g. `['equals', 'in']`; a list is not possible on relations. @default as `read` */
  readonly filter?: boolean | readonly PrismaOperator[] | Right;
  /** @default as `read` */
  readonly sort?: boolean | Right;
  /** @default open; as `read` where that is `granted(…)` */
  readonly create?: boolean | Right;
  /** @default open; as `read` where that is `granted(…)` */
  readonly update?: boolean | Right;
  /** Functions of the server that set the field; clients can neither create nor update it. Not on relations: set the foreign key. @default none */
  readonly value?: ServerValueOption;
}

/**
 * Functions whose results the server writes into a field of every written record, nested records included. At least one of the two is
 * required.
 *
 * @example
 * resources: { Post: { fields: { authorId: { value: { create: ({ callerId }: CallerRequest) => callerId } } } } }
 */
export interface ServerValueOption {
  /** Returns the value for a new record. Without it, the field gets its default. */
  readonly create?: ServerValueFunction;
  /** Returns the value for an updated record. Without it, the field keeps its value. */
  readonly update?: ServerValueFunction;
}

/**
 * Returns the value for one record: of the field's type, or null where the field is optional. It is called for each record, after guards
 * and validators.
 *
 * Because it is declared with a method signature, the application can use its own request type.
 *
 * @param request the platform's request: Express' or Fastify's
 * @throws an HttpException or ApiError to reject the request; any other error is logged and results in status 500
 */
export type ServerValueFunction = { bivarianceHack(request: never): unknown }['bivarianceHack'];
