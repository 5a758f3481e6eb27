import { type CallPlan, callsOf, type CollectionPlan, type DataCall } from '../executor/plan.js';
import type { Storage } from '../model/storage/storage.js';
import type { Read } from '../query/read.js';
import { isWrite, type Query } from '../query/query.js';
import { SecondChanceCache } from '../utils/second-chance-cache.js';
import { compileRead } from './compile-read.js';
import { Declined, decline } from './declined.js';
import { compileWrite } from './compile-write.js';
import { type Answering, type Printed, printPostgresql } from './dialects/postgresql.js';
import { printCheck, printWrite } from './dialects/postgresql-writes.js';
import type { FlatWrite } from './flat-write.js';
import { Layout } from './row-layout.js';
import type { Encode } from './parameter.js';
import type { SqlStatement } from './pipeline.js';
import { ResultReader } from './result-reader.js';
import { groupCounts, joinRows } from './rewrites/add-joins.js';
import { shareRows } from './rewrites/share-rows.js';
import { type IsComputed, Statement } from './scope.js';
import { QueryShape } from './query-shape.js';

/** The text of a statement, and where its values come from. */
interface StatementTemplate {
  readonly text: string;
  /** The slot of each placeholder, and the encoder of its value. */
  readonly slots: readonly (readonly [slot: number, encode: Encode])[];
}

/** The compiled statement of all queries with the same shape. */
interface CompiledStatement extends StatementTemplate {
  readonly reader: ResultReader;
  readonly pageAndTotal?: readonly StatementTemplate[];
  readonly before?: StatementTemplate;
}

/** A read or a write as one statement with its values. */
export interface CompiledQuery extends SqlStatement {
  readonly reader: ResultReader;
  /** Returns a page and its total as two statements, whose rows together are those of the one. Absent for other reads. */
  readonly pageAndTotal?: () => readonly SqlStatement[];
  /** The statement that runs before a write, in its transaction. It fails if the write must not be executed. */
  readonly before?: SqlStatement;
}

/** A read that Prisma must execute, and the reason. */
export interface DeclinedQuery {
  readonly query: Query;
  readonly reason: string;
}

/** A read of a plan, and the maximum number of its rows, which limits each of its lists, too. */
interface LimitedRead {
  readonly read: Read;
  readonly maxRows: number | undefined;
}

/**
 * The maximum number of characters of cached shapes and statements. Because `LIMIT` is part of the text, each page size that clients request has its
 * own statement.
 */
const MAX_CACHED_CHARACTERS = 4_000_000;

