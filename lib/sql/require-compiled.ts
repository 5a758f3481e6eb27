import type { AtMost } from '../executor/plan.js';
import { isWrite, type Query } from '../query/query.js';
import { findMany, type Read } from '../query/read.js';
import { isAnswered } from '../query/write.js';
import { decline } from './declined.js';
import { flatQuery, isFlat, requireUsual, unchanged } from './flat-write.js';
import type { CompiledRead, PlanCompiler } from './plan-compiler.js';
import { bareOf, singleWritesOf } from './single-writes.js';

/** What queries are compiled with. */
export interface Compiling {
  readonly compiler: PlanCompiler;
  /** Whether the client is bound to a caller. */
  readonly isBound: boolean;
  /** The most rows that a read may find, and again in its lists: at most one more is loaded. Undefined without a limit. */
  readonly most: AtMost | undefined;
}

/** @throws Declined for what Prisma answers */
export function compileOne(read: Read, { compiler, most }: Omit<Compiling, 'isBound'>): CompiledRead {
  const compiled = compiler.compile({ kind: 'call', call: { query: read, ...(most && { expect: most }) } });
  return 'reason' in compiled ? decline(compiled.reason) : compiled;
}

/**
 * Requires that a query is one, or several, that a transaction takes, before it is begun. Links of a row that is yet to be created are not looked at.
 *
 * @throws Declined
 */
export function requireCompiled(query: Query, made: Compiling): void {
  requireReadable(query, made);
  if (!isWrite(query) || unchanged(query)) return;
  requireUsual(query);
  const writes = singleWritesOf(query, made.isBound);
  for (const one of writes) requireCompiled(one, made);
  if (writes.length > 0) return;
  const written = isAnswered(query) && !isFlat(query, made.isBound) ? bareOf(query) : query;
  made.compiler.compileWrite(flatQuery(written, made.isBound), undefined);
}

/**
 * Requires that what a query reads can be read.
 *
 * @throws Declined
 */
export function requireReadable(query: Query, made: Compiling): void {
  if (!isWrite(query)) compileOne(query, made);
  else if (isAnswered(query)) compileOne(findMany({ model: query.model, selection: query.selection }), made);
}
