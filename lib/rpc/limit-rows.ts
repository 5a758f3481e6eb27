import { type AtMost, type RelatedRows } from '../data-client/plan.js';
import { type Resource } from '../model/resource-model.js';
import { cutList } from './arguments/cut-list.js';
import { type Spot } from './arguments/spot.js';
import { type RpcCall } from './parse-rpc-call.js';

type Arguments = Readonly<Record<string, unknown>>;

interface LimitedCall {
  readonly args: Arguments;
  readonly expect?: AtMost;
}

/**
 * Keeps the result of a call within `limits.maxTake` (public API, section 4): nothing is cut, so that one row more is asked for, and the
 * call refused if it comes. The rows of a result are counted, and those of all its lists of related rows together.
 */
export function limitRows({ resource, operation, args }: RpcCall, spot: Spot): LimitedCall {
  const ceiling = CEILINGS.get(operation.name);
  const isOpen = ceiling !== undefined && args[ceiling.limit] === undefined;
  const lists = listsOf(resource, args);
  if (!Number.isSafeInteger(spot.maxTake) || !(isOpen || lists)) return { args };
  const limit = ceiling?.limit ?? 'take';
  const detail = `${spot.path} found more rows than limits.maxTake allows: ${spot.maxTake}. Ask for fewer with ${limit}.`;
  const expect: AtMost = { kind: 'at-most', rows: spot.maxTake, ...(lists && { lists }), problem: { code: 'limit-exceeded', detail } };
  return { args: isOpen ? ceiling.cut(args, spot.maxTake) : args, expect };
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

/** Prisma limits groups in an order only: that of their fields, unless the client says another. Where `skip` lacks one, it is refused for it. */
function cutGroups(args: Arguments, maxTake: number): Arguments {
  if (isOrdered(args['orderBy'])) return { ...args, take: maxTake + 1 };
  if (args['skip'] !== undefined) return args;
  const orderBy = [args['by']].flat().map((name) => ({ [String(name)]: 'asc' }));
  return { ...args, orderBy, take: maxTake + 1 };
}

function isOrdered(orderBy: unknown): boolean {
  return [orderBy].flat().some((term) => Object.keys(term ?? {}).length > 0);
}

/** The selected relations that are lists or lead to some; undefined where there are none. */
function listsOf(resource: Resource, args: Arguments): RelatedRows | undefined {
  const selected = Object.entries(args['select'] ?? args['include'] ?? {});
  const lists = selected.flatMap(([name, value]: [string, unknown]) => {
    const field = resource.fields.get(name);
    if (field?.kind !== 'relationship' || value === false) return [];
    const inner = value === true ? undefined : listsOf(field.target, value as Arguments);
    return inner || field.many ? [[name, inner ?? {}] as const] : [];
  });
  return lists.length > 0 ? Object.fromEntries(lists) : undefined;
}
