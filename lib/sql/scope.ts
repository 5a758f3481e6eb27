import type { Storage, StoredField, StoredForeignKey, StoredModel, StoredRelation } from '../model/storage/storage.js';
import { decline } from './declined.js';
import { quote, type Statement } from './statement.js';

/** The parts of a `FROM` under construction. */
export interface From {
  readonly statement: Statement;
  readonly storage: Storage;
  /** Its joins. */
  readonly joins: string[];
}

/** One table in a `FROM`, with joins for its to-one relations. These joins neither add nor remove rows. */
export class Scope {
  readonly alias: string;
  readonly #joined = new Map<string, Scope>();

  constructor(
    private readonly from: From,
    readonly model: StoredModel,
  ) {
    this.alias = from.statement.alias();
  }

  get statement(): Statement {
    return this.from.statement;
  }

  get joins(): readonly string[] {
    return this.from.joins;
  }

  /** The table under its alias. */
  get table(): string {
    return `${this.statement.qualified(this.model.table, this.model.schema)} AS ${this.alias}`;
  }

  /** @throws Declined for what the Prisma client does not offer */
  field(name: string): StoredField {
    const field = this.model.fields.get(name);
    if (!field || field.ignored) decline(`${this.model.model} has no field ${name}`);
    return field;
  }

  /** @throws Declined for what the Prisma client does not offer */
  relation(name: string): StoredRelation {
    const relation = this.model.relations.get(name);
    if (!relation || relation.ignored) decline(`${this.model.model} has no relation ${name}`);
    return relation;
  }

  column(name: string): string {
    return `${this.alias}.${quote(this.field(name).column)}`;
  }

  /** A column that is never null, so that a null in it means that an outer join found no row. */
  get presence(): string {
    const { primaryKey, uniqueKeys, fields, model } = this.model;
    const key = [primaryKey, ...uniqueKeys].find((one) => one?.fields.every((name) => fields.get(name)?.optional === false));
    return this.column(key?.fields[0] ?? decline(`${model} has no key`));
  }

  /** The same table in a `FROM` of its own. */
  again(): Scope {
    return new Scope({ ...this.from, joins: [] }, this.model);
  }

  /** A table of its own in a `FROM` of its own. */
  inner(relation: StoredRelation): Scope {
    return new Scope({ ...this.from, joins: [] }, this.target(relation));
  }

  /** The row that a to-one relation leads to; joined once. */
  toOne(relation: StoredRelation): Scope {
    const known = this.#joined.get(relation.name);
    if (known) return known;
    const target = this.join(relation, () => []);
    this.#joined.set(relation.name, target);
    return target;
  }

  /** The same, with a join of its own that has further conditions. */
  join(relation: StoredRelation, conditionsOf: (target: Scope) => readonly string[]): Scope {
    const target = new Scope(this.from, this.target(relation));
    const { joins } = this.from;
    const { length } = joins;
    const on = [...equalities(relation, { owner: (name) => this.column(name), target }), ...conditionsOf(target)];
    if (joins.length > length) decline('a relation in the condition of a join');
    joins.push(`LEFT JOIN ${target.table} ON ${on.join(' AND ')}`);
    return target;
  }

  private target({ target }: StoredRelation): StoredModel {
    return this.from.storage.byModel.get(target) ?? decline(`there is no model ${target}`);
  }
}

interface Ends {
  /** The column of the owner's field. */
  readonly owner: (name: string) => string;
  readonly target: Scope;
}

/** The columns that a relation is joined by. One of the two sides holds the foreign key. */
export function equalities(relation: StoredRelation, { owner, target }: Ends): readonly string[] {
  const { fields, references } = pairsOf(relation);
  return fields.map((name, index) => `${target.column(references[index] ?? '')} = ${owner(name)}`);
}

/** The owner's fields, and those of the target with the same values. */
export function pairsOf({ name, foreignKey, referredBy }: StoredRelation): StoredForeignKey {
  if (foreignKey) return foreignKey;
  if (!referredBy) decline(`the keys of ${name} are not known`);
  return { fields: referredBy.references, references: referredBy.fields };
}

/** The `FROM` of the rows of a to-many relation, and the condition that joins them to their owner. */
export function fromMany(relation: StoredRelation, target: Scope, owner: Owner): { readonly from: string; readonly on: readonly string[] } {
  const { joinTable } = relation;
  if (!joinTable) return { from: target.table, on: equalities(relation, { owner: (name) => owner.column(name), target }) };
  const { statement } = target;
  const pairs = statement.alias();
  const [key] = keyOf(target.model);
  const table = statement.qualified(joinTable.table, joinTable.schema);
  return {
    from: `${table} AS ${pairs} JOIN ${target.table} ON ${target.column(key)} = ${pairs}.${quote(joinTable.targetColumn)}`,
    on: [`${pairs}.${quote(joinTable.ownColumn)} = ${owner.column(keyOf(owner.model)[0])}`],
  };
}

/** The owner of the rows of a relation. */
export interface Owner {
  readonly model: StoredModel;
  readonly column: (name: string) => string;
}

/** The owner's fields that {@link fromMany} asks for. */
export function ownFields(relation: StoredRelation, owner: StoredModel): readonly string[] {
  return relation.joinTable ? [keyOf(owner)[0]] : pairsOf(relation).fields;
}

function keyOf({ primaryKey, model }: StoredModel): readonly [string] {
  const [first, ...others] = primaryKey?.fields ?? [];
  if (first === undefined || others.length > 0) decline(`the key of ${model} is not one field`);
  return [first];
}
