import type { BodyValidators } from './body-validator.js';
import type { ComparisonKind } from './comparison-kind.js';
import type { DatabaseProvider, ScalarTypeName } from '../schema/resource-schema.js';

/**
 * Everything that the API exposes, for both styles. It is built once at boot from the schema metadata, the option `resources` and the
 * names, then frozen.
 *
 * It does not contain hidden models and fields, not even their names, so no parser, renderer or document can expose them. Planners
 * additionally read the storage view.
 */
export interface Surface {
  readonly provider: DatabaseProvider;
  /** The exposed resources, in schema order. */
  readonly resources: readonly Resource[];
  /** The resources by JSON:API type in lower case, because paths and bodies are matched case-insensitively. */
  readonly byType: ReadonlyMap<string, Resource>;
  /** The resources by delegate name of the data client in lower case: the model segment of an RPC path. */
  readonly byDelegate: ReadonlyMap<string, Resource>;
  /** The resources by Prisma's model name, case-sensitively. */
  readonly byModel: ReadonlyMap<string, Resource>;
  /** The rows that the option `rules` allows, by Prisma's model name, for reports only. Absent without the option. */
  readonly rows?: ReadonlyMap<string, RowStates>;
  /** The application's operations, by Prisma's model name and operation name. Absent where there are none. */
  readonly ownActions?: ReadonlyMap<string, ReadonlyMap<string, OwnAction>>;
  /** The settings of `Idempotency-Key`, for reports only. Absent where the header is ignored. */
  readonly idempotency?: KeyedWrites;
}

/** Which writes require an idempotency key, and how long a key is stored. */
export interface KeyedWrites {
  /** The time that a key is stored, in milliseconds. */
  readonly ttl: number;
  /** Whether an action of a model, by Prisma's model name, requires a key. */
  readonly isRequired: (model: string | undefined, action: string) => boolean;
}

/** An operation that the application adds to a resource (`@ResourceAction`). */
export interface OwnAction {
  /** The name in paths of both styles. */
  readonly name: string;
  /** Whether the operation applies to one record or to the collection. */
  readonly on: 'record' | 'collection';
  /** The action that the caller must be allowed to perform. */
  readonly right: Action;
  /** What the operation does, for its callers. */
  readonly documentation?: string;
}

/** The rows of a model that each action reaches. */
export type RowStates = Readonly<Record<Action, RowState>>;

/** Whether an action reaches all rows that the data client returns, those that match a rule, or none. */
export type RowState = 'open' | 'ruled' | 'closed';

/** One exposed Prisma model. */
export interface Resource {
  /** Prisma's model name, e.g. `BlogPost`. */
  readonly model: string;
  /** The property of the data client for the model, e.g. `blogPost`. */
  readonly delegate: string;
  /** The database and ORM of its records. */
  readonly database: ResourceDatabase;
  /** JSON:API type: in REST paths and in the `type` member. */
  readonly type: string;
  /** The triple-slash comment in the Prisma schema. */
  readonly documentation?: string;
  /** The allowed actions. */
  readonly actions: ReadonlySet<Action>;
  /** Whether a create may or must contain the id. */
  readonly clientIds: ClientIds;
  /**
   * The key that REST uses as the resource's id: the primary key, or the option `externalId`. A model with neither has a key without
   * fields, and REST does not serve it.
   */
  readonly identifier: UniqueKey;
  /** The separator between the parts of an id in URLs. Absent where REST is not served. */
  readonly idDivider?: string;
  /** The keys that may identify one record (`findUnique`, `connect`, …): only those whose fields all may be filtered by `equals`. */
  readonly uniqueKeys: ReadonlyMap<string, UniqueKey>;
  /** All exposed fields, by Prisma's field name. */
  readonly fields: ReadonlyMap<string, Field>;
  /** All exposed fields, by JSON:API member name. */
  readonly members: ReadonlyMap<string, Field>;
  /** The exposed attributes (scalars, enums and lists of them), id fields included, in schema order; computed ones are last. */
  readonly attributes: readonly Attribute[];
  /** Those of the attributes that the data client computes. */
  readonly computed: readonly Attribute[];
  /** The exposed relationships, in schema order. */
  readonly relationships: readonly Relationship[];
  /** The members that a create through the API must contain, because they have no default or server value. */
  readonly required: RequiredMembers;
  /** The source of ETags of its rows; absent where they have no ETag. */
  readonly version?: ResourceVersion;
  /** Set to `cursor` where cursor pagination is the default (CP-15). */
  readonly pagination?: 'cursor';
  /** The Prisma field that holds the time of deletion, and whether soft-deleted rows are visible to callers. Absent without `softDelete`. */
  readonly softDelete?: { readonly field: string; readonly isShown: boolean };
  /** The application's validators of bodies, from the option `validate`. */
  readonly validate?: BodyValidators;
}

