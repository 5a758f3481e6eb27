import type { BodyValidators } from '../surface/body-validator.js';
import type { PrismaOperator } from '../surface/prisma-operators.js';
import type { Action, ClientIds } from '../surface/surface.js';
import type { FieldPreset, ResourceSchema, ScalarTypeName, SchemaModel } from '../schema/resource-schema.js';

/**
 * What the API shows, by Prisma's model names (public API, section 3). Everything is open unless it says otherwise; it wins over the
 * `/// @api.…` comments of the Prisma schema.
 *
 * - `Model: 'hidden'`: the model does not exist in either style, nor does any relation to it.
 * - `Model: { … }`: its name, actions, id and fields.
 * - `'*': 'hidden'`: every model that is not named here is hidden.
 *
 * @example
 * resources: { '*': 'hidden', Post: { actions: ['read'], fields: { content: 'hidden', slug: { filter: ['equals'] } } } }
 */
export type ResourcesOption<Schema extends ResourceSchema = ResourceSchema> = {
  /** Hides every model that is not named. */
  readonly '*'?: 'hidden';
} & {
  readonly [Model in keyof Schema['models']]?: ResourceOptions<Schema['models'][Model]> | 'hidden';
};

/** Exposure and naming of one model. */
export interface ResourceOptions<Model extends SchemaModel = SchemaModel> {
  /** JSON:API type, in paths and in `type` members. @default the model's name with a lower-case first letter */
  readonly type?: string;
  /** What may be done with it; the others answer 403. @default all four */
  readonly actions?: readonly Action[];
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
  readonly fields?: { readonly [Field in keyof Model['fields']]?: FieldOption };
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

/** Computed fields by name. */
export type ComputedFields = Readonly<Record<string, ComputedType>>;

/** The type of a computed field, as the Prisma schema writes types: `'String'`, `'String?'` where it may be null, `'String[]'` for a list. */
export type ComputedType = ScalarTypeName | `${ScalarTypeName}?` | `${ScalarTypeName}[]`;

/** A preset, which settles all five rights, or single rights and a name. */
export type FieldOption = FieldPreset | FieldRightsOption;

/**
 * Single rights of one field. A foreign key and its relation are one right: closing either closes both.
 *
 * A right that is not named is what the field's comment in the Prisma schema says, and open without one.
 */
export interface FieldRightsOption {
  /** Its name in REST documents and parameters; RPC keeps Prisma's. @default the field's name */
  readonly name?: string;
  readonly read?: boolean;
  /** May name the only operators that are open, e.g. `['equals', 'in']`; not on relations. @default as `read` */
  readonly filter?: boolean | readonly PrismaOperator[];
  /** @default as `read` */
  readonly sort?: boolean;
  readonly create?: boolean;
  readonly update?: boolean;
}
