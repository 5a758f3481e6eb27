import type { StoredRelation } from '../model/storage/storage.js';
import { allOf } from './condition.js';
import { type Carried, carriedOf, type Decode } from './decode-value.js';
import { decline } from './declined.js';
import { givenOf, type Members, objectOf } from './object-of.js';
import { countOf } from './order.js';
import { ownFields, type Scope } from './scope.js';
import { where } from './where.js';

/** The columns of a `SELECT` whose rows leave as JSON lists, each at its index. */
export class Columns {
  readonly #inner: string[] = [];
  readonly #sent: string[] = [];

  /** @returns its index in a row of JSON */
  add(column: string, expression: Carried['expression'] = (inner) => inner): number {
    const name = `"c${this.#inner.length}"`;
    this.#inner.push(`${column} AS ${name}`);
    return this.#sent.push(expression(`s.${name}`)) - 1;
  }

  /** A column that lists are joined by. It is not sent. */
  addKey(column: string): string {
    const name = `"c${this.#inner.length}"`;
    this.#inner.push(`${column} AS ${name}`);
    return name;
  }

  get selected(): string {
    return this.#inner.join(', ') || 'NULL';
  }

  /** @param first sent before the columns */
  json(...first: readonly string[]): string {
    const all = [...this.#sent, ...first];
    return all.length > MAX_ARGUMENTS ? decline('a row of so many columns') : `json_build_array(${all.join(', ')})`;
  }
}

/** The most arguments of a function of PostgreSQL. */
const MAX_ARGUMENTS = 100;

/** What is read of one row, by the names and in the order of the result. */
export type Member =
  | { readonly kind: 'value'; readonly name: string; readonly index: number; readonly decode?: Decode; readonly isList?: boolean }
  | {
      readonly kind: 'one';
      readonly name: string;
      readonly presence: number;
      readonly isRequired: boolean;
      readonly members: readonly Member[];
    }
  | { readonly kind: 'many'; readonly name: string; readonly list: List }
  | { readonly kind: 'counts'; readonly members: readonly Member[] };

/** A to-many relation, whose rows have a `SELECT` of their own. */
export interface List {
  readonly relation: StoredRelation;
  readonly args: Members;
  readonly owner: Scope;
  /** Names of the owner's columns in its own `SELECT`, by field. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Selects what a Prisma `select` names of the rows of a scope. */
export function selectMembers(scope: Scope, select: unknown, columns: Columns): readonly Member[] {
  return givenOf(select).flatMap(([name, value]): Member | readonly Member[] => {
    if (value === false) return [];
    if (name === '_count') return { kind: 'counts', members: selectCounts(scope, value, columns) };
    if (scope.model.relations.has(name)) return selectRelation(scope, scope.relation(name), { value, columns });
    if (value !== true) return decline('a selection of a form of its own');
    const field = scope.field(name);
    const { expression, decode } = carriedOf(field);
    return { kind: 'value', name, index: columns.add(scope.column(name), expression), ...(decode && { decode }), isList: field.list };
  });
}

interface Selected {
  readonly value: unknown;
  readonly columns: Columns;
}

function selectRelation(scope: Scope, relation: StoredRelation, { value, columns }: Selected): Member {
  const args = objectOf(value);
  if (args['select'] === undefined || args['include'] !== undefined || args['omit'] !== undefined)
    return decline('a selection without names');
  const { name } = relation;
  if (relation.many) {
    const keys = new Map(ownFields(relation, scope.model).map((field) => [field, columns.addKey(scope.column(field))]));
    return { kind: 'many', name, list: { relation, args, owner: scope, keys } };
  }
  const target = joinOne(scope, relation, args);
  const presence = columns.add(`(${target.presence} IS NOT NULL)`);
  const isRequired = relation.foreignKey !== undefined && !relation.optional;
  return { kind: 'one', name, presence, isRequired, members: selectMembers(target, args['select'], columns) };
}

function joinOne(scope: Scope, relation: StoredRelation, { select: _, ...args }: Members): Scope {
  const { where: filter, ...others } = args;
  if (Object.values(others).some((value) => value !== undefined)) return decline('an argument of a relation to one row');
  if (filter === undefined) return scope.toOne(relation);
  return scope.join(relation, (target) => {
    const { sql } = where({ scope: target, isNegated: false }, filter);
    return [sql];
  });
}

function selectCounts(scope: Scope, value: unknown, columns: Columns): readonly Member[] {
  return givenOf(objectOf(value)['select']).flatMap(([name, filter]): Member | readonly Member[] => {
    if (filter === false) return [];
    const relation = scope.relation(name);
    if (!relation.many) return decline('a count of one row');
    const condition = filter === true ? undefined : conditionOf(filter);
    return { kind: 'value', name, index: columns.add(countOf(scope, relation, condition)) };
  });
}

function conditionOf(counted: unknown): (target: Scope) => string {
  const { where: filter, ...others } = objectOf(counted);
  if (Object.keys(others).length > 0) return decline('a count of a form of its own');
  return (target) => allOf([where({ scope: target, isNegated: false }, filter)]).sql;
}
