import type { ExposedModel } from './exposed-model.js';
import { CLOSED, overrideRights, restrictRights, rightsOfPreset, type StatedRights, statedRights, uniteRights } from './field-rights.js';
import { ownOption } from './own-option.js';
import type { Ruled, RuleContext } from './rights-sheet.js';
import { RIGHT_NAMES } from '../surface/rights.js';
import type { Rights } from '../surface/surface.js';

/** A relation with its foreign key on this model. */
export interface KeyedRelation {
  readonly name: string;
  readonly fields: readonly string[];
  /** The fields of its key that no other relation of the model uses. A `tenantId` that is part of every key is excluded. */
  readonly ownFields: readonly string[];
  /** Whether the related model is exposed. */
  readonly hasTarget: boolean;
}

export function keyedRelations({ model: { schema }, models }: Pick<RuleContext, 'model' | 'models'>): readonly KeyedRelation[] {
  const keyed = Object.entries(schema.fields).flatMap(([name, field]) => {
    return field.kind === 'relation' && field.foreignKey
      ? { name, fields: field.foreignKey.fields, hasTarget: models.has(field.type) }
      : [];
  });
  const shared = sharedFields(keyed);
  return keyed.map((relation) => ({ ...relation, ownFields: relation.fields.filter((field) => !shared.has(field)) }));
}

type KeyFields = Pick<KeyedRelation, 'name' | 'fields'>;

/** Returns the fields that are part of the foreign keys of several relations, each with these relations. */
function sharedFields<Relation extends KeyFields>(relations: readonly Relation[]): ReadonlyMap<string, readonly Relation[]> {
  const users = new Map<string, Relation[]>();
  for (const relation of relations) {
    for (const field of relation.fields) users.set(field, [...(users.get(field) ?? []), relation]);
  }
  return new Map([...users].filter(([, all]) => all.length > 1));
}

/** The rights of one field from its comment in the schema, and from the option `resources`. */
export interface FieldStatement {
  readonly preset: Rights;
  readonly stated: StatedRights;
}

export function statementsOf({ schema, options }: ExposedModel): ReadonlyMap<string, FieldStatement> {
  const statements = Object.entries(schema.fields).map(([name, { api }]) => {
    return [name, { preset: rightsOfPreset(api), stated: statedRights(ownOption(options.fields, name)) }] as const;
  });
  return new Map(statements);
}

/**
 * Returns the rights of foreign keys and their relations to exposed models. A key and its relation share one right, so denying it on either
 * denies it on both.
 * Options of either take precedence over comments of either. Among options, or among comments, denial takes precedence.
 */
export function joinKeys(relations: readonly KeyedRelation[], statements: ReadonlyMap<string, FieldStatement>): Ruled {
  return relations.filter(({ hasTarget }) => hasTarget).flatMap((relation) => joinKey(relation, statements));
}

function joinKey(
  { name, ownFields }: KeyedRelation,
  statements: ReadonlyMap<string, FieldStatement>,
): readonly (readonly [string, Rights])[] {
  const names = [name, ...ownFields];
  const members = names.flatMap((member) => statements.get(member) ?? []);
  const stated = joinStated(members.map((member) => member.stated));
  const joined = overrideRights(members.map(({ preset }) => preset).reduce(restrictRights), stated);
  return names.map((member) => {
    const own = statements.get(member)?.stated.filter;
    if (joined.filter === true && typeof own === 'object') return [member, { ...joined, filter: own }];
    // A filter by the target's id through the relation allows every operator. It is denied where the key's operators are limited and the
    // key is not readable.
    const isWider = member === name && own === undefined && !joined.read && members.some((each) => typeof each.stated.filter === 'object');
    return [member, isWider ? { ...joined, filter: false } : joined];
  });
}

function joinStated(all: readonly StatedRights[]): StatedRights {
  const joined = RIGHT_NAMES.flatMap((right) => {
    const values = all.flatMap((stated) => stated[right] ?? []);
    return values.length === 0 ? [] : [[right, values.every((value) => value !== false)] as const];
  });
  return Object.fromEntries(joined);
}

/**
 * Restricts a field that several relations use. It has the rights of those relations for which it is the whole key (e.g. the tenant), or
 * else the rights that any of the relations has.
 */
export function restrictSharedFields(relations: readonly KeyedRelation[], rights: ReadonlyMap<string, Rights>): Ruled {
  return [...sharedFields(relations)].map(([field, users]) => {
    const alone = users.filter(({ fields }) => fields.length === 1);
    const deciding = alone.length > 0 ? alone : users;
    return [field, restrict(field, { by: deciding.map(({ name }) => name), rights })];
  });
}

/** Restricts a relation whose fields are all shared with other relations, to the rights that any of these fields has. */
export function restrictByFields(relations: readonly KeyedRelation[], rights: ReadonlyMap<string, Rights>): Ruled {
  const dependent = relations.filter(({ ownFields }) => ownFields.length === 0);
  return dependent.map(({ name, fields }) => [name, restrict(name, { by: fields, rights })]);
}

interface Restriction {
  readonly by: readonly string[];
  readonly rights: ReadonlyMap<string, Rights>;
}

function restrict(name: string, { by, rights }: Restriction): Rights {
  return restrictRights(rights.get(name) ?? CLOSED, uniteRights(by.map((other) => rights.get(other) ?? CLOSED)));
}
