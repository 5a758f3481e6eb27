import type { BodyValidators } from './body-validator.js';
import type { ComparisonKind } from './comparison-kind.js';
import type { DatabaseProvider, ScalarTypeName } from '../schema/resource-schema.js';

/**
 * What the API shows, for both styles: built once at boot from the schema metadata, the exposure rules and the names, then frozen.
 *
 * A hidden model or field is not in here at all, not even by its name, so no parser, renderer or document can reach it. What the data layer
 * needs to know beyond that is the storage view, which planners alone read.
 */
export interface Surface {
  readonly provider: DatabaseProvider;
  /** The exposed resources, in schema order. */
  readonly resources: readonly Resource[];
  /** By JSON:API type in lower case: paths and bodies match without regard to case (decision D10). */
  readonly byType: ReadonlyMap<string, Resource>;
  /** By the client's delegate name in lower case: the model segment of an RPC path (decisions, "RPC details"). */
  readonly byDelegate: ReadonlyMap<string, Resource>;
  /** By Prisma's model name, exactly. */
  readonly byModel: ReadonlyMap<string, Resource>;
  /** Which rows the option `rules` leaves open, by Prisma's model name: for reports alone. Absent where there is no such option. */
  readonly rows?: ReadonlyMap<string, RowStates>;
  /** The host's own operations, by Prisma's model name, then by their names. Absent where there are none. */
  readonly ownActions?: ReadonlyMap<string, ReadonlyMap<string, OwnAction>>;
  /** What writes say by `Idempotency-Key`: for reports alone. Absent where the header is ignored. */
  readonly idempotency?: KeyedWrites;
}

/** Which writes need a key, and for how long it is known. */
export interface KeyedWrites {
  /** Milliseconds. */
  readonly ttl: number;
  /** Whether an action of a model, by Prisma's name of it, is refused without one. */
  readonly isRequired: (model: string | undefined, action: string) => boolean;
}

/** An operation of the host's own on a resource (`@ResourceAction`). */
export interface OwnAction {
  /** In paths of both styles. */
  readonly name: string;
  /** Whether it is about one record, or the collection as a whole. */
  readonly on: 'record' | 'collection';
  /** What the caller must have the right to do. */
  readonly right: Action;
}

/** Which rows of a model each action reaches. */
export type RowStates = Readonly<Record<Action, RowState>>;

/** Whether an action reaches all rows that the data client shows, those that a rule says, or none. */
export type RowState = 'open' | 'ruled' | 'closed';

/** One exposed Prisma model. */
export interface Resource {
  /** Prisma's model name, e.g. `BlogPost`. */
  readonly model: string;
  /** The property of the data client that serves it, e.g. `blogPost`. */
  readonly delegate: string;
  /** Where its records are. */
  readonly database: ResourceDatabase;
  /** JSON:API type: in REST paths and in the `type` member. */
  readonly type: string;
  /** Its triple-slash comment in the Prisma schema. */
  readonly documentation?: string;
  /** What may be done with it. */
  readonly actions: ReadonlySet<Action>;
  /** Whether a create may or must carry the id (decision D18). */
  readonly clientIds: ClientIds;
  /**
   * The key that REST uses as the resource's id: the primary key, or the option `externalId`. Without fields where the model has neither; REST
   * leaves such a resource out.
   */
  readonly identifier: UniqueKey;
  /** What joins the parts of the id in URLs. Absent where REST is not served. */
  readonly idDivider?: string;
  /** The keys that may address one record (`findUnique`, `connect`, …): only those whose every field may be filtered by. */
  readonly uniqueKeys: ReadonlyMap<string, UniqueKey>;
  /** All exposed fields, by Prisma's name. */
  readonly fields: ReadonlyMap<string, Field>;
  /** All exposed fields, by their JSON:API member name. */
  readonly members: ReadonlyMap<string, Field>;
  /** The exposed attributes (scalars, enums and lists of them), in schema order, computed ones last; the id fields are among them. */
  readonly attributes: readonly Attribute[];
  /** The attributes among them that the data client computes. */
  readonly computed: readonly Attribute[];
  /** The exposed relationships, in schema order. */
  readonly relationships: readonly Relationship[];
  /** What a create through the API has to give: nothing else fills it. */
  readonly required: RequiredMembers;
  /** What tags of its rows are made of; absent where they have none. */
  readonly version?: ResourceVersion;
  /** Present where pages are those of cursors unless a request asks for others (CP-15). */
  readonly pagination?: 'cursor';
  /** Present where records are kept when they are deleted: the field that says when, in Prisma, and whether callers are shown them. */
  readonly softDelete?: { readonly field: string; readonly isShown: boolean };
  /** The host's validators of bodies, as given in the option `validate`. */
  readonly validate?: BodyValidators;
}

/** A field that counts the changes of a record, or those whose values are hashed in its place; by their names in Prisma. */
export type ResourceVersion = {
  /** Whether writes must say which version they change. */
  readonly isRequired: boolean;
} & ({ readonly field: string; readonly hashed?: never } | { readonly hashed: readonly HashedField[]; readonly field?: never });

/** A field that a tag depends on. */
export type HashedField = Pick<Attribute, 'name' | 'type'>;

