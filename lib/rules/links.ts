import { encodeFieldValues } from '../executor/loading/count-list.js';
import { ApiError } from '../errors/api-error.js';
import type { StoredForeignKey, StoredModel } from '../model/storage/storage.js';
import { ALWAYS, and, type Condition, NEVER } from '../query/condition.js';
import type { Row } from '../query/result.js';
import { isUnique, type LinkedRow, type Verb, type WrittenField, type WrittenRecord, type WrittenRelation } from '../query/write.js';
import { createRows } from './create-rows.js';
import { clearedColumns, haveKeyOf, linkColumns, type ReferencedRow, oppositeRelation } from './link-keys.js';
import { recordOf, withColumns } from './records.js';
import { rowCondition, linkFields, rowNamed, rowText } from './rows.js';
import type { RowWriter } from './row-writer.js';
import { ruledCondition } from './ruled-condition.js';

/** The links of one row through one relation. A subclass implements them for each place of the foreign key. */
export abstract class Link {
  /** The condition that a row is linked. */
  abstract readonly linked: Condition;
  readonly target: StoredModel;
  /** Whether a write of the linked row, or of the join table, may end the link. */
  protected readonly isMovable: boolean = true;

  constructor(
    readonly writer: RowWriter,
    protected readonly through: WrittenRelation,
  ) {
    this.target = through.target;
  }

  abstract attach(row: Row): Promise<void>;
  abstract detach(row: Row): Promise<void>;

  async create(record: WrittenRecord): Promise<void> {
    await this.attach(await this.writer.create(record));
  }

  createMany(_records: readonly WrittenRecord[], _skipDuplicates?: boolean): Promise<void> {
    throw new TypeError(`'${this.through.relation.name}' takes no createMany: its links are no columns of the new rows.`);
  }

  /** Disconnects a row. A row that is not linked, or may not be read, is left unchanged. */
  async disconnect(row: LinkedRow): Promise<void> {
    const linked = await this.find(row);
    if (linked) await this.detach(linked);
  }

  remove(row: Row): Promise<void> {
    return this.writer.remove(this.target, row);
  }

  /**
   * Whether a row is locked before it is written. Without a lock, another transaction may change values that the condition needs, or link the row
   * elsewhere.
   */
  isLocked(row: LinkedRow): boolean {
    return this.isMovable || (isUnique(row) ? row.more : row).kind !== 'always';
  }

  /** Finds the linked row of a key or a condition, in its state after the lock. */
  async find(row: LinkedRow): Promise<Row | undefined> {
    if (this.linked.kind === 'never') return undefined;
    if (!isUnique(row)) return this.findOnly(row);
    if (this.isLocked(row)) await this.writer.lock(row);
    return this.writer.find(this.target, row, this.linked);
  }

  /**
   * Finds the only linked row, if it meets a condition. Another transaction may link another row before the lock is granted, so the row is looked up
   * again.
   */
  private async findOnly(condition: Condition, locked?: string): Promise<Row | undefined> {
    const [found] = await this.findAll(condition);
    if (!found || !this.isLocked(condition) || rowText(this.target, found) === locked) return found;
    await this.writer.lock(rowNamed(this.target, found));
    return this.findOnly(condition, rowText(this.target, found));
  }

  /** Finds the same row as {@link find}, without a lock. */
  async peek(row: LinkedRow): Promise<Row | undefined> {
    if (this.linked.kind === 'never') return undefined;
    return isUnique(row) ? this.writer.find(this.target, row, this.linked) : (await this.findAll(row))[0];
  }

  /** Compiles the condition that a row is linked, and meets a condition of the caller. */
  scoped(where: Condition): Condition {
    return and(ruledCondition(this.writer.session.rules, where), this.linked);
  }

  /** Returns the linked rows that the caller may read, and that meet a condition of the caller. */
  findAll(where: Condition = ALWAYS): Promise<readonly Row[]> {
    return this.writer.findAll(this.target, this.linked, where);
  }
}

/** The foreign key columns that a row will be written with, and the steps that follow its write. */
export class Pending {
  columns: readonly WrittenField[] = [];
  readonly after: (() => Promise<void>)[] = [];
  /** Whether the database deletes the row in one of these steps. */
  cascades = false;

  /** @param row absent if it is not created yet */
  constructor(
    readonly model: StoredModel,
    readonly row?: Row,
  ) {}
}

/** The link of a row that has the foreign key. The referenced row is checked before the row is written. */
export class OwnLink extends Link {
  readonly linked: Condition;
  protected override readonly isMovable = false;

  constructor(
    writer: RowWriter,
    through: WrittenRelation,
    private readonly key: StoredForeignKey,
    private readonly owner: Pending,
  ) {
    super(writer, through);
    const { fields: references, references: fields } = key;
    this.linked = owner.row ? haveKeyOf(through.target, { fields, references }, owner.row) : NEVER;
  }

