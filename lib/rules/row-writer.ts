import { whereAmong } from '../data-client/count-list.js';
import { ApiError } from '../errors/api-error.js';
import { allOf, withConditions } from './condition.js';
import type { RuleName } from './compile-rules.js';
import { keyChunks } from './key-chunks.js';
import { writeOwnRelations } from './own-relations.js';
import { isNothingFound, missingRow, refusedByRule } from './refusals.js';
import { writeRelated } from './related-writes.js';
import { ruleWhere } from './rule-where.js';
import type { Where } from './rules-option.js';
import { type Args, callHost, keyOf, type Row, selectOf, type Session, whereRow } from './session.js';
import { splitData } from './split-data.js';
import { WrittenRows } from './written-rows.js';

/**
 * Writes single rows under the rules, and others through their relations, one after the other: Prisma's nested writes taken apart, so that it is
 * known of every row whether it is created, changed or deleted. It runs in a transaction.
 */
export class RowWriter {
  readonly written: WrittenRows;

  constructor(readonly session: Session) {
    this.written = new WrittenRows(session);
  }

  /** @returns the fields of the new row that keys are made of */
  async create(model: string, data: Args): Promise<Row> {
    const { plain, own, others } = splitData(this.session.rules, model, data);
    const { columns } = await writeOwnRelations(this, { model }, own);
    this.requireSome(model, 'create');
    const row = (await this.call(model, 'create', { data: { ...plain, ...columns }, select: this.linkSelect(model) })) as Row;
    this.written.add(model, 'create', row);
    await writeRelated(this, { model, row }, others);
    return row;
  }

  /** @param row one that may be read */
  async update(model: string, row: Row, data: Args): Promise<Row> {
    const { plain, own, others } = splitData(this.session.rules, model, data);
    const { columns, after } = await writeOwnRelations(this, { model, row }, own);
    const updated = await this.updateColumns(model, row, { ...plain, ...columns });
    for (const finish of after) await finish();
    await writeRelated(this, { model, row: updated }, others);
    return updated;
  }

  /** @param row one that may be read */
  async updateColumns(model: string, row: Row, data: Args): Promise<Row> {
    const where = withConditions(whereRow(this.session, model, row), [this.session.rules.where(model, 'using')]);
    const updated = (await this.orRefuse(this.call(model, 'update', { where, data, select: this.linkSelect(model) }))) as Row;
    this.written.add(model, 'check', updated);
    return updated;
  }

  /** @param row one that may be read */
  async remove(model: string, row: Row): Promise<void> {
    const where = withConditions(whereRow(this.session, model, row), [this.session.rules.where(model, 'delete')]);
    await this.orRefuse(this.call(model, 'delete', { where, select: selectOf(keyOf(this.session, model).fields) }));
    this.written.drop(model, row);
  }

  /** The rows that are created; those left out as duplicates are not among them. */
  async createMany(model: string, records: readonly Args[], { skipDuplicates }: { readonly skipDuplicates?: unknown }): Promise<number> {
    const rule = this.session.rules.of(model, 'create');
    if (records.length === 0) return 0;
    if (rule === false) throw refusedByRule();
    const args = { data: records, ...(skipDuplicates !== undefined && { skipDuplicates }) };
    if (rule === true) return ((await this.call(model, 'createMany', args)) as Affected).count;
    if (!RETURNS_ROWS.has(this.session.rules.storage.provider)) return this.createEach(model, records, skipDuplicates);
    const select = this.linkSelect(model);
    const rows = (await this.call(model, 'createManyAndReturn', { ...args, select })) as readonly Row[];
    for (const row of rows) this.written.add(model, 'create', row);
    return rows.length;
  }

  /** Changes the rows that may be read and updated; the others are not there. */
  async updateMany(model: string, where: Where, { data, limit }: ManyUpdate): Promise<number> {
    const { rules } = this.session;
    const using = rules.where(model, 'using');
    const reached = this.reach(model, where, 'using');
    const limited = limit === undefined ? {} : { limit };
    if (rules.of(model, 'check') === true)
      return ((await this.call(model, 'updateMany', { where: reached, data, ...limited })) as Affected).count;
    const { fields } = keyOf(this.session, model);
    const take = limit === undefined ? {} : { take: limit };
    const rows = (await this.call(model, 'findMany', { where: reached, select: selectOf(fields), ...take })) as readonly Row[];
    if (rows.length > 0) this.requireKept(model, data);
    let count = 0;
    for (const some of keyChunks(rows)) {
      const args = { where: allOf([whereAmong(some, fields), using]), data };
      count += ((await this.call(model, 'updateMany', args)) as Affected).count;
      for (const row of some) this.written.add(model, 'check', row);
    }
    return count;
  }

