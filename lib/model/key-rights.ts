import { CLOSED, overrideRights, restrictRights, RIGHT_NAMES, type StatedRights, uniteRights } from './field-rights.js';
import { type Rights } from './resource-model.js';

/** A relation that holds its foreign key, and the fields of that key. */
export interface KeyedRelation {
  readonly name: string;
  readonly fields: readonly string[];
  /** Whether the related model is exposed. */
  readonly hasTarget: boolean;
}

/** What is said about one field: by its comment in the schema, and by the option `resources`. */
export interface FieldStatement {
  readonly preset: Rights;
  readonly stated: StatedRights;
  /** Whether `resources` names the field at all. */
  readonly isNamed: boolean;
}

/**
 * The rights of every field of one model, with each foreign key and its relation made one right: what closes either closes both.
 *
 * - A key of several fields counts by those that no other relation uses. So a `tenantId` that is part of every key of a model may be hidden
 *   without closing all its relations.
 * - A field that several relations use is as open as those whose whole key it is (the relation to the tenant), or else as any of them.
 * - Where the related model is hidden the relation is closed, and its key too, unless `resources` names the key field itself.
 */
export function unifyKeyRights(
  statements: ReadonlyMap<string, FieldStatement>,
  relations: readonly KeyedRelation[],
): ReadonlyMap<string, Rights> {
  const rights = new Map([...statements].map(([name, { preset, stated }]) => [name, overrideRights(preset, stated)]));
  const shared = sharedFields(relations);
  for (const relation of relations) {
    const own = relation.fields.filter((field) => !shared.has(field));
    if (relation.hasTarget) joinRights([relation.name, ...own], { statements, rights });
    else closeRights([relation.name, ...own.filter((field) => statements.get(field)?.isNamed === false)], rights);
  }
  for (const [field, users] of shared) {
    if (statements.get(field)?.isNamed === true) continue;
    const alone = users.filter(({ fields }) => fields.length === 1);
    const deciding = alone.length > 0 ? alone : users;
    restrict(field, namesOf(deciding), rights);
  }
  for (const { name, fields } of relations) {
    if (fields.every((field) => shared.has(field))) restrict(name, fields, rights);
  }
  return rights;
}

/** The fields that belong to the keys of several relations, each with these relations. */
function sharedFields(relations: readonly KeyedRelation[]): ReadonlyMap<string, readonly KeyedRelation[]> {
  const users = new Map<string, KeyedRelation[]>();
  for (const relation of relations) {
    for (const field of relation.fields) users.set(field, [...(users.get(field) ?? []), relation]);
  }
  return new Map([...users].filter(([, all]) => all.length > 1));
}

interface Rulings {
  readonly statements: ReadonlyMap<string, FieldStatement>;
  readonly rights: Map<string, Rights>;
}

/** Options of any side win over the comments of any side; among equals the closed one wins. */
function joinRights(names: readonly string[], { statements, rights }: Rulings): void {
  const members = names.flatMap((name) => statements.get(name) ?? []);
  const stated = joinStated(members.map((member) => member.stated));
  const preset = members.map((member) => member.preset).reduce(restrictRights);
  for (const name of names) {
    const operators = statements.get(name)?.stated.filter;
    const isLimited = typeof operators === 'object' && stated.filter === true;
    rights.set(name, overrideRights(preset, isLimited ? { ...stated, filter: operators } : stated));
  }
}

function joinStated(all: readonly StatedRights[]): StatedRights {
  const joined = RIGHT_NAMES.flatMap((right) => {
    const values = all.flatMap((stated) => stated[right] ?? []);
    return values.length === 0 ? [] : [[right, values.every((value) => value !== false)] as const];
  });
  return Object.fromEntries(joined);
}

function namesOf(relations: readonly KeyedRelation[]): readonly string[] {
  return relations.map(({ name }) => name);
}

function closeRights(names: readonly string[], rights: Map<string, Rights>): void {
  for (const name of names) rights.set(name, CLOSED);
}

function restrict(name: string, by: readonly string[], rights: Map<string, Rights>): void {
  const own = rights.get(name) ?? CLOSED;
  rights.set(name, restrictRights(own, uniteRights(by.map((other) => rights.get(other) ?? CLOSED))));
}
