import { whereAmong } from '../data-client/count-list.js';
import { ApiError } from '../errors/api-error.js';
import { withConditions } from './condition.js';
import type { RuleName } from './compile-rules.js';
import { keyChunks } from './key-chunks.js';
import { writeOwnRelations } from './own-relations.js';
import { isNothingFound, missingRow, refusedByRule } from './refusals.js';
import { writeRelated } from './related-writes.js';
import { ruleWhere } from './rule-where.js';
import type { Where } from './rules-option.js';
import { type Args, callHost, keyOf, plainKey, type Row, selectOf, type Session, whereRow } from './session.js';
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

  /** Whether a write and what it answers are one statement. */
  get returnsRows(): boolean {
    return RETURNS_ROWS.has(this.session.rules.storage.provider);
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
    const updated = await this.writeColumns(model, row, data);
    this.written.add(model, 'check', updated);
    return updated;
  }

  private async writeColumns(model: string, row: Row, data: Args): Promise<Row> {
    const select = this.linkSelect(model);
    const named = whereRow(this.session, model, row);
    const where = this.reach(model, named, 'using');
    if (Object.keys(data).length === 0) return (await this.orRefuse(this.call(model, 'findUniqueOrThrow', { where, select }))) as Row;
    if (this.returnsRows || this.changedKey(model, data) !== undefined) {
      return (await this.orRefuse(this.call(model, 'update', { where, data, select }))) as Row;
    }
    // Prisma's `update` would not look at whether its statement finds the row that it has read before.
    const reached = this.reach(model, plainKey(this.session, model, row), 'using');
    if (((await this.call(model, 'updateMany', { where: reached, data })) as Affected).count === 0) throw refusedByRule();
    const isKept = Object.keys(select).every((name) => !Object.hasOwn(data, name));
    return isKept ? row : ((await this.call(model, 'findUniqueOrThrow', { where: named, select })) as Row);
  }

  /** @param row one that may be read */
  async remove(model: string, row: Row): Promise<void> {
    const where = this.reach(model, plainKey(this.session, model, row), 'delete');
    if (((await this.call(model, 'deleteMany', { where })) as Affected).count === 0) throw refusedByRule();
    this.written.drop(model, row);
  }

  /** The rows that are created; those left out as duplicates are not among them. */
  async createMany(model: string, records: readonly Args[], { skipDuplicates }: { readonly skipDuplicates?: unknown }): Promise<number> {
    const rule = this.session.rules.of(model, 'create');
    if (records.length === 0) return 0;
    if (rule === false) throw refusedByRule();
    const args = { data: records, ...(skipDuplicates !== undefined && { skipDuplicates }) };
    if (rule === true) return ((await this.call(model, 'createMany', args)) as Affected).count;
    if (!this.returnsRows) return this.createEach(model, records, skipDuplicates);
    const select = this.linkSelect(model);
    const rows = (await this.call(model, 'createManyAndReturn', { ...args, select })) as readonly Row[];
    for (const row of rows) this.written.add(model, 'create', row);
    return rows.length;
  }

  /** Changes the rows that may be read and updated; the others are not there. */
  async updateMany(model: string, where: Where, { data, limit }: ManyUpdate): Promise<number> {
    const { rules } = this.session;
    const reached = this.reach(model, where, 'using');
    const isChecked = rules.of(model, 'check') !== true;
    if (!isChecked && limit === undefined) return ((await this.call(model, 'updateMany', { where: reached, data })) as Affected).count;
    const parts = await this.partsOf(model, reached, limit);
    if (isChecked && parts.length > 0) this.requireKept(model, data);
    let count = 0;
    for (const part of parts) {
      const updated = await this.updatePart(model, part, data);
      count += updated.count;
      for (const row of updated.rows) this.written.add(model, 'check', row);
    }
    return count;
  }

  private async updatePart(model: string, { where, rows }: Part, data: Args): Promise<Affected & Pick<Part, 'rows'>> {
    if (!this.returnsRows) {
      const { count } = (await this.call(model, 'updateMany', { where, data })) as Affected;
      // Which of them it was that somebody else has changed, the database does not say: then all are looked at.
      return { rows: count === 0 ? [] : rows, count };
    }
    const select = selectOf(keyOf(this.session, model).fields);
    const updated = (await this.call(model, 'updateManyAndReturn', { where, data, select })) as readonly Row[];
    return { rows: updated, count: updated.length };
  }

  /** Deletes the rows that may be read and deleted; the others are not there. */
  async deleteMany(model: string, where: Where, limit?: number): Promise<number> {
    const reached = this.reach(model, where, 'delete');
    if (limit === undefined && !this.written.has(model)) {
      return ((await this.call(model, 'deleteMany', { where: reached })) as Affected).count;
    }
    let count = 0;
    for (const part of await this.partsOf(model, reached, limit)) {
      count += ((await this.call(model, 'deleteMany', { where: part.where })) as Affected).count;
      for (const row of part.rows) this.written.drop(model, row);
    }
    return count;
  }

  /**
   * The rows that a write of many reaches, by their keys. A `limit` is kept so, too: Prisma's own takes the rows in a query below the statement,
   * which the database does not ask again of a row that it has to wait for.
   *
   * @throws ApiError for more rows than may be looked at
   */
  async partsOf(model: string, reached: Where, limit?: number): Promise<readonly Part[]> {
    const { fields } = keyOf(this.session, model);
    const rows = await this.findSome(model, { where: reached, select: selectOf(fields) }, limit);
    return keyChunks(rows).map((some) => ({ where: withConditions(reached, [whereAmong(some, fields)]), rows: some }));
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
    return this.findSome(model, { where, select: this.linkSelect(model) });
  }

  private async findSome(model: string, args: Args, limit = Infinity): Promise<readonly Row[]> {
    const { maxRows } = this.session;
    const take = Math.min(limit, maxRows + 1);
    const rows = (await this.call(model, 'findMany', { ...args, ...(take < Infinity && { take }) })) as readonly Row[];
    if (rows.length > maxRows)
      throw new ApiError('limit-exceeded', `A write reaches at most ${maxRows} records of ${model} (limits.maxTake).`);
    return rows;
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

  private changedKey(model: string, data: Args): string | undefined {
    return keyOf(this.session, model).fields.find((field) => Object.hasOwn(data, field));
  }

  /** What is looked at by its key afterwards must keep it. */
  private requireKept(model: string, data: Args): void {
    const name = this.changedKey(model, data);
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
  readonly limit?: number | undefined;
}

/** As many rows as one statement takes, and the `where` of a write of them: it still has all conditions, since they may have changed. */
interface Part {
  readonly where: Where;
  readonly rows: readonly Row[];
}

interface Affected {
  readonly count: number;
}

/** Databases that return the rows which a statement has written. */
const RETURNS_ROWS: ReadonlySet<string> = new Set(['postgresql', 'cockroachdb', 'sqlite']);
