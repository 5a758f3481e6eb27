import type { StoredRelation } from '../model/storage/storage.js';
import { allOf, anyOf, type Condition, EMPTY, joined, noneOf, TRUE } from './condition.js';
import { decline } from './declined.js';
import { fieldFilter, type Place } from './field-filter.js';
import { givenOf, objectOf } from './object-of.js';
import { fromMany, pairsOf, type Scope } from './scope.js';

/** The condition for a Prisma `where`. A comparison with null is unknown here exactly if it is unknown in Prisma's own SQL. */
export function where(place: Place, filter: unknown): Condition {
  const members = filter === undefined ? [] : givenOf(filter);
  if (members.length === 0) return EMPTY;
  return allOf(members.map(([name, value]) => member(place, name, value)));
}

/** The `where` of one record: its fields, and compound keys by their names. */
export function uniqueWhere(scope: Scope, filter: unknown): Condition {
  const { primaryKey, uniqueKeys, fields } = scope.model;
  const compound = new Set([primaryKey, ...uniqueKeys].flatMap((key) => (key && key.fields.length > 1 ? key.name : [])));
  const conditions = givenOf(filter).map(([name, value]) => {
    const filters = compound.has(name) && !fields.has(name) ? value : { [name]: value };
    return where({ scope, isNegated: false }, filters);
  });
  return allOf(conditions);
}

function member(place: Place, name: string, value: unknown): Condition {
  switch (name) {
    case 'AND':
      return allOf(group(place, value).filter((condition) => !condition.isEmpty));
    case 'OR':
      return anyOf(group(place, value));
    case 'NOT':
      return noneOf(group({ ...place, isNegated: !place.isNegated }, value));
    default:
      return place.scope.model.relations.has(name) ? relationFilter(place, name, value) : fieldFilter(place, name, value);
  }
}

function group(place: Place, value: unknown): readonly Condition[] {
  return [value].flat().map((filter) => where(place, objectOf(filter)));
}

interface RelationPlace extends Place {
  readonly relation: StoredRelation;
}

function relationFilter(place: Place, name: string, value: unknown): Condition {
  const relation = place.scope.relation(name);
  if (!relation.many && value === null) return { sql: isNull(place.scope, relation) };
  const given = givenOf(value);
  if (given.length === 0) return EMPTY;
  const at = { ...place, relation };
  if (relation.many) return allOf(given.map(([quantifier, filter]) => ({ sql: toMany(at, quantifier, filter) })));
  if (!given.some(([key]) => key === 'is' || key === 'isNot')) return { sql: is(at, value) };
  return allOf(given.map(([key, filter]) => ({ sql: toOne(at, key, filter) })));
}

function toOne(place: RelationPlace, key: string, filter: unknown): string {
  const { scope, relation } = place;
  switch (key) {
    case 'is':
      return filter === null ? isNull(scope, relation) : is(place, filter);
    case 'isNot':
      return filter === null ? `(NOT ${isNull(scope, relation)})` : isNot(place, filter);
    default:
      return decline('is and isNot beside other fields');
  }
}

function is({ scope, relation, isNegated }: RelationPlace, filter: unknown): string {
  const target = scope.toOne(relation);
  const { sql } = where({ scope: target, isNegated }, filter);
  return joined([...(sql === TRUE ? [] : [sql]), `${target.presence} IS NOT NULL`], 'AND');
}

function isNot({ scope, relation, isNegated }: RelationPlace, filter: unknown): string {
  const target = scope.toOne(relation);
  const { sql } = where({ scope: target, isNegated: !isNegated }, filter);
  return `((NOT ${sql}) OR ${target.presence} IS NULL)`;
}

/** Compares the key of the row itself, which may refer to no row, or joins the related row if that holds the key. */
function isNull(scope: Scope, relation: StoredRelation): string {
  if (!relation.foreignKey) return `(${scope.toOne(relation).presence} IS NULL)`;
  const [name, ...others] = pairsOf(relation).fields;
  if (name === undefined || others.length > 0) return decline('null for a key of several fields');
  return `(${scope.column(name)} IS NULL)`;
}

function toMany({ scope, relation, isNegated }: RelationPlace, quantifier: string, filter: unknown): string {
  const target = scope.inner(relation);
  const { from, on } = fromMany(relation, target, scope);
  const { sql } = where({ scope: target, isNegated }, objectOf(filter));
  const exists = (condition: string): string => {
    const conditions = condition === TRUE ? on : [...on, condition];
    return `EXISTS (SELECT 1 FROM ${[from, ...target.joins].join(' ')} WHERE ${conditions.join(' AND ')})`;
  };
  switch (quantifier) {
    case 'some':
      return exists(sql);
    case 'none':
      return `(NOT ${exists(sql)})`;
    case 'every':
      return `(NOT ${exists(`(NOT ${sql})`)})`;
    default:
      return decline(`the quantifier ${quantifier}`);
  }
}