/** A field that counts the changes of a record, or the fields whose values are hashed instead; by their names in Prisma. */
export type ResourceVersion = {
  /** Whether writes must name the version that they change. */
  readonly isRequired: boolean;
} & ({ readonly field: string; readonly hashed?: never } | { readonly hashed: readonly HashedField[]; readonly field?: never });

/** A field whose value is part of the hash. */
export type HashedField = Pick<Attribute, 'name' | 'type'>;

/** Members that a create may and must set. */
export interface RequiredMembers {
  /** Attributes without a default, including foreign keys. A client may set a foreign key by its relationship instead. */
  readonly attributes: readonly Attribute[];
  /** The same attributes for a REST document, and the fields of an id that the client must choose. */
  readonly inDocument: readonly Attribute[];
  /** Relationships whose foreign key is on the record and is not nullable. */
  readonly relationships: readonly Relationship[];
}

/** A database with its ORM. Requests for operations that one of them lacks are rejected before a query. */
export interface ResourceDatabase {
  readonly provider: DatabaseProvider;
  readonly orm: 'prisma' | 'zenstack';
}

export type Action = 'read' | 'create' | 'update' | 'delete';

export type ClientIds = 'forbidden' | 'allowed' | 'required';

/** A unique key, single or compound. */
export interface UniqueKey {
  /** The name in a Prisma `where`: `id`, `email`, or `a_b` for a compound key. */
  readonly name: string;
  readonly fields: readonly Attribute[];
}

export type Field = Attribute | Relationship;

interface FieldBase {
  /** Prisma's name of the model that contains the field. */
  readonly model: string;
  /** Prisma's field name. */
  readonly name: string;
  /** JSON:API member name; Prisma's field name, unless the option `name` sets another. */
  readonly member: string;
  /** Whether the field is nullable. */
  readonly optional: boolean;
  readonly rights: Rights;
  /** The reasons of the denied rights. */
  readonly closed: ClosedRights;
  /** The triple-slash comment in the Prisma schema. */
  readonly documentation?: string;
}

/** A scalar or enum field, or a list of them. */
export interface Attribute extends FieldBase {
  readonly kind: 'attribute';
  readonly type: ScalarTypeName | 'Enum';
  /** Prisma's name of the enum; present exactly when `type` is `Enum`. */
  readonly enumName?: string;
  /** Present exactly when `type` is `Enum`. */
  readonly enumValues?: ReadonlySet<string>;
  readonly list: boolean;
  /** Whether the attribute is the whole primary key or a part of it. In a model without a primary key, the id counts as one. */
  readonly primaryKey: 'whole' | 'part' | 'no';
  /** Whether a create may omit the attribute: it is optional, a list or `@updatedAt`, or has a default. */
  readonly hasDefault: boolean;
  /** Whether the database or Prisma generates the default (`autoincrement`, `uuid`, `now`, `dbgenerated`, …), as opposed to a literal. */
  readonly generated: boolean;
  /** Present on `@updatedAt` fields, which every update changes. */
  readonly updatedAt?: true;
  /** The `@db.…` type, if the schema has one. */
  readonly nativeType?: readonly [name: string, args: readonly string[]];
  /** The comparisons that the database lacks for the type; absent where it has all. */
  readonly lacks?: ReadonlySet<ComparisonKind>;
  /** Prisma names of the exposed relations whose foreign key contains the attribute; empty for other attributes. */
  readonly foreignKeyOf: readonly string[];
  /** Present on a field that the data client computes (`$extends({ result })`). It can be selected, but is not a column. */
  readonly computed?: true;
}

