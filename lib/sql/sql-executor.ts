import type { Executor } from '../data-client/executor.js';
import { runApart } from '../data-client/run-apart.js';
import { selectFields } from '../query/fields.js';
import { rowKey, sameRow } from '../query/key.js';
import { isWrite, type Query } from '../query/query.js';
import { countRows, findMany, type FindUnique, type Read } from '../query/read.js';
import type { ResultOf, Row } from '../query/result.js';
import { type Create, isAnswered, type Update, type UpdateMany, type Upsert, type Write, type WrittenRelation } from '../query/write.js';
import { decline } from './declined.js';
import { flatQuery, isFlat, isNative, linkedInTurn, requireUsual, unchanged } from './flat-write.js';
import type { Step } from './pipeline.js';
import { rowsOf, type PoolReads, type TransactionSettings } from './pool-reads.js';
import type { Send } from './pool-transaction.js';
import { compileOne, type Compiling, createOf, linkOf, updateOf, withoutLinks } from './write-parts.js';
import { writeSteps, writtenBy } from './write-steps.js';

/** What the transactions of a client are made with. */
export interface SqlTransactions extends Compiling {
  readonly pool: PoolReads;
  readonly settings: TransactionSettings;
  /** The most bytes of the rows of a query. */
  readonly maxBytes: number;
}

/**
 * Asks PostgreSQL on connections of the pool: each query is one statement, or what Prisma itself does one after the other.
 *
 * @throws Declined for what Prisma does in another way; its transaction is rolled back with it
 */
export function sqlExecutor(made: SqlTransactions): Executor {
  const { pool, settings } = made;
  const transaction: Executor['transaction'] = (work) => pool.transact((send) => work(new OpenTransaction(made, send)), settings);
  return { run: (query) => transaction((open) => open.run(query)), transaction };
}

class OpenTransaction implements Executor {
  constructor(
    private readonly made: Omit<SqlTransactions, 'pool' | 'settings'>,
    private readonly send: Send,
  ) {}

  run<Asked extends Query>(query: Asked): Promise<ResultOf<Asked>>;
  run(query: Query): Promise<ResultOf<Query>> {
    return isWrite(query) ? this.#write(query) : this.#read(query);
  }

  async #read(read: Read): Promise<ResultOf<Query>> {
    const { maxBytes } = this.made;
    const { text, values, reader } = compileOne(read, this.made);
    const convert = ([row]: readonly unknown[]): readonly unknown[] => reader.parse(String(row));
    const rows = await this.#ask({ text, values, command: 'SELECT', rows: { maxBytes, convert } });
    const [result = null] = reader.read(rows as readonly (readonly unknown[])[]);
    return result;
  }

  async #write(write: Write): Promise<ResultOf<Write>> {
    const { isBound } = this.made;
    requireUsual(write);
    const looking = unchanged(write);
    if (looking) return this.#look(looking);
    if (write.kind === 'upsert' && !isNative(write)) return this.#upsert(write);
    const linking = linkedInTurn(write, isBound);
    if ('record' in write && write.kind !== 'update-many' && linking.length > 0) return this.#linkInTurn(write, linking);
    if (isFlat(write, isBound)) return this.#writeFlat(write);
    return isAnswered(write) ? runApart(this, write, (open, read) => open.run(read)) : decline('a write of its own');
  }

  async #writeFlat(write: Write): Promise<ResultOf<Write>> {
    const { compiler, isBound } = this.made;
    const flat = flatQuery(write, isBound);
    const compiled = compiler.compileWrite(flat, undefined);
    return writtenBy(write, compiled, await this.#ask(...writeSteps(compiled, flat)));
  }

  /** The rows of a change of nothing. */
  async #look(write: Update | UpdateMany): Promise<ResultOf<Write>> {
    const { model } = write;
    if (write.kind === 'update') {
      const { where, selection } = write;
      const row = await this.run<FindUnique>({ kind: 'find-unique', model, where, selection, isRequired: false });
      return row ?? decline('no such row');
    }
    const { where, selection } = write;
    if (selection) return this.run(findMany({ model, where, selection }));
    return { count: await this.run(countRows({ model, where })) };
  }

  /** The row first, and then what it is linked with, relation by relation. */
  async #linkInTurn(write: Create | Update, linking: readonly WrittenRelation[]): Promise<Row> {
    const { model, selection } = write;
    const where = sameRow(model, await this.run<Create | Update>(withoutLinks(write, linking)));
    for (const relation of linking) await this.run<Update>(linkOf(write, where, relation));
    const told = await this.run<FindUnique>({ kind: 'find-unique', model, where, selection, isRequired: false });
    return told ?? decline('a row that is not there');
  }

  /** As Prisma does what the database alone cannot: it looks for the row first. */
  async #upsert(write: Upsert): Promise<Row> {
    const { model, where } = write;
    const key = selectFields(model, rowKey(model).fields);
    const found = await this.run<FindUnique>({ kind: 'find-unique', model, where, selection: key, isRequired: false });
    return found ? this.run<Update>(updateOf(write, sameRow(model, found))) : this.run<Create>(createOf(write));
  }

  async #ask(...steps: readonly Step[]): Promise<readonly unknown[]> {
    const [answer] = await this.send(steps);
    return rowsOf(answer);
  }
}
