import type { DataClient } from '../executor/data-client.js';
import { isOpenTransaction } from '../executor/transactions.js';
import { memberOf } from '../errors/member-of.js';
import type { Storage } from '../model/storage/storage.js';
import { isObject } from '../utils/is-object.js';
import { onceEach } from '../utils/once.js';
import { PlanCompiler } from './plan-compiler.js';
import type { PoolReads } from './pool-reads.js';
import type { IsComputed } from './scope.js';

/** A read that Prisma answers, and why. */
export interface DeclinedSqlRead {
  /** Prisma's model name. */
  readonly model: string;
  /** The operation of its delegate, e.g. `findMany`. */
  readonly operation: string;
  readonly reason: string;
}

/** Where SQL reads run. */
export interface SqlReadsSetup {
  /** Without a pool, reads go through Prisma's client. */
  readonly pool: PoolReads | undefined;
  /** The schema of tables without `@@schema`. */
  readonly schema: string;
  readonly onDecline: (read: DeclinedSqlRead) => void;
  /** Whether writes of one table are SQL, too. */
  readonly writes: boolean;
  /** Whether an extension of the client computes a field of a model. */
  readonly isComputed: IsComputed;
}

/** How the SQL reads of a client run. */
export class SqlReads {
  #compilers = new WeakMap<Storage, PlanCompiler>();

  constructor(
    readonly setup: SqlReadsSetup,
    /** The options of the transaction of each read. */
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
      compiler = new PlanCompiler(storage, this.setup.schema, this.setup.isComputed);
      this.#compilers.set(storage, compiler);
    }
    return compiler;
  }
}

/** Returns the statement that binds a transaction to a caller and limits its time, in milliseconds. */
export type Binding = (timeout: number | undefined) => { readonly sql: string; readonly values: readonly string[] };

const BOUND = new WeakMap<DataClient, SqlReads>();

/** Gives a client that is bound to a caller SQL reads with the same binding, if the client that it is made from has SQL reads. */
export function bindSqlReads(client: DataClient, bound: DataClient, binding: Binding): void {
  const reads = sqlReadsOf(client);
  // A client that is bound twice reads through Prisma, whose hooks apply both bindings.
  if (reads && !reads.binding) BOUND.set(bound, reads.boundTo(binding));
}

/** Under which a client carries its {@link CarriedReads}: the same in both copies of this package that a process may hold. */
export const SQL_READS: unique symbol = Symbol.for('nestjs-resource-api: SQL reads');

export interface CarriedReads {
  /** The client that `withSqlReads` returned. An extension or Proxy of it reads through Prisma. */
  readonly client: DataClient;
  readonly reads: SqlReads;
}

/** The SQL reads of a client from `withSqlReads`; undefined for any other client, also for an extension of it. */
export function sqlReadsOf(client: DataClient): SqlReads | undefined {
  const bound = BOUND.get(client);
  if (bound) return bound;
  // A fake client in a test may have a member of every name.
  const carried = Reflect.get(client, SQL_READS) as Partial<CarriedReads> | undefined;
  return carried?.client === client ? carried.reads : undefined;
}

/**
 * Returns the SQL reads of the client that a client was made of by `$extends`, a second binding or a Proxy: it reads through Prisma. Undefined for any
 * other client.
 */
export const lostSqlReadsOf: (client: DataClient) => SqlReads | undefined = onceEach((client: DataClient) => {
  let at: unknown = client;
  for (let depth = 0; depth < MOST_EXTENSIONS && isObject(at) && !isOpenTransaction(at); depth++) {
    const reads = BOUND.get(at) ?? memberOf(Reflect.get(at, SQL_READS), 'reads');
    // A fake client in a test may have a member of every name.
    if (reads instanceof SqlReads) return reads;
    at = at['$parent'];
  }
  return undefined;
});

/** Prisma names no client that has no parent: it is its own. */
const MOST_EXTENSIONS = 32;
