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
 *   without closing all its relations, and one hidden relation does not close it for the others.
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
    restrict(field, users, rights);
  }
  for (const { name, fields } of relations) {
    if (fields.every((field) => shared.has(field))) restrict(name, fields, rights);
  }
  return rights;
}

/** The fields that belong to the keys of several relations, each with these relations. */
function sharedFields(relations: readonly KeyedRelation[]): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const { name, fields } of relations) {
    for (const field of fields) users.set(field, [...(users.get(field) ?? []), name]);
  }
  return new Map([...users].filter(([, names]) => names.length > 1));
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

function closeRights(names: readonly string[], rights: Map<string, Rights>): void {
  for (const name of names) rights.set(name, CLOSED);
}

function restrict(name: string, by: readonly string[], rights: Map<string, Rights>): void {
  const own = rights.get(name) ?? CLOSED;
  rights.set(name, restrictRights(own, uniteRights(by.map((other) => rights.get(other) ?? CLOSED))));
}
