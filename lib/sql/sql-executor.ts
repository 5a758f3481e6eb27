import type { Executor } from '../executor/executor.js';
import { lockRow } from '../executor/lock-row.js';
import type { UniqueCondition } from '../query/condition.js';
import { sameRow } from '../query/key.js';
import { isWrite, type Query } from '../query/query.js';
import { countRows, findMany, type FindUnique } from '../query/read.js';
import { type ResultOf, type Row, rowsOf } from '../query/result.js';
import type { Create, Update, UpdateMany, Upsert, Write, WrittenRelation } from '../query/write.js';
import { decline } from './declined.js';
import { isNative, linkedInTurn, unchanged } from './flat-write.js';
import { type Part, type PartContext, partOf } from './part-of.js';
import type { Step, StepAnswer } from './pipeline.js';
import type { PoolReads, TransactionSettings } from './pool-reads.js';
import type { Send } from './pool-transaction.js';
import { createOf, linkOf, lookOf, rowOf, updateOf, withoutLinks } from './single-writes.js';

/** What the transactions of a client are made with. */
export interface SqlTransactions extends PartContext {
  readonly pool: PoolReads;
  readonly settings: TransactionSettings;
  /** What will be asked first, in this order: as much of it as one round trip takes is sent together. */
  readonly ahead: readonly Query[];
}

/**
 * Asks PostgreSQL on connections of the pool: each query is one statement, or what Prisma itself does one after the other.
 *
 * @throws Declined for what Prisma does in another way; its transaction is rolled back with it
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

/** How many queries travel together. */
const MOST_AHEAD = 16;

/** Between statements that travel together: nobody else ends them once the time of all of them is over. */
function timeSteps({ timeout }: TransactionSettings): readonly Step[] {
  if (timeout === undefined) return [];
  return [
    {
      text: `SELECT 1 / (CASE WHEN clock_timestamp() < now() + interval '${timeout} ms' THEN 1 ELSE 0 END)`,
      values: [],
      command: 'SELECT',
    },
  ];
}

interface Asked {
  readonly query: Query;
  readonly part: Part;
}

interface Answered {
  readonly part: Part;
  readonly answers: readonly StepAnswer[];
}

class OpenTransaction implements Executor {
  /** What will be asked, and has not been. */
  #ahead: readonly Query[];
  /** The answers to what was sent before it is asked. */
  readonly #sent = new Map<Query, Answered>();

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
    const inTime = timeSteps(this.made.settings);
    const steps = [first, ...others].flatMap(({ part }, index) => (index > 0 ? [...inTime, ...part.steps] : part.steps));
    const answers = [...(await this.send(steps))];
    const answered = ({ part }: Asked): Answered => ({ part, answers: answers.splice(0, part.steps.filter(({ rows }) => rows).length) });
    const own = answered(first);
    for (const one of others) this.#sent.set(one.query, answered(one));
    return this.#whole(own);
  }

  /** Locks a row by a statement of its own. What was sent ahead has been executed by then. */
  readonly lock = async (row: UniqueCondition): Promise<void> => {
    const statement = lockRow(row, { provider: 'postgresql', schema: this.made.compiler.schema });
    if (!statement) return;
    const values = statement.values.map((value) => (typeof value === 'boolean' ? value : String(value)));
    await this.send([{ text: statement.text, values, command: 'SELECT' }]);
  };

  /** A row that is written is read by its key, where more of it is asked for. */
  async #whole({ part, answers }: Answered): Promise<ResultOf<Query>> {
    const result = part.read(answers);
    const [key] = part.then ? rowsOf(result) : [];
    if (!part.then || !key) return result;
    return (await this.run(part.then(key))) ?? decline('a row that is not there');
  }

  /** @throws TypeError if something was sent that nobody has asked for: it must not be committed */
  requireAsked(): void {
    if (this.#sent.size > 0) throw new TypeError('A query was sent ahead that nobody has asked for.');
  }

  /** The query, and what comes after it; nothing where it takes several turns. */
  #together(query: Query): readonly Asked[] {
    const isNext = this.#ahead[0] === query;
    const queries = isNext ? this.#ahead.slice(0, MOST_AHEAD) : [query];
    const together: Asked[] = [];
    for (const one of queries) {
      const part = together.some((earlier) => earlier.query === one) ? undefined : partOf(one, this.made);
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
    const linking = linkedInTurn(write, this.made.isBound);
    if ('record' in write && write.kind !== 'update-many' && linking.length > 0) return this.#linkInTurn(write, linking);
    return decline('a write of its own');
  }

  /** The rows of a change of nothing. */
  async #look(write: Update | UpdateMany): Promise<ResultOf<Write>> {
    const { model } = write;
    if (write.kind === 'update') {
      return (await this.run<FindUnique>(rowOf(write, write.where))) ?? decline('no such row');
    }
    const { where, selection } = write;
    if (selection) return this.run(findMany({ model, where, selection }));
    return { count: await this.run(countRows({ model, where })) };
  }

  /** The row first, and then what it is linked with, relation by relation. */
  async #linkInTurn(write: Create | Update, linking: readonly WrittenRelation[]): Promise<Row> {
    const where = sameRow(write.model, await this.run<Create | Update>(withoutLinks(write, linking)));
    for (const relation of linking) await this.run<Update>(linkOf(write, where, relation));
    return (await this.run<FindUnique>(rowOf(write, where))) ?? decline('a row that is not there');
  }

  /** As Prisma does what the database alone cannot: it looks for the row first. */
  async #upsert(write: Upsert): Promise<Row> {
    const found = await this.run<FindUnique>(lookOf(write));
    if (!found) return this.run<Create>(createOf(write));
    // Another transaction may have changed the row since the look-up.
    return this.run<Update>(updateOf(write, { ...sameRow(write.model, found), more: write.where.more }));
  }
}
