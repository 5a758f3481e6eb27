import type { StoredRelation } from '../model/storage/storage.js';
import { allOf } from './condition.js';
import { FrozenCache } from '../utils/frozen-cache.js';
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
  #selected: string | undefined;
  #json: string | undefined;

  /** @returns its index in a row of JSON */
  add(column: string, expression: Carried['expression'] = (inner) => inner): number {
    this.changed();
    const name = `"c${this.#inner.length}"`;
    this.#inner.push(`${column} AS ${name}`);
    return this.#sent.push(expression(`s.${name}`)) - 1;
  }

  /** A column that lists are joined by. It is not sent. */
  addKey(column: string): string {
    this.changed();
    const name = `"c${this.#inner.length}"`;
    this.#inner.push(`${column} AS ${name}`);
    return name;
  }

  get selected(): string {
    return (this.#selected ??= this.#inner.join(', ') || 'NULL');
  }

  /** @param last sent after the columns */
  json(...last: readonly string[]): string {
    if (this.#sent.length + last.length > MAX_ARGUMENTS) return decline('a row of so many columns');
    const sent = (this.#json ??= this.#sent.join(', '));
    return `json_build_array(${[...(sent === '' ? [] : [sent]), ...last].join(', ')})`;
  }

  private changed(): void {
    this.#selected = undefined;
    this.#json = undefined;
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

/** The columns of a `SELECT`, and what is read of them. */
export interface SelectedColumns {
  readonly columns: Columns;
  readonly members: readonly Member[];
}

/** Selects what a Prisma `select` names, once for one that many requests share: do not add columns to it. */
export function selectShared(scope: Scope, select: unknown): SelectedColumns {
  const { byAlias } = SHARED.of(select, () => ({ byAlias: isPlain(select) ? new Map<string, SelectedColumns>() : undefined }));
  const known = byAlias?.get(scope.alias);
  if (known) return known;
  const selected = selectOwn(scope, select);
  byAlias?.set(scope.alias, selected);
  return selected;
}

/** The same, for a `SELECT` that has further columns. */
export function selectOwn(scope: Scope, select: unknown): SelectedColumns {
  const columns = new Columns();
  return { columns, members: selectMembers(scope, select, columns) };
}

/** Each is of one model, and in a statement stands under an alias. */
const SHARED = new FrozenCache<{ readonly byAlias: Map<string, SelectedColumns> | undefined }>();

/** Whether it is of fields alone: relations are joined to the statement that they are selected in. */
function isPlain(select: unknown): boolean {
  return givenOf(select).every(([, value]) => value === true);
}

/** Selects what a Prisma `select` names of the rows of a scope. */
function selectMembers(scope: Scope, select: unknown, columns: Columns): readonly Member[] {
  const members: Member[] = [];
  for (const [name, value] of GIVEN.of(select, () => givenOf(select))) {
    if (value === true) members.push(selectValue(scope, name, columns));
    else if (value !== false) members.push(selectObject(scope, name, { value, columns }));
  }
  return members;
}

/** The members of selections that many requests share. */
const GIVEN = new FrozenCache<ReturnType<typeof givenOf>>();

function selectValue(scope: Scope, name: string, columns: Columns): Member {
  if (name === '_count' || scope.model.relations.has(name)) return decline('a selection without names');
  const field = scope.field(name);
  const { expression, decode } = carriedOf(field);
  return { kind: 'value', name, index: columns.add(scope.column(name), expression), ...(decode && { decode }), isList: field.list };
}

function selectObject(scope: Scope, name: string, selected: Selected): Member {
  if (name === '_count') return { kind: 'counts', members: selectCounts(scope, selected) };
  if (!scope.model.relations.has(name)) return decline('a selection of a form of its own');
  return selectRelation(scope, scope.relation(name), selected);
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

function selectCounts(scope: Scope, { value, columns }: Selected): readonly Member[] {
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
