import type { DataClient } from '../data-client/data-client.js';
import type { Storage } from '../model/storage/storage.js';
import { PlanCompiler } from './compile-plan.js';
import type { PoolReads } from './pool-reads.js';

/** A read that Prisma answers, and why. */
export interface DeclinedSqlRead {
  /** Prisma's model name. */
  readonly model: string;
  /** The operation of its delegate, e.g. `findMany`. */
  readonly operation: string;
  readonly reason: string;
}

/** Where reads are made in SQL. */
export interface SqlReadsSetup {
  /** Without it they go through Prisma's client. */
  readonly pool: PoolReads | undefined;
  /** Of the tables that have no `@@schema`. */
  readonly schema: string;
  readonly onDecline: (read: DeclinedSqlRead) => void;
}

/** How the reads of a client are made in SQL. */
export class SqlReads {
  #compilers = new WeakMap<Storage, PlanCompiler>();

  constructor(
    readonly setup: SqlReadsSetup,
    /** Of the transaction that each read is put into. */
    readonly binding?: Binding,
  ) {}

  boundTo(binding: Binding): SqlReads {
    const bound = new SqlReads(this.setup, binding);
    bound.#compilers = this.#compilers;
    return bound;
  }

  compilerOf(storage: Storage): PlanCompiler {
    let compiler = this.#compilers.get(storage);
    if (!compiler) {
      compiler = new PlanCompiler(storage, this.setup.schema);
      this.#compilers.set(storage, compiler);
    }
    return compiler;
  }
}

/** The statement that a transaction is bound by to a caller, and that limits its time in milliseconds. */
export type Binding = (timeout: number | undefined) => { readonly sql: string; readonly values: readonly string[] };

const BOUND = new WeakMap<DataClient, SqlReads>();

/** Has the reads of a client that is bound to a caller made in SQL, under the same binding, where those of the client it is made from are. */
export function bindSqlReads(client: DataClient, bound: DataClient, binding: Binding): void {
  const reads = sqlReadsOf(client);
  // Bound twice, it is bound to both: Prisma's hooks see to that.
  if (reads && !reads.binding) BOUND.set(bound, reads.boundTo(binding));
}

/** Under which a client carries its {@link CarriedReads}: the same in both copies of this package that a process may hold. */
export const SQL_READS: unique symbol = Symbol.for('nestjs-resource-api: SQL reads');

export interface CarriedReads {
  /** The one that `withSqlReads` returned: whatever is put around it, reads through Prisma. */
  readonly client: DataClient;
  readonly reads: SqlReads;
}

/** The reads of a client from `withSqlReads`; undefined for every other, one that is built around it too. */
export function sqlReadsOf(client: DataClient): SqlReads | undefined {
  const bound = BOUND.get(client);
  if (bound) return bound;
  // A double of a client may have a member of every name.
  const carried = Reflect.get(client, SQL_READS) as Partial<CarriedReads> | undefined;
  return carried?.client === client ? carried.reads : undefined;
}
