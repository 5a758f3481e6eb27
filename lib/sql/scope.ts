import type { Storage, StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { Condition } from '../query/condition.js';
import { decline } from './declined.js';
import type { Encode } from './parameter.js';
import { call, type Column, type Expression, type Join, type Pair, type Slot, type SlotType, type TableSource } from './tree.js';

/** Whether the client computes a field of a model after it has read the rows. Both names are those of the Prisma schema. */
export type IsComputed = (model: string, field: string) => boolean;

/** One statement while it is compiled: its aliases, and the encoders of its values. */
export class Statement {
  /** The encoders by slot. */
  readonly encoders: (Encode | undefined)[] = [];
  #aliases = 0;
  #hasSearch = false;

  /** @param slots the first slot of each node that has values */
  constructor(
    readonly storage: Storage,
    private readonly slots: ReadonlyMap<object, number>,
    readonly isComputed: IsComputed,
  ) {}

  /** Returns the slot of a value of a node. Values become part of a statement only by slots. */
  slot(node: object, encode: Encode, { at = 0, type }: { readonly at?: number; readonly type?: SlotType | undefined } = {}): Slot {
    const index = (this.slots.get(node) ?? decline('a value of its own')) + at;
    this.encoders[index] = encode;
    return { kind: 'slot', index, ...(type && { type }) };
  }

  alias(): string {
    return `t${this.#aliases++}`;
  }

  /**
   * Allows one full-text search.
   *
   * @throws Declined for a second one, because Prisma combines the searches of several fields
   */
  searchOnce(): void {
    if (this.#hasSearch) decline('several searches');
    this.#hasSearch = true;
  }

  modelOf(name: string): StoredModel {
    return this.storage.byModel.get(name) ?? decline(`there is no model ${name}`);
  }
}

/** Returns the type of the placeholder of a field's value, or of a list of values; undefined if PostgreSQL infers it. */
export function slotTypeOf({ type, enumType }: StoredField, isList = false): SlotType | undefined {
  if (type === 'Bytes') return isList ? 'bytes-list' : 'bytes';
  return enumType && { name: enumType.name, ...(enumType.schema !== undefined && { schema: enumType.schema }), isList };
}

/** The joined row of a to-one relation. */
export interface JoinedRow {
  readonly target: Scope;
  /** The conditions of the join in addition to the key. */
  readonly conditions: readonly Expression[];
}

/** One table in a `FROM`, with the joins of its to-one relations. These joins neither add nor remove rows. */
export class Scope {
  readonly alias: string;
  /** The joins of the whole `FROM`. */
  readonly joins: Join[];
  /** Whether the scope is the table that a statement writes, which has no joins. */
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

  get table(): TableSource {
    const { table, schema } = this.model;
    return { kind: 'table', table, ...(schema !== undefined && { schema }), alias: this.alias };
  }

  /**
   * Returns a field.
   *
   * @throws Declined for a field that the Prisma client does not have
   */
  field(name: string): StoredField {
    const field = this.model.fields.get(name);
    if (!field || field.ignored) return decline(`${this.model.model} has no field ${name}`);
    return field;
  }

  column(name: string): Column {
    return { kind: 'column', alias: this.alias, name: this.field(name).column };
  }

  /** A column that is never null. If it is null, an outer join has found no row. */
  get presence(): Column {
    const { primaryKey, uniqueKeys, fields, model } = this.model;
    const key = [primaryKey, ...uniqueKeys].find((one) => one?.fields.every((name) => fields.get(name)?.optional === false));
    return this.column(key?.fields[0] ?? decline(`${model} has no key`));
  }

  /** Returns a scope for a table in a separate `FROM`. */
  inner(model: StoredModel): Scope {
    return new Scope(this.statement, model);
  }

  /**
   * Returns the row of a to-one relation, if it is already joined.
   *
   * @param readable the condition of the join
   */
  joined(relation: StoredRelation, readable?: Condition): JoinedRow | undefined {
    return this.#joined.get(relation.name)?.get(readable);
  }

  /** Joins the row of a to-one relation, once. */
  toOne(relation: StoredRelation): Scope {
    return this.joined(relation)?.target ?? this.#join(relation, undefined, { target: this.beside(relation), conditions: [] });
  }

  /**
   * Joins the row of a to-one relation. A row that does not meet the conditions is joined as null.
   *
   * @param readable the condition before it was compiled, by which {@link joined} finds the row
   * @param row a separate scope, whose joins become part of the join
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

  /** Returns a scope for the related table in the same `FROM`, before it is joined. */
  beside(relation: StoredRelation): Scope {
    return new Scope(this.statement, this.statement.modelOf(relation.target), { joins: this.joins });
  }
}

export function joinOf({ table }: Scope, pairs: readonly Pair[], conditions: readonly Expression[] = []): Join {
  return { kind: 'left', table, on: [...pairs.map(({ own, owner }) => call('=', own, owner)), ...conditions] };
}

/** Returns the columns that a relation is joined by. One of its two sides has the foreign key. */
export function pairsOf({ name, foreignKey, referredBy }: StoredRelation, target: Scope, owner: Scope): readonly Pair[] {
  const { fields, references } =
    foreignKey ??
    (referredBy ? { fields: referredBy.references, references: referredBy.fields } : decline(`the keys of ${name} are not known`));
  return fields.map((field, index) => ({ own: target.column(references[index] ?? ''), owner: owner.column(field) }));
}

/** Returns the `FROM` of the rows of a to-many relation, and the columns that join them to their owner. */
export function fromMany(
  relation: StoredRelation,
  target: Scope,
  owner: Scope,
): { readonly from: TableSource; readonly joins: readonly Join[]; readonly pairs: readonly Pair[] } {
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
