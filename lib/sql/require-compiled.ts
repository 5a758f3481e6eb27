import type { AtMost } from '../executor/plan.js';
import { isWrite, type Query } from '../query/query.js';
import { findMany, type Read } from '../query/read.js';
import { returnsResult } from '../query/write.js';
import { decline } from './declined.js';
import { flatQuery, isFlat, requireSupportedArguments, unchanged } from './flat-write.js';
import type { CompiledQuery, PlanCompiler } from './plan-compiler.js';
import { bareOf, singleWritesOf } from './single-writes.js';

/** The compiler of queries and its limits. */
export interface Compiling {
  readonly compiler: PlanCompiler;
  /** Whether the client is bound to a caller. */
  readonly isBound: boolean;
  /** The maximum number of rows of a read, and of each list. One more row is loaded, to detect that there are too many. Undefined without a limit. */
  readonly limit: AtMost | undefined;
}

/**
 * Compiles one read.
 *
 * @throws Declined if Prisma must execute it
 */
export function compileOne(read: Read, { compiler, limit }: Omit<Compiling, 'isBound'>): CompiledQuery {
  const compiled = compiler.compile({ kind: 'call', call: { query: read, ...(limit && { expect: limit }) } });
  return 'reason' in compiled ? decline(compiled.reason) : compiled;
}

/**
 * Requires that a transaction can execute a query, before the transaction begins. Links of a row that does not exist yet are checked later.
 *
 * @throws Declined
 */
export function requireCompiled(query: Query, made: Compiling): void {
  requireReturnable(query, made);
  if (!isWrite(query) || unchanged(query)) return;
  requireSupportedArguments(query);
  const writes = singleWritesOf(query, made.isBound);
  for (const one of writes) requireCompiled(one, made);
  if (writes.length > 0) return;
  const written = returnsResult(query) && !isFlat(query, made.isBound) ? bareOf(query) : query;
  made.compiler.compileWrite(flatQuery(written, made.isBound), undefined);
}

/**
 * Requires that the rows which a query returns can be read.
 *
 * @throws Declined
 */
export function requireReturnable(query: Query, made: Compiling): void {
  if (!isWrite(query)) compileOne(query, made);
  else if (returnsResult(query)) compileOne(findMany({ model: query.model, selection: query.selection }), made);
}
