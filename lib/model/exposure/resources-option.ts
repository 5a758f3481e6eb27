import type { BodyValidators } from '../surface/body-validator.js';
import type { PrismaOperator } from '../surface/prisma-operators.js';
import type { Action, ClientIds } from '../surface/surface.js';
import type { FieldPreset, ResourceSchema, ScalarTypeName, SchemaModel } from '../schema/resource-schema.js';
import type { Granted } from './granted.js';

/**
 * What the API shows, by Prisma's model names (public API, section 3). Everything is open unless it says otherwise; it wins over the
 * `/// @api.…` comments of the Prisma schema.
 *
 * - `Model: 'hidden'`: the model does not exist in either style, nor does any relation to it.
 * - `Model: { … }`: its name, actions, id and fields. It opens a model that `'*'` or a comment hides, unless `fields` and
 *   `softDelete` are all that it has.
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

/** {@link ResourcesOption} as it is for callers who hold certain grants: it names none. */
export type SettledResources = ResourcesOption<ResourceSchema, never>;

/**
 * Exposure and naming of one model.
 *
 * @typeParam Right what a right may be beside open and closed
 */
export interface ResourceOptions<Model extends SchemaModel = SchemaModel, Right = Granted> {
  /** JSON:API type, in paths and in `type` members. @default the model's name with a lower-case first letter */
  readonly type?: string;
  /**
   * What may be done with it; the others answer 403. A list of what is open, or an object with `true` or `granted(…)` for each: what it leaves out
   * is closed. For a caller to whom grants leave no action at all, the model does not exist.
   *
   * @default all four
   */
  readonly actions?: readonly Action[] | ActionsOption<Right>;
  /** A unique key of required fields, single or compound (`a_b`), that REST uses as the id. @default the primary key */
  readonly externalId?: string;
  /**
   * Whether a create may or must carry the id. The default is JSON:API's: RPC writes the fields of the id like any others, unless you say
   * `'forbidden'` yourself.
   *
   * @default 'forbidden' when every field of the id has a default, else 'allowed'
   */
  readonly clientIds?: ClientIds;
  /** Exposure and names of its fields, relations included. @default everything open */
  readonly fields?: { readonly [Field in keyof Model['fields']]?: FieldOption<Right> };
  /**
   * The Int or BigInt field that counts the changes of a record, for `ETag` and `If-Match`. It is read-only, and every write through the API adds 1.
   *
   * @default the field with the comment `/// @api.version`
   */
  readonly version?: Extract<keyof Model['fields'], string>;
  /**
   * Whether writes may say which version they change, or must. Of a model without a version it turns on tags with a hash of the row, in REST.
   *
   * @default 'offered' with a version
   */
  readonly concurrency?: 'offered' | 'required';
  /**
   * Which pages REST serves of it where a request asks for none in particular: by offset, or those of the Cursor Pagination profile.
   *
   * @default 'offset'
   */
  readonly pagination?: 'offset' | 'cursor';
  /**
   * The nullable DateTime field that says when a record was deleted: whatever deletes it sets the field, and what is deleted is not there. Clients do
   * not write it. The model has an action `restore`.
   *
   * @default none: what is deleted is gone
   */
  readonly softDelete?: FieldName<Model> | SoftDeleteOption<FieldName<Model>, Right>;
  /**
   * Fields that the data client computes (`$extends({ result })`), each with its type. They can be read and nothing else.
   *
   * @default none
   * @example
   * resources: { User: { computed: { fullName: 'String', age: 'Int?' } } }
   */
  readonly computed?: ComputedFields;
  /** Checks bodies before they are written, at any depth. @default none */
  readonly validate?: BodyValidators;
}

type FieldName<Model extends SchemaModel> = Extract<keyof Model['fields'], string>;

/** {@link ResourceOptions.softDelete} with more to say. */
export interface SoftDeleteOption<Name extends string = string, Right = Granted> {
  /** The nullable DateTime field. */
  readonly field: Name;
  /** Relations whose records are deleted and restored with it; their models have `softDelete`, too. @default none */
  readonly cascade?: readonly Name[];
  /** The grant (option `grants`) whose callers read and filter deleted records as well. @default nobody */
  readonly show?: [Right] extends [never] ? boolean : string;
}

/** Computed fields by name. */
export type ComputedFields = Readonly<Record<string, ComputedType>>;

/** The type of a computed field, as the Prisma schema writes types: `'String'`, `'String?'` where it may be null, `'String[]'` for a list. */
export type ComputedType = ScalarTypeName | `${ScalarTypeName}?` | `${ScalarTypeName}[]`;

/** Each action that is open. */
export type ActionsOption<Right = Granted> = [Right] extends [never] ? never : Readonly<Partial<Record<Action, boolean | Right>>>;

/** A preset, which settles all five rights, or single rights and a name. */
export type FieldOption<Right = Granted> = FieldPreset | FieldRightsOption<Right>;

/**
 * Single rights of one field. A foreign key and its relation are one right: closing either closes both.
 *
 * A right that is not named is what the field's comment in the Prisma schema says, and open without one. Where `read` is `granted(…)`, the others
 * that are not named are closed to callers who do not hold the grant: to them the field does not exist, unless another right is open to them.
 */
export interface FieldRightsOption<Right = Granted> {
  /** Its name in REST documents and parameters; RPC keeps Prisma's. @default the field's name */
  readonly name?: string;
  readonly read?: boolean | Right;
  /** May name the only operators that are open, e.g. `['equals', 'in']`; not on relations. @default as `read` */
  readonly filter?: boolean | readonly PrismaOperator[] | Right;
  /** @default as `read` */
  readonly sort?: boolean | Right;
  /** @default open; as `read` where that is `granted(…)` */
  readonly create?: boolean | Right;
  /** @default open; as `read` where that is `granted(…)` */
  readonly update?: boolean | Right;
  /** The server sets the field, and clients can neither create nor update it. Not on relations: set the foreign key. @default none */
  readonly value?: ServerValueOption;
}

/**
 * Values that the server writes into a field, in every record that a request writes, nested records included: at least one of the two.
 *
 * @example
 * resources: { Post: { fields: { authorId: { value: { create: ({ callerId }: CallerRequest) => callerId } } } } }
 */
export interface ServerValueOption {
  /** What a new record gets. Left out: the default of the field. */
  readonly create?: ServerValueFunction;
  /** What an updated record gets. Left out: the field keeps its value. */
  readonly update?: ServerValueFunction;
}

/**
 * Gives the value of one record: of the field's type, or null where the field is optional. Called for each record, after the guards and validators.
 *
 * A method signature, so that a host may name its own request type.
 *
 * @param request the platform's request: Express' or Fastify's
 * @throws an HttpException or ApiError to refuse the request; anything else is answered 500 and logged
 */
export type ServerValueFunction = { bivarianceHack(request: never): unknown }['bivarianceHack'];
