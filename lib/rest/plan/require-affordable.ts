import { type CallCost, findExcess } from '../../limits/cost.js';
import { limitRelated } from '../../limits/limit-related.js';
import type { DataCall } from '../../executor/plan.js';
import { ApiError, type ProblemSource } from '../../errors/api-error.js';
import type { Limits } from '../../model/limits.js';
import type { Query } from '../../query/query.js';
import { QUERY_FAMILIES } from '../parse/query-families.js';
import type { QueryParameter } from '../parse/resource-query.js';

/**
 * Rejects a request that costs more than it may.
 *
 * @param costs the costs of its parts
 * @param parameters its query parameters, for the error
 * @throws ApiError `limit-exceeded`, at the parameter or the part of the body that takes the largest share
 */
export function requireAffordable(costs: readonly CallCost[], limits: Limits, parameters: readonly QueryParameter[] = []): void {
  const excess = findExcess(costs, limits, nameParameter);
  if (!excess) return;
  const source = sourceOf(excess.argument, parameters);
  throw new ApiError('limit-exceeded', excess.detail, { ...(source && { source }) });
}

/** The names of the data client's arguments in a request. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...[...QUERY_FAMILIES.values()].flatMap(({ name, argument }) => (argument === undefined ? [] : [[argument, name] as const])),
  ['create', 'data'],
  ['update', 'data'],
]);

function nameParameter(argument: string): string {
  return NAMES.get(argument) ?? argument;
}

/**
 * Returns the source of an error: the only parameter of a family, or the name of the family if there are several. The relationship of a path has no
 * source.
 */
function sourceOf(argument: string, parameters: readonly QueryParameter[]): ProblemSource | undefined {
  if (argument === 'relationship') return undefined;
  const name = nameParameter(argument);
  if (name === 'data') return { pointer: '/data' };
  const given = parameters.map(([parameter]) => parameter).filter((parameter) => parameter.split('[', 1)[0] === name);
  return { parameter: given.length === 1 ? (given[0] ?? name) : name };
}

/**
 * Adds a limit on rows and on related rows to a call that may exceed it.
 *
 * @param page the number of related rows that are primary data, in addition to the included ones
 */
export function limitIncluded<Q extends Query>(call: DataCall<Q>, { maxTake }: Limits, page = 0): DataCall<Q> {
  const detail = `An answer holds at most ${maxTake} resources, and as many included ones (limits.maxTake).`;
  const query: Query = call.query;
  const isOpen = query.kind === 'find' && (query.page.take ?? 0) > maxTake;
  const expect = limitRelated(query, { rows: maxTake + page, problem: { code: 'limit-exceeded', detail } }, isOpen);
  // The list has a separate limit: fewer rows of the page than its limit leave room in the sum, which would hide that the list is incomplete.
  return expect ? { ...call, expect: page > 0 ? { ...expect, list: maxTake } : expect } : call;
}