  override async create(record: WrittenRecord): Promise<void> {
    this.refer(await this.writer.create(record));
  }

  async attach(row: Row): Promise<void> {
    await this.previousLink(row)?.displace(this.owner.row);
    this.refer(row);
  }

  detach(): Promise<void> {
    this.write(clearedColumns(this.owner.model, this.key));
    return Promise.resolve();
  }

  /** Clears the foreign key. Without a condition, it is cleared whichever row it references. */
  override async disconnect(row: LinkedRow): Promise<void> {
    if (row === ALWAYS || (await this.find(row))) await this.detach();
  }

  override async remove(row: Row): Promise<void> {
    const onDelete = this.key.onDelete ?? (this.isOptional() ? 'SetNull' : 'Restrict');
    // A soft-deleted row stays linked, because it may be restored.
    const isDeleted = !this.writer.session.rules.softDelete(this.target);
    if (isDeleted && onDelete === 'SetNull') await this.detach();
    if (isDeleted && onDelete === 'Cascade') this.owner.cascades = true;
    this.owner.after.push(() => this.writer.remove(this.target, row));
  }

  private isOptional(): boolean {
    return this.key.fields.every((name) => this.owner.model.fields.get(name)?.optional === true);
  }

  /** Returns the link of a row to the other row that references it, if the relation is one-to-one. */
  private previousLink(row: Row): TargetLink | undefined {
    const { model } = this.owner;
    const relation = this.target.relations.get(this.through.relation.opposite ?? '');
    if (!relation || relation.many) return undefined;
    return new TargetLink(this.writer, { relation, target: model, verbs: [] }, this.key, { model: this.target, row });
  }

  private refer(row: Row): void {
    this.write(linkColumns(this.owner.model, this.key, { model: this.target, row }));
  }

  private write(columns: readonly WrittenField[]): void {
    this.owner.columns = [...this.owner.columns, ...columns];
  }
}

/** The links of a row that other rows reference by their foreign keys. Linking one of them updates it. */
export class TargetLink extends Link {
  readonly linked: Condition;

  constructor(
    writer: RowWriter,
    through: WrittenRelation,
    private readonly key: StoredForeignKey,
    private readonly parent: ReferencedRow,
  ) {
    super(writer, through);
    this.linked = haveKeyOf(this.target, key, parent.row);
  }

  override async create(record: WrittenRecord): Promise<void> {
    const columns = this.columns();
    await this.displace();
    await this.writer.create(withColumns(record, columns));
  }

  override async createMany(records: readonly WrittenRecord[], skipDuplicates?: boolean): Promise<void> {
    const columns = this.columns();
    const linked = records.map((record) => withColumns(record, columns));
    await createRows(this.writer, this.target, linked, skipDuplicates);
  }

  async attach(row: Row): Promise<void> {
    const columns = this.columns();
    await this.displace(row);
    const isLinked = columns.every(
      ({ field: { name }, value }) => encodeFieldValues(row, [name]) === encodeFieldValues({ [name]: value }, [name]),
    );
    await this.writer.updateColumns(this.target, row, columns, { incrementsVersion: !isLinked });
  }

  async detach(row: Row): Promise<void> {
    const cleared = clearedColumns(this.target, this.key);
    if (cleared.length === 0) throw new ApiError('reference-conflict', `A ${this.target.model} cannot be without what it refers to.`);
    await this.writer.updateColumns(this.target, row, cleared);
  }

  /** Detaches the row that a to-one relation currently has, unless it is the next row. */
  async displace(next?: Row): Promise<void> {
    if (this.through.relation.many) return;
    const linked = await this.find(ALWAYS);
    if (linked && !(next && rowText(this.target, next) === rowText(this.target, linked))) await this.detach(linked);
  }

  private columns(): readonly WrittenField[] {
    return linkColumns(this.target, this.key, this.parent);
  }
}

/** The links of a row through a join table. */
export class JoinLink extends Link {
  readonly linked: Condition;

  constructor(
    writer: RowWriter,
    through: WrittenRelation,
    private readonly parent: ReferencedRow,
  ) {
    super(writer, through);
    const { model, row } = parent;
    this.linked = {
      kind: 'some',
      relation: oppositeRelation(model, through.relation, this.target),
      target: model,
      condition: rowCondition(model, row),
    };
  }

  attach(row: Row): Promise<void> {
    return this.change({ kind: 'connect', row: rowNamed(this.target, row) });
  }

  detach(row: Row): Promise<void> {
    return this.change({ kind: 'disconnect', row: rowNamed(this.target, row) });
  }

  private async change(verb: Verb): Promise<void> {
    const { model, row } = this.parent;
    const record = { ...recordOf(model, []), relations: [{ ...this.through, verbs: [verb] }] };
    await this.writer.session.executor.run({ kind: 'update', model, where: rowNamed(model, row), record, selection: linkFields(model) });
  }
}
