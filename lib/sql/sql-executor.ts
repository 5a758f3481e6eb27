import type { Executor } from '../executor/executor.js';
import { lockRow } from '../executor/lock-row.js';
import type { UniqueCondition } from '../query/condition.js';
import { sameRow } from '../query/key.js';
import { isWrite, type Query } from '../query/query.js';
import { countRows, findMany, type FindUnique } from '../query/read.js';
import { type ResultOf, type Row, rowsOf } from '../query/result.js';
import type { Create, Update, UpdateMany, Upsert, Write, WrittenRelation } from '../query/write.js';
import { decline } from './declined.js';
import { isNative, separateLinks, unchanged } from './flat-write.js';
import { type Part, type PartContext, compilePart } from './compile-part.js';
import type { Step, StepAnswer } from './pipeline.js';
import type { PoolReads, TransactionSettings } from './pool-reads.js';
import type { Send } from './pool-transaction.js';
import { createOf, linkOf, lookOf, rowOf, updateOf, withoutLinks } from './single-writes.js';

/** The settings of the transactions of an {@link sqlExecutor}. */
export interface SqlTransactions extends PartContext {
  readonly pool: PoolReads;
  readonly settings: TransactionSettings;
  /** The first queries of the transaction, in their order. Those that fit into one round trip are sent together. */
  readonly ahead: readonly Query[];
}

/**
 * Returns an executor that sends queries to PostgreSQL on connections of the pool. Each query is one statement, or the sequence of statements that
 * Prisma sends for it.
 *
 * @throws Declined for a query that SQL does not support; its transaction is rolled back
 */
export function sqlExecutor(made: SqlTransactions): Executor {
  const { pool, settings } = made;
  const transaction: Executor['transaction'] = (work) => {
    return pool.transact(async (send) => {
      const open = new OpenTransaction(made, send);
      const result = await work(open);
      open.requireAsked();
      return result;
    }, settings);
  };
  return { run: (query) => transaction((open) => open.run(query)), transaction };
}

/** The maximum number of queries that are sent together. */
const MOST_AHEAD = 16;

/**
 * Returns the statement that enforces the deadline between pipelined statements, because `statement_timeout` limits each of them alone. It divides by
 * zero after the deadline.
 */
function deadlineSteps({ timeout }: TransactionSettings): readonly Step[] {
  if (timeout === undefined) return [];
  return [
    {
      text: `SELECT 1 / (CASE WHEN clock_timestamp() < now() + interval '${timeout} ms' THEN 1 ELSE 0 END)`,
      values: [],
      command: 'SELECT',
    },
  ];
}

interface PendingQuery {
  readonly query: Query;
  readonly part: Part;
}

interface PipelinedResult {
  readonly part: Part;
  readonly answers: readonly StepAnswer[];
}

class OpenTransaction implements Executor {
  /** The queries of `made.ahead` that have not been sent yet. */
  #ahead: readonly Query[];
  /** The results of queries that were sent before the caller has run them. */
  readonly #sent = new Map<Query, PipelinedResult>();

  constructor(
    private readonly made: Omit<SqlTransactions, 'pool'>,
    private readonly send: Send,
  ) {
    this.#ahead = made.ahead;
  }

  run<One extends Query>(query: One): Promise<ResultOf<One>>;
  async run(query: Query): Promise<ResultOf<Query>> {
    const known = this.#sent.get(query);
    if (known) {
      this.#sent.delete(query);
      return this.#whole(known);
    }
    const [first, ...others] = this.#together(query);
    if (!first) return this.#inTurn(query);
    const inTime = deadlineSteps(this.made.settings);
    this.#count([first, ...others].reduce((sum, { part }) => sum + part.steps.length, 0));
    const steps = [first, ...others].flatMap(({ part }, index) => (index > 0 ? [...inTime, ...part.steps] : part.steps));
    const answers = [...(await this.send(steps))];
    const answered = ({ part }: PendingQuery): PipelinedResult => ({
      part,
      answers: answers.splice(0, part.steps.filter(({ rows }) => rows).length),
    });
    const own = answered(first);
    for (const one of others) this.#sent.set(one.query, answered(one));
    return this.#whole(own);
  }