  /** Deletes the rows that may be read and deleted; the others are not there. */
  async deleteMany(model: string, where: Where, limit?: unknown): Promise<number> {
    const reached = this.reach(model, where, 'delete');
    if (this.written.has(model)) {
      const rows = (await this.call(model, 'findMany', {
        where: reached,
        select: selectOf(keyOf(this.session, model).fields),
      })) as readonly Row[];
      for (const row of rows) this.written.drop(model, row);
    }
    return ((await this.call(model, 'deleteMany', { where: reached, ...(limit !== undefined && { limit }) })) as Affected).count;
  }

  /** The row that a unique `where` names; undefined where there is none that may be read. */
  async find(model: string, where: Where, conditions: readonly Where[] = []): Promise<Row | undefined> {
    const { rules } = this.session;
    const ruled = withConditions(ruleWhere(rules, model, where), [...conditions, rules.where(model, 'read')]);
    return ((await this.call(model, 'findUnique', { where: ruled, select: this.linkSelect(model) })) as Row | null) ?? undefined;
  }

  /** @throws ApiError where there is none */
  async findNamed(model: string, where: Where): Promise<Row> {
    const row = await this.find(model, where);
    if (!row) throw missingRow(model);
    return row;
  }

  /** The rows that may be read and meet a condition of ours, and one of the caller's. */
  async findAll(model: string, own: Where, given?: Where): Promise<readonly Row[]> {
    const { rules } = this.session;
    const where = withConditions(given ? ruleWhere(rules, model, given) : {}, [own, rules.where(model, 'read')]);
    return (await this.call(model, 'findMany', { where, select: this.linkSelect(model) })) as readonly Row[];
  }

  /** The rows of the caller's filter, ruled already, that may be read and written. */
  reach(model: string, where: Where, name: RuleName): Where {
    const { rules } = this.session;
    return withConditions(where, [rules.where(model, 'read'), rules.where(model, name)]);
  }

  call(model: string, operation: string, args: Args): Promise<unknown> {
    return callHost(this.session, { model, operation, args });
  }

  /** @throws ApiError where no row at all may be written so */
  requireSome(model: string, name: 'create' | 'using' | 'delete'): void {
    if (this.session.rules.of(model, name) === false) throw refusedByRule();
  }

  /** The fields of a model that its rows are found by, and that others refer to. */
  linkSelect(model: string): Args {
    const { relations } = this.session.rules.model(model);
    const linked = [...relations.values()].flatMap(({ foreignKey, referredBy }) => [
      ...(foreignKey?.fields ?? []),
      ...(referredBy?.references ?? []),
    ]);
    return selectOf(new Set([...keyOf(this.session, model).fields, ...linked]));
  }

  /** What is looked at by its key afterwards must keep it. */
  private requireKept(model: string, data: Args): void {
    const name = keyOf(this.session, model).fields.find((field) => Object.hasOwn(data, field));
    if (name === undefined) return;
    throw new ApiError('invalid-payload', `'${name}' of ${model} cannot be changed by a write of many records: change it one by one.`);
  }

  private async createEach(model: string, records: readonly Args[], skipDuplicates: unknown): Promise<number> {
    if (skipDuplicates === true) {
      throw new ApiError(
        'invalid-payload',
        `'skipDuplicates' cannot be used for ${model}: the database does not say which rows it left out.`,
      );
    }
    for (const record of records) await this.create(model, record);
    return records.length;
  }

  /** A row that was found, and that the rule of the write leaves out. */
  private async orRefuse(writing: Promise<unknown>): Promise<unknown> {
    try {
      return await writing;
    } catch (error) {
      throw isNothingFound(error) ? refusedByRule() : error;
    }
  }
}

interface ManyUpdate {
  readonly data: Args;
  readonly limit?: unknown;
}

interface Affected {
  readonly count: number;
}

/** Databases that return the rows which a statement has written. */
const RETURNS_ROWS: ReadonlySet<string> = new Set(['postgresql', 'cockroachdb', 'sqlite']);
