import type { DataClient } from '../executor/data-client.js';
import { isOpenTransaction } from '../executor/transactions.js';
import { memberOf } from '../errors/member-of.js';
import type { Storage } from '../model/storage/storage.js';
import { isObject } from '../utils/is-object.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';
import { PlanCompiler } from './plan-compiler.js';
import type { PoolReads } from './pool-reads.js';
import type { IsComputed } from './scope.js';

/** A read or a write that Prisma executes instead of SQL, and the reason. */
export interface DeclinedSqlRead {
  /** Prisma's model name. */
  readonly model: string;
  /** The method of the model's delegate, e.g. `findMany`. */
  readonly operation: string;
  readonly reason: string;
}

/** The function that has turned SQL on, which messages name. */
export type SqlMaker = 'withSql' | 'withSqlReads';

/** The settings of `withSql` or `withSqlReads` for a client. */
export interface ClientSqlSetup {
  readonly maker: SqlMaker;
  /** The pool that reads run on. Without it, reads go through Prisma's client. */
  readonly pool: PoolReads | undefined;
  /** The schema of the tables without `@@schema`. */
  readonly schema: string;
  readonly onDecline: (read: DeclinedSqlRead) => void;
  /** Whether writes are executed as SQL, too. */
  readonly writes: boolean;
  /** Whether an extension of the client computes a field of a model. */
  readonly isComputed: IsComputed;
}

/** Executes the queries of one data client as SQL: its settings, and the compiled statements. */
export class ClientSql {
  #compilers = new WeakMap<Storage, PlanCompiler>();

  constructor(
    readonly setup: ClientSqlSetup,
    /** Makes the statement that binds each transaction to a caller; absent for an unbound client. */
    readonly binding?: Binding,
  ) {}

  boundTo(binding: Binding): ClientSql {
    const bound = new ClientSql(this.setup, binding);
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

const BOUND = new WeakMap<DataClient, ClientSql>();

/** Binds the SQL of a client to the same caller as the bound client, if the client has SQL. */
export function bindSql(client: DataClient, bound: DataClient, binding: Binding): void {
  const sql = sqlOf(client);
  // A client that is bound twice reads through Prisma, because Prisma's hooks apply both bindings.
  if (sql && !sql.binding) BOUND.set(bound, sql.boundTo(binding));
}

/** The key of the {@link CarriedSql} of a client. It is the same in both copies of this package that a process may load. */
export const CARRIED_SQL: unique symbol = Symbol.for('nestjs-resource-api: SQL');

export interface CarriedSql {
  /** The client that `withSql` or `withSqlReads` returned. An extension or Proxy of it reads through Prisma. */
  readonly client: DataClient;
  readonly sql: ClientSql;
}

/** Returns the SQL of a client from `withSql` or `withSqlReads`; undefined for any other client, including an extension of it. */
export function sqlOf(client: DataClient): ClientSql | undefined {
  const bound = BOUND.get(client);
  if (bound) return bound;
  // A fake client in a test may have a member of every name.
  const { [CARRIED_SQL]: carried }: { readonly [CARRIED_SQL]?: Partial<CarriedSql> } = client;
  return carried?.client === client ? carried.sql : undefined;
}

/**
 * Returns the SQL that a client has lost by `$extends`, a second binding or a Proxy, so that it reads through Prisma. Undefined for any other
 * client.
 */
export const lostSqlOf: (client: DataClient) => ClientSql | undefined = memoizeByObject((client: DataClient) => {
  let at: unknown = client;
  for (let depth = 0; depth < MOST_EXTENSIONS && isObject(at) && !isOpenTransaction(at); depth++) {
    const sql = BOUND.get(at) ?? memberOf(Reflect.get(at, CARRIED_SQL), 'sql');
    // A fake client in a test may have a member of every name.
    if (sql instanceof ClientSql) return sql;
    at = at['$parent'];
  }
  return undefined;
});

/** The maximum depth of the search. A client without a parent is its own `$parent`. */
const MOST_EXTENSIONS = 32;