  /** Locks a row by a separate statement. The database has executed all statements that were sent ahead by then. */
  readonly lock = async (row: UniqueCondition): Promise<void> => {
    const statement = lockRow(row, { provider: 'postgresql', schema: this.made.compiler.schema });
    if (!statement) return;
    const values = statement.values.map((value) => (typeof value === 'boolean' ? value : String(value)));
    this.#count(1);
    await this.send([{ text: statement.text, values, command: 'SELECT' }]);
  };

  #count(statements: number): void {
    const { tally } = this.made.settings;
    if (tally) tally.statements += statements;
  }

  /** Returns the result of a query. If its write returned only a key, reads the rest of the row by that key. */
  async #whole({ part, answers }: PipelinedResult): Promise<ResultOf<Query>> {
    const result = part.read(answers);
    const [key] = part.then ? rowsOf(result) : [];
    if (!part.then || !key) return result;
    return (await this.run(part.then(key))) ?? decline('a row that is not there');
  }

  /**
   * Rejects a transaction with queries that were sent ahead and never run.
   *
   * @throws TypeError if there is one, because the transaction must not be committed then
   */
  requireAsked(): void {
    if (this.#sent.size > 0) throw new TypeError('A query was sent ahead that nobody has asked for.');
  }

  /** Returns the query with the queries that follow it in one round trip. The list is empty if the query takes several round trips. */
  #together(query: Query): readonly PendingQuery[] {
    const isNext = this.#ahead[0] === query;
    const queries = isNext ? this.#ahead.slice(0, MOST_AHEAD) : [query];
    const together: PendingQuery[] = [];
    for (const one of queries) {
      const part = together.some((earlier) => earlier.query === one) ? undefined : compilePart(one, this.made);
      if (!part) break;
      together.push({ query: one, part });
      if (part.then) break;
    }
    if (isNext) this.#ahead = this.#ahead.slice(Math.max(1, together.length));
    return together;
  }

  async #inTurn(write: Query): Promise<ResultOf<Query>> {
    if (!isWrite(write)) return decline('a read of several statements');
    const looking = unchanged(write);
    if (looking) return this.#look(looking);
    if (write.kind === 'upsert' && !isNative(write)) return this.#upsert(write);
    const linking = separateLinks(write, this.made.isBound);
    if ('record' in write && write.kind !== 'update-many' && linking.length > 0) return this.#linkInTurn(write, linking);
    return decline('a write of its own');
  }

  /** Returns the rows of an update that changes nothing. */
  async #look(write: Update | UpdateMany): Promise<ResultOf<Write>> {
    const { model } = write;
    if (write.kind === 'update') {
      return (await this.run<FindUnique>(rowOf(write, write.where))) ?? decline('no such row');
    }
    const { where, selection } = write;
    if (selection) return this.run(findMany({ model, where, selection }));
    return { count: await this.run(countRows({ model, where })) };
  }

  /** Writes the row first, then its links, relation by relation. */
  async #linkInTurn(write: Create | Update, linking: readonly WrittenRelation[]): Promise<Row> {
    const where = sameRow(write.model, await this.run<Create | Update>(withoutLinks(write, linking)));
    for (const relation of linking) await this.run<Update>(linkOf(write, where, relation));
    return (await this.run<FindUnique>(rowOf(write, where))) ?? decline('a row that is not there');
  }

  /** Executes an upsert that PostgreSQL cannot do by `ON CONFLICT`. It reads the row first, as Prisma does. */
  async #upsert(write: Upsert): Promise<Row> {
    const found = await this.run<FindUnique>(lookOf(write));
    if (!found) return this.run<Create>(createOf(write));
    // Another transaction may have changed the row since it was read.
    return this.run<Update>(updateOf(write, { ...sameRow(write.model, found), more: write.where.more }));
  }
}