/** A relation field. */
export interface Relationship extends FieldBase {
  readonly kind: 'relationship';
  readonly many: boolean;
  /** The related resource. */
  readonly target: Resource;
  /** Prisma's name of the opposite field on the target; absent where that field is hidden. */
  readonly opposite?: string;
  /**
   * Where the relation is stored: in a foreign key of this model, in a foreign key of the target, or in a join table (implicit
   * many-to-many). Linking by a foreign key of the target writes the target's row.
   */
  readonly link: 'own-key' | 'target-key' | 'join-table';
  /**
   * Whether a request may link records: existing ones (`update`), or those that it creates in place (`create`). Where the target has the
   * foreign key, linking an existing record is an update of that record. The relationship's own rights apply as well.
   */
  readonly linkable: { readonly create: boolean; readonly update: boolean };
  /**
   * The foreign key on the row, if it references the target's id and its fields are exposed. Resource linkage is then rendered without
   * another query.
   * Absent where the foreign key references another key than the id (`externalId`).
   */
  readonly linkageKey?: LinkageKey;
}

/** Pairs of fields, by Prisma's names. */
export interface LinkageKey {
  /** Fields of this resource. */
  readonly fields: readonly string[];
  /** The referenced fields of the target's id, in the same order. */
  readonly references: readonly string[];
}

/**
 * Why a right of a field is denied.
 *
 * - `comment`: by `/// @api.…` in the Prisma schema
 * - `server-value`: the server sets the field (`value` of its option)
 * - `option`: by `resources`; denying `read` also denies `filter` and `sort`, unless these are set explicitly
 * - `key-and-relation`: a foreign key and its relation share one right, and the other one is denied
 * - `shared-key`: the right is denied for the fields of its key, or for the relations that share it
 * - `hidden-model`: the relation leads to a hidden model
 * - `unreadable-model`: the relation leads to a model without the action `read`
 * - `key-of-target`: it writes a key of the related model, whose right is denied there
 * - `hidden-values`: it is a foreign key that holds the values of fields that may not be read
 * - `client-ids`: `clientIds` is `'forbidden'`
 * - `connective`: its name is `and`, `or` or `not` in any case, which Prisma parses as a connective in a filter
 * - `version`: it is the version field, which the server counts
 * - `soft-delete`: deleting a record sets it
 * - `column-type`: the database has no order for its type (`@db.Json`, `@db.Xml`)
 * - `computed`: the data client computes it, so that it can only be read
 */
export type ClosedReason =
  | 'comment'
  | 'server-value'
  | 'option'
  | 'key-and-relation'
  | 'shared-key'
  | 'hidden-model'
  | 'unreadable-model'
  | 'key-of-target'
  | 'hidden-values'
  | 'client-ids'
  | 'connective'
  | 'version'
  | 'soft-delete'
  | 'column-type'
  | 'computed';

/** The denied rights, each with its reason. */
export type ClosedRights = Readonly<Partial<Record<keyof Rights, ClosedReason>>>;

/** The rights of one field. `filter` may be the set of allowed operators. */
export interface Rights {
  readonly read: boolean;
  readonly filter: boolean | ReadonlySet<string>;
  readonly sort: boolean;
  readonly create: boolean;
  readonly update: boolean;
}
