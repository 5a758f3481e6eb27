import type { Storage, StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { Condition } from '../query/condition.js';
import { decline } from './declined.js';
import type { Encode } from './parameter.js';
import { call, type Column, type Expression, type Join, type Pair, type Slot, type SlotType, type Table } from './tree.js';

/** Whether a field of a model, by their names in Prisma, is computed by the client after the rows are read. */
export type IsComputed = (model: string, field: string) => boolean;

/** One statement, while its tree is made: unique names, and how its values are sent. */
export class Statement {
  /** By slot. */
  readonly encoders: (Encode | undefined)[] = [];
  #aliases = 0;
  #hasSearch = false;

  /** @param slots the first slot of each node that has values */
  constructor(
    readonly storage: Storage,
    private readonly slots: ReadonlyMap<object, number>,
    readonly isComputed: IsComputed,
  ) {}

  /** The slot of a value of a node. Values become part of a statement in no other way. */
  slot(node: object, encode: Encode, { at = 0, type }: { readonly at?: number; readonly type?: SlotType | undefined } = {}): Slot {
    const index = (this.slots.get(node) ?? decline('a value of its own')) + at;
    this.encoders[index] = encode;
    return { kind: 'slot', index, ...(type && { type }) };
  }

  alias(): string {
    return `t${this.#aliases++}`;
  }

  /** @throws Declined the second time: Prisma combines the full-text searches of several fields */
  searchOnce(): void {
    if (this.#hasSearch) decline('several searches');
    this.#hasSearch = true;
  }

  modelOf(name: string): StoredModel {
    return this.storage.byModel.get(name) ?? decline(`there is no model ${name}`);
  }
}

/** The type that a placeholder of a field's values needs, or of a list of them. */
export function typeOf({ type, enumType }: StoredField, isList = false): SlotType | undefined {
  if (type === 'Bytes') return isList ? 'bytes-list' : 'bytes';
  return enumType && { name: enumType.name, ...(enumType.schema !== undefined && { schema: enumType.schema }), isList };
}

/** The row that a to-one relation leads to, as it is joined. */
export interface JoinedRow {
  readonly target: Scope;
  /** What it has to meet beside its key. */
  readonly conditions: readonly Expression[];
}

/** One table in a `FROM`, with joins for its to-one relations. These joins neither add nor remove rows. */
export class Scope {
  readonly alias: string;
  /** Of the whole `FROM`. */
  readonly joins: Join[];
  /** Whether it is the table that a statement writes, which has no joins. */
  readonly isWritten: boolean;
  readonly #joined = new Map<string, Map<Condition | undefined, JoinedRow>>();

  constructor(
    readonly statement: Statement,
    readonly model: StoredModel,
    { joins = [], isWritten = false }: { readonly joins?: Join[]; readonly isWritten?: boolean } = {},
  ) {
    this.joins = joins;
    this.isWritten = isWritten;
    this.alias = statement.alias();
  }

  get table(): Table {
    const { table, schema } = this.model;
    return { kind: 'table', table, ...(schema !== undefined && { schema }), alias: this.alias };
  }

  /** @throws Declined for what the Prisma client does not offer */
  field(name: string): StoredField {
    const field = this.model.fields.get(name);
    if (!field || field.ignored) return decline(`${this.model.model} has no field ${name}`);
    return field;
  }

  column(name: string): Column {
    return { kind: 'column', alias: this.alias, name: this.field(name).column };
  }

  /** A column that is never null, so that a null in it means that an outer join found no row. */
  get presence(): Column {
    const { primaryKey, uniqueKeys, fields, model } = this.model;
    const key = [primaryKey, ...uniqueKeys].find((one) => one?.fields.every((name) => fields.get(name)?.optional === false));
    return this.column(key?.fields[0] ?? decline(`${model} has no key`));
  }

  /** A table of its own in a `FROM` of its own. */
  inner(model: StoredModel): Scope {
    return new Scope(this.statement, model);
  }

  /**
   * Returns the row that a to-one relation leads to, if it is joined already.
   *
   * @param readable the condition that it was joined by
   */
  joined(relation: StoredRelation, readable?: Condition): JoinedRow | undefined {
    return this.#joined.get(relation.name)?.get(readable);
  }

  /** Joins the row that a to-one relation leads to, once. */
  toOne(relation: StoredRelation): Scope {
    return this.joined(relation)?.target ?? this.#join(relation, undefined, { target: this.beside(relation), conditions: [] });
  }

  /**
   * Joins the row that a to-one relation leads to as none where it does not meet conditions.
   *
   * @param readable what the conditions were compiled of, by which {@link joined} finds the row
   * @param row a table of its own, whose joins are part of the join
   */
  joinReadable(relation: StoredRelation, readable: Condition, row: JoinedRow): Scope {
    return this.#join(relation, readable, row);
  }

  #join(relation: StoredRelation, readable: Condition | undefined, row: JoinedRow): Scope {
    const { target, conditions } = row;
    const join = joinOf(target, pairsOf(relation, target, this), conditions);
    this.joins.push(readable ? { ...join, joins: target.joins } : join);
    const known = this.#joined.get(relation.name) ?? new Map<Condition | undefined, JoinedRow>();
    this.#joined.set(relation.name, known.set(readable, row));
    return target;
  }

  /** The table of that row in the same `FROM`, not joined yet. */
  beside(relation: StoredRelation): Scope {
    return new Scope(this.statement, this.statement.modelOf(relation.target), { joins: this.joins });
  }
}

export function joinOf({ table }: Scope, pairs: readonly Pair[], conditions: readonly Expression[] = []): Join {
  return { kind: 'left', table, on: [...pairs.map(({ own, owner }) => call('=', own, owner)), ...conditions] };
}

/** The columns that a relation is joined by. One of the two sides holds the foreign key. */
export function pairsOf({ name, foreignKey, referredBy }: StoredRelation, target: Scope, owner: Scope): readonly Pair[] {
  const { fields, references } =
    foreignKey ??
    (referredBy ? { fields: referredBy.references, references: referredBy.fields } : decline(`the keys of ${name} are not known`));
  return fields.map((field, index) => ({ own: target.column(references[index] ?? ''), owner: owner.column(field) }));
}

/** The `FROM` of the rows of a to-many relation, and the columns that join them to their owner. */
export function fromMany(
  relation: StoredRelation,
  target: Scope,
  owner: Scope,
): { readonly from: Table; readonly joins: readonly Join[]; readonly pairs: readonly Pair[] } {
  const { joinTable } = relation;
  if (!joinTable) return { from: target.table, joins: [], pairs: pairsOf(relation, target, owner) };
  const { table, schema, ownColumn, targetColumn } = joinTable;
  const alias = target.statement.alias();
  const columnOf = (name: string): Column => ({ kind: 'column', alias, name });
  const on = [call('=', requireKeyColumn(target), columnOf(targetColumn))];
  return {
    from: { kind: 'table', table, ...(schema !== undefined && { schema }), alias },
    joins: [{ kind: 'inner', table: target.table, on }],
    pairs: [{ own: columnOf(ownColumn), owner: requireKeyColumn(owner) }],
  };
}

function requireKeyColumn(scope: Scope): Column {
  const { primaryKey, model } = scope.model;
  const [first, ...others] = primaryKey?.fields ?? [];
  if (first === undefined || others.length > 0) return decline(`the key of ${model} is not one field`);
  return scope.column(first);
}