/** Members that a create may and must set. */
export interface RequiredMembers {
  /** Without a default; foreign keys are among them, which relationships may give. */
  readonly attributes: readonly Attribute[];
  /** The same for a REST document, with the fields of an id that the client has to choose. */
  readonly inDocument: readonly Attribute[];
  /** Those whose foreign key is on the record and must not be null. */
  readonly relationships: readonly Relationship[];
}

/** A database and the ORM that speaks to it: what they lack is refused before they are asked. */
export interface ResourceDatabase {
  readonly provider: DatabaseProvider;
  readonly orm: 'prisma' | 'zenstack';
}

export type Action = 'read' | 'create' | 'update' | 'delete';

export type ClientIds = 'forbidden' | 'allowed' | 'required';

/** A unique key, single or compound. */
export interface UniqueKey {
  /** Its name in a Prisma `where`: `id`, `email`, or `a_b` for a compound one. */
  readonly name: string;
  readonly fields: readonly Attribute[];
}

export type Field = Attribute | Relationship;

interface FieldBase {
  /** Prisma's name of the model that it is a field of. */
  readonly model: string;
  /** Prisma's field name. */
  readonly name: string;
  /** JSON:API member name; the same unless the option `name` says otherwise. */
  readonly member: string;
  /** Whether null is a value of it. */
  readonly optional: boolean;
  readonly rights: Rights;
  /** Why the rights are closed that are. */
  readonly closed: ClosedRights;
  /** Its triple-slash comment in the Prisma schema. */
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
  /** Whether it is the whole primary key or a part of it. In a model without a primary key, the id counts as one. */
  readonly primaryKey: 'whole' | 'part' | 'no';
  /** Whether a create may leave it out: optional, a default, `@updatedAt`, or a list. */
  readonly hasDefault: boolean;
  /** Whether the database or Prisma makes the value up (`autoincrement`, `uuid`, `now`, `dbgenerated`, …), rather than a literal. */
  readonly generated: boolean;
  /** Present on `@updatedAt` fields: every update changes it. */
  readonly updatedAt?: true;
  /** The `@db.…` type, where the schema names one. */
  readonly nativeType?: readonly [name: string, args: readonly string[]];
  /** The comparisons that the database does not have for its type; absent where it has all. */
  readonly lacks?: ReadonlySet<ComparisonKind>;
  /** Prisma names of the exposed relations whose foreign key it belongs to; empty for any other attribute. */
  readonly foreignKeyOf: readonly string[];
  /** Present on a field that the data client computes (`$extends({ result })`): it can be selected, and the database does not know it. */
  readonly computed?: true;
}

/** A relation field. */
export interface Relationship extends FieldBase {
  readonly kind: 'relationship';
  readonly many: boolean;
  /** The related resource. */
  readonly target: Resource;
  /** The field on the target that is the other side, by Prisma's name; absent where that side is hidden. */
  readonly opposite?: string;
  /**
   * Where its pairs are: in a foreign key of this model, in one of the target (linking then writes the target's row), or in a join table
   * (implicit many-to-many).
   */
  readonly link: 'own-key' | 'target-key' | 'join-table';
  /**
   * Whether records may be linked by it: `update` existing ones, `create` those that are created in place. Where the target holds the key, linking
   * an existing record updates that record. The relationship's own rights apply as well.
   */
  readonly linkable: { readonly create: boolean; readonly update: boolean };
  /**
   * The foreign key on the row itself, where its values are the target's id and its fields are exposed: linkage without a second look.
   * Absent where another key than the id is referred to (`externalId`).
   */
  readonly linkageKey?: LinkageKey;
}

/** Pairs of fields, by Prisma's names. */
export interface LinkageKey {
  /** Fields of this resource. */
  readonly fields: readonly string[];
  /** The fields of the target's id that they hold, in the same order. */
  readonly references: readonly string[];
}

/**
 * Why a right of a field is closed.
 *
 * - `comment`: by `/// @api.…` in the Prisma schema
 * - `server-value`: the server sets it (`value` of its option)
 * - `option`: by `resources`; to filter and to sort are closed with reading, unless they are opened by their names
 * - `key-and-relation`: a foreign key and its relation are one right, and the other one is closed
 * - `shared-key`: the fields of its key, or the relations that share it, are closed
 * - `hidden-model`: it leads to a model that is hidden
 * - `unreadable-model`: it leads to a model without the action `read`
 * - `key-of-target`: it writes a key of the related model, which is closed there
 * - `hidden-values`: it is a foreign key whose values are those of fields that may not be read
 * - `client-ids`: `clientIds` is `'forbidden'`
 * - `connective`: its name is `and`, `or` or `not` in any case, which Prisma takes for its connective in a filter
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

/** The rights that are closed, each with its reason. */
export type ClosedRights = Readonly<Partial<Record<keyof Rights, ClosedReason>>>;

/** What may be done with one field. `filter` may name the only operators that are open. */
export interface Rights {
  readonly read: boolean;
  readonly filter: boolean | ReadonlySet<string>;
  readonly sort: boolean;
  readonly create: boolean;
  readonly update: boolean;
}
