import { limitRelated } from '../cost/limit-related.js';
import { upTo } from '../cost/up-to.js';
import type { AtMost } from '../data-client/plan.js';
import { cutList } from './arguments/cut-list.js';
import { isOrdered } from './arguments/is-ordered.js';
import type { ArgumentPath } from './arguments/argument-path.js';
import type { RpcCall } from './parse-rpc-call.js';
import type { RpcOperation } from './rpc-operations.js';

type Arguments = Readonly<Record<string, unknown>>;

interface LimitedCall {
  readonly args: Arguments;
  readonly expect?: AtMost;
}

/**
 * Keeps the result of a call within `limits.maxTake` (public API, section 4): nothing is cut, so that one row more is asked for, and the
 * call refused if it comes. The rows of a result are counted, and all related rows in it together.
 */
export function limitRows({ resource, operation, args }: RpcCall, path: ArgumentPath): LimitedCall {
  const ceiling = CEILINGS.get(operation.name);
  const isOpen = ceiling !== undefined && args[ceiling.limit] === undefined;
  const limited = isOpen ? ceiling.cut(args, path.maxTake) : args;
  const detail = `${path.text} found more rows than limits.maxTake allows: ${path.maxTake}. Ask for fewer with ${ceiling?.limit ?? 'take'}.`;
  const problem = { code: 'limit-exceeded', detail } as const;
  const call = { resource, operation: operation.name, args: limited, rows: path.maxTake, problem, storage: path.storage };
  const expect = limitRelated(call, isOpen || (path.isBatch && mayAddUp(operation, args)));
  return { args: limited, ...(expect && { expect }) };
}

/** Whether the rows of the operation may be too many together with those of others. */
function mayAddUp({ result }: RpcOperation, args: Arguments): boolean {
  return result === 'rows' || args['select'] !== undefined || args['include'] !== undefined;
}

/** An operation that returns as many rows as there are, unless its argument `limit` says how many. */
interface Ceiling {
  readonly limit: 'take' | 'limit';
  readonly cut: (args: Arguments, maxTake: number) => Arguments;
}

const CEILINGS: ReadonlyMap<string, Ceiling> = new Map<string, Ceiling>([
  ['findMany', { limit: 'take', cut: cutList }],
  ['groupBy', { limit: 'take', cut: cutGroups }],
  // Not cut: Prisma puts a limit into a subquery, whose conditions are not looked at again once another transaction has changed a row.
  ['updateManyAndReturn', { limit: 'limit', cut: (args) => args }],
]);

/** Prisma limits groups in an order only: that of their fields, unless the client says another. */
function cutGroups(args: Arguments, maxTake: number): Arguments {
  const limit = upTo(maxTake);
  if (limit.take === undefined) return args;
  if (isOrdered(args['orderBy'])) return { ...args, ...limit };
  const orderBy = [args['by']].flat().map((name) => ({ [String(name)]: 'asc' }));
  return { ...args, orderBy, ...limit };
}