/** Compiles all calls of a plan to one statement. Statements are cached by the shape of their queries. */
export class PlanCompiler {
  /** Compiled statements by query shape. A text is the reason why Prisma executes queries of that shape. */
  readonly #shapes = new SecondChanceCache<string, CompiledStatement | string>(
    MAX_CACHED_CHARACTERS,
    (key, compiled) => key.length + (typeof compiled === 'string' ? 0 : lengthOf(compiled)),
  );

  constructor(
    private readonly storage: Storage,
    /** The schema of the tables without `@@schema`. */
    readonly schema: string,
    private readonly isComputed: IsComputed = () => false,
  ) {}

  compile(plan: CallPlan | CollectionPlan): CompiledQuery | DeclinedQuery {
    const calls = callsOf(plan);
    let [declined] = calls;
    try {
      const reads: LimitedRead[] = [];
      for (const call of calls) {
        declined = call;
        reads.push(this.#limited(call));
      }
      [declined] = calls;
      return this.#compile(reads);
    } catch (error) {
      if (error instanceof Declined && declined) return { query: declined.query, reason: error.message };
      throw error;
    }
  }

  /**
   * Compiles a write.
   *
   * @param bytes the maximum number of bytes of the returned values; undefined without a limit
   * @throws Declined for a write that SQL does not support
   */
  compileWrite(write: FlatWrite, bytes: number | undefined): CompiledQuery {
    const queryShape = new QueryShape().write(write, `${write.maxRows ?? ''}/${bytes ?? ''}/${write.look ? 'look' : ''}`);
    return this.#filled(queryShape, () => this.#shapeOfWrite(write, bytes, queryShape));
  }

  #limited(call: DataCall): LimitedRead {
    const { query, expect, before } = call;
    if (before || (expect && expect.kind !== 'at-most')) return decline('a check of a write');
    if (isWrite(query)) return decline('a write');
    return { read: query, maxRows: expect?.rows };
  }

  #compile(reads: readonly LimitedRead[]): CompiledQuery {
    const queryShape = new QueryShape();
    for (const { read, maxRows } of reads) queryShape.read(read, `${maxRows ?? ''}`);
    return this.#filled(queryShape, () => this.#shapeOf(reads, queryShape));
  }

  /** Returns the cached statement of a shape, compiled at its first use, with the values of this query. */
  #filled(queryShape: QueryShape, make: () => CompiledStatement): CompiledQuery {
    const compiled = this.#shapes.get(queryShape.text) ?? this.#make(queryShape, make);
    if (typeof compiled === 'string') return decline(compiled);
    const { reader, pageAndTotal, before } = compiled;
    const fill = ({ text, slots }: StatementTemplate): SqlStatement => ({
      text,
      values: slots.map(([slot, encode]) => encode(queryShape.values[slot])),
    });
    return {
      reader,
      ...fill(compiled),
      ...(pageAndTotal && { pageAndTotal: () => pageAndTotal.map(fill) }),
      ...(before && { before: fill(before) }),
    };
  }

  #make(queryShape: QueryShape, make: () => CompiledStatement): CompiledStatement {
    try {
      const compiled = make();
      this.#shapes.set(queryShape.text, compiled);
      return compiled;
    } catch (error) {
      if (error instanceof Declined) this.#shapes.set(queryShape.text, error.message);
      throw error;
    }
  }

  #shapeOf(reads: readonly LimitedRead[], queryShape: QueryShape): CompiledStatement {
    const statement = new Statement(this.storage, queryShape.slots, this.isComputed);
    const layout = new Layout();
    const answer = ({ read, maxRows }: LimitedRead): Answering => {
      const compiled = compileRead(statement, read, maxRows);
      if (compiled.kind === 'count') return { kind: 'count', tag: layout.nextTag(), count: compiled.count };
      return layout.rows(joinRows(shareRows(groupCounts(compiled.rows))));
    };
    // Aliases and tags are numbered in the order of compilation. The total comes first, so that its text is the same beside every page.
    const answers = reads.toReversed().map(answer).toReversed();
    const print = (printed: readonly Answering[]): StatementTemplate => templateOf(printPostgresql(printed, this.schema), statement);
    const pageAndTotal = answers.length > 1 && { pageAndTotal: answers.map((answer) => print([answer])) };
    return { ...print(answers), reader: new ResultReader(reads, answers), ...pageAndTotal };
  }

  #shapeOfWrite(flat: FlatWrite, bytes: number | undefined, queryShape: QueryShape): CompiledStatement {
    const statement = new Statement(this.storage, queryShape.slots, this.isComputed);
    const { write, rows, seen } = compileWrite(statement, flat, bytes);
    const laid = rows && new Layout().rows(rows);
    const reader = new ResultReader([{ read: flat.query }], laid ? [laid] : []);
    const before = seen.length > 0 && { before: templateOf(printCheck(seen, this.schema), statement) };
    return { ...templateOf(printWrite(write, laid, this.schema), statement), reader, ...before };
  }
}

function lengthOf({ text, pageAndTotal = [], before }: CompiledStatement): number {
  return pageAndTotal.reduce((sum, one) => sum + one.text.length, text.length + (before?.text.length ?? 0));
}

function templateOf({ text, slots }: Printed, { encoders }: Statement): StatementTemplate {
  return { text, slots: slots.map((slot) => [slot, encoders[slot] ?? decline('a value without a form')]) };
}
