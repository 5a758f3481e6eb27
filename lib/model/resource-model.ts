import { type BodyValidators } from './body-validator.js';
import { type DatabaseProvider, type ScalarTypeName } from './resource-schema.js';

/**
 * What exists, for both styles: built once at boot from the schema metadata, the exposure rules and the names, then frozen.
 *
 * A hidden model or field is not in here at all, so no parser, planner or renderer can reach it. Every stage reads this
 * one value; none keeps tables of its own about models.
 */
export interface ResourceModel {
  readonly provider: DatabaseProvider;
  /** The exposed resources, in schema order. */
  readonly resources: readonly Resource[];
  /** By JSON:API type in lower case: paths and bodies match without regard to case (decision D10). */
  readonly byType: ReadonlyMap<string, Resource>;
  /** By the client's delegate name in lower case: the model segment of an RPC path (decisions, "RPC details"). */
  readonly byDelegate: ReadonlyMap<string, Resource>;
  /** By Prisma's model name, exactly. */
  readonly byModel: ReadonlyMap<string, Resource>;
}

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
  /** What may be done with it. */
  readonly actions: ReadonlySet<Action>;
  /** Whether a create may or must carry the id (decision D18). */
  readonly clientIds: ClientIds;
  /** The key that REST uses as the resource's id: the primary key, or the option `externalId`. */
  readonly identifier: UniqueKey;
  /**
   * The fields that make an order total, by Prisma's names: the primary key, hidden or not. For `orderBy` only; never rendered.
   */
  readonly orderKeys: readonly string[];
  /** The keys that may address one record (`findUnique`, `connect`, …): only those whose every field may be filtered by. */
  readonly uniqueKeys: ReadonlyMap<string, UniqueKey>;
  /** All exposed fields, by Prisma's name. */
  readonly fields: ReadonlyMap<string, Field>;
  /** All exposed fields, by their JSON:API member name. */
  readonly members: ReadonlyMap<string, Field>;
  /** The exposed attributes (scalars, enums and lists of them), in schema order; the id fields are among them. */
  readonly attributes: readonly Attribute[];
  /** The exposed relationships, in schema order. */
  readonly relationships: readonly Relationship[];
  /**
   * Prisma names of the scalar and enum fields that no answer may hold: the hidden ones, and those exposed without the right to read.
   * For the data client's `omit` only, so that they are not even loaded; never rendered.
   */
  readonly unreadable: readonly string[];
  /** Its names in the database, to read from an error what a write broke; never rendered. */
  readonly table: Table;
  /** The host's validators of bodies, as given in the option `validate`. */
  readonly validate?: BodyValidators;
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

/** A resource as its database knows it, hidden fields and keys among the others. */
export interface Table {
  readonly name: string;
  /** Prisma's names of the fields, by column. */
  readonly columns: ReadonlyMap<string, string>;
  readonly constraints: readonly Constraint[];
}

/** A key that the database watches over: the primary one, a unique one, or a foreign one. */
export interface Constraint {
  readonly name: string;
  /** Prisma's names of its fields. */
  readonly fields: readonly string[];
}

export type Field = Attribute | Relationship;

interface FieldBase {
  /** Prisma's field name. */
  readonly name: string;
  /** JSON:API member name; the same unless the option `name` says otherwise. */
  readonly member: string;
  /** Whether null is a value of it. */
  readonly optional: boolean;
  readonly rights: Rights;
}

/** A scalar or enum field, or a list of them. */
export interface Attribute extends FieldBase {
  readonly kind: 'attribute';
  readonly type: ScalarTypeName | 'Enum';
  /** Present exactly when `type` is `Enum`. */
  readonly enumValues?: ReadonlySet<string>;
  readonly list: boolean;
  /** Whether a create may leave it out: optional, a default, `@updatedAt`, or a list. */
  readonly hasDefault: boolean;
  /** Whether the database or Prisma makes the value up (`autoincrement`, `uuid`, `now`, `dbgenerated`, …), rather than a literal. */
  readonly generated: boolean;
  /** The `@db.…` type, where the schema names one. */
  readonly nativeType?: readonly [name: string, args: readonly string[]];
  /** Prisma names of the exposed relations whose foreign key it belongs to; empty for any other attribute. */
  readonly foreignKeyOf: readonly string[];
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
   * Present on the side that holds the key: which of the own fields point to which of the target's, by Prisma's names. Some of them may be
   * hidden (a `tenantId` that is part of many keys, an id behind an `externalId`): for the data client's arguments only.
   */
  readonly foreignKey?: ForeignKey;
  /**
   * Whether its pairs live in a join table of their own (implicit many-to-many). Where this is false and {@link foreignKey} is absent,
   * the target holds the key: linking then writes the target's column, which is {@link opposite}'s right.
   */
  readonly joinTable: boolean;
}

export interface ForeignKey {
  readonly fields: readonly string[];
  readonly references: readonly string[];
}

/** What may be done with one field. `filter` may name the only operators that are open. */
export interface Rights {
  readonly read: boolean;
  readonly filter: boolean | ReadonlySet<string>;
  readonly sort: boolean;
  readonly create: boolean;
  readonly update: boolean;
}
